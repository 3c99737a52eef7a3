import { toTimestamp } from '../domain/item.js';
import { CallLimits } from './call-limits.js';
import { createControlRoutes, isControlPath, INDEX_PAGE } from './control-routes.js';
import { type Variants, withErrorFormat, isUpdatePath, DEFAULT_VARIANTS } from './variants.js';
import { NO_FAULTS, type FaultName } from './faults.js';
import { methodNotAllowed, problem, readForm, readJson, routeUnknown, text } from './responses.js';
import { StoredItems, IdempotencyKeys } from './portal-items.js';
import { receiveInventoryUpdate } from './inventory-endpoint.js';
import {
  type Redact,
  createRedaction,
  Journal,
  type Reception,
  type RequestHead,
  type RequestKind,
  type RequestResult,
} from './journal.js';
import type { SandboxState } from './state.js';
import { receiveTokenRequest } from './token-endpoint.js';
import { Tokens } from './tokens.js';

/*
 * The sandbox portal plays the portal as its own document describes it, for the demo and for every test. It is the oracle: what
 * the widget and the proxy claim about a delivery is believed only where this journal says the same. So it is strict
 * where the real portal may be lenient (an undocumented field is refused, which proves that the proxy sends none), it
 * writes an entry before it reads a body and another fact only once it is true, and it never tidies up after itself.
 *
 * What a fault does to time is the point of it. A slow portal acts first and answers late: a caller that gives up has an
 * update that was applied without its knowing, which is the one outcome a delivery must survive. The journal then says
 * `applied: true` and `status: null`.
 *
 * What it deliberately does not do: store anything on disk; ask for TLS (it lives on loopback; HTTPS is the affair of
 * the server around it); know permissions, vendors or bookings (the document shows none); list items to the proxy (the
 * document has no such call); break connections or frames, which a fetch handler cannot and a test does
 * at the socket; send `Retry-After` while it is down, because a portal that is down seldom knows when it will be back.
 */

export interface SandboxOptions {
  /** The one client that the portal knows. Neither may be empty. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds, a whole number above 0. Default 3600. */
  readonly tokenLifetimeSeconds?: number | undefined;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** Waits that many milliseconds; rejects when the signal aborts. Default: a timer. */
  readonly delay?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface SandboxPortal {
  /**
   * Answers one request. Rejects, as `fetch` does, when the request is aborted before its answer (with the signal's
   * reason) or its body breaks off: nobody is left to answer. Every other failure is a response.
   */
  readonly fetch: (request: Request) => Promise<Response>;
}

const TOKEN_PATH = '/v1/oauth/token';

/**
 * A portal in memory, as a web-standard fetch handler.
 *
 * @throws {TypeError} when an option is out of its range: that is a mistake of the program, not of a caller
 * @example
 * const portal = createSandboxPortal({ clientId: 'demo', clientSecret: 'not-a-real-secret' });
 * const answer = await portal.fetch(new Request('http://portal.test/sandbox/journal?after=0'));
 */
export function createSandboxPortal(options: SandboxOptions): SandboxPortal {
  const { clientId, clientSecret, tokenLifetimeSeconds = 3600, now = () => Date.now(), delay = waitFor } = options;
  if (clientId === '' || clientSecret === '') throw new TypeError('clientId and clientSecret must not be empty');
  if (!Number.isSafeInteger(tokenLifetimeSeconds) || tokenLifetimeSeconds < 1) {
    throw new TypeError('tokenLifetimeSeconds must be a whole number above 0');
  }
  const conceal = createRedaction(clientSecret);
  const state: SandboxState = {
    journal: new Journal(),
    items: new StoredItems(),
    tokens: new Tokens({ lifetimeSeconds: tokenLifetimeSeconds, now }),
    namedUpdates: new IdempotencyKeys(),
    limits: new CallLimits(now),
    faults: NO_FAULTS,
    habits: DEFAULT_VARIANTS,
  };
  const answerControl = createControlRoutes(state, conceal);

  async function answerPortal(request: Request, path: string): Promise<Response> {
    // As they are when it arrives.
    const { habits } = state;
    const kind = kindOf(request.method, path, habits);
    const seq = state.journal.open(describe(request, path, kind));
    const reception = await receive(request, path, kind, habits);
    // Nothing is awaited from here to the first amendment: no other request sees the portal between act and record.
    const { down, delay_ms } = state.faults;
    const { response, facts, onAnswered }: RequestResult = down ? outage() : reception.decide(state.faults);
    try {
      const slow = delay_ms > 0 && !down;
      const fault: FaultName | null = facts.fault ?? (slow ? 'slow' : null);
      state.journal.amend(seq, { ...reception.seen, ...facts, fault });
      if (slow) await delay(delay_ms, request.signal);
      request.signal.throwIfAborted();
      const answer = await withErrorFormat(response, habits);
      state.journal.amend(seq, { status: answer.status });
      return answer;
    } finally {
      onAnswered?.();
    }
  }

  function describe(request: Request, path: string, kind: RequestKind): RequestHead {
    const { headers, method } = request;
    return {
      at: toTimestamp(now()),
      kind,
      method: conceal(method),
      path: kind === 'token' ? path : conceal(path),
      headers: [...headers.keys()].map(conceal).sort(),
      content_type: concealValue(headers.get('content-type'), conceal),
      user_agent: concealValue(headers.get('user-agent'), conceal),
    };
  }

  async function receive(request: Request, path: string, kind: RequestKind, habits: Variants): Promise<Reception> {
    switch (kind) {
      case 'token': {
        const body = await (habits.token_body === 'form' ? readForm(request) : readJson(request));
        return receiveTokenRequest(body, { clientId, clientSecret }, state.tokens, conceal, habits);
      }
      case 'update': {
        const body = await readJson(request, habits.most_bytes);
        return receiveInventoryUpdate(request.headers, body, state, habits);
      }
      case 'other':
        return { seen: {}, decide: () => ({ response: refuseAddress(path, habits), facts: {} }) };
    }
  }

  return {
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      if (isControlPath(path)) return answerControl(request);
      if (path === '/' && request.method === 'GET') return text(INDEX_PAGE);
      return answerPortal(request, path);
    },
  };
}

function kindOf(method: string, path: string, habits: Variants): RequestKind {
  if (path === TOKEN_PATH) return method === 'POST' ? 'token' : 'other';
  return isUpdatePath(path, habits) && method === habits.update_method ? 'update' : 'other';
}

function refuseAddress(path: string, habits: Variants): Response {
  if (path === '/') return methodNotAllowed(['GET']);
  if (path === TOKEN_PATH) return methodNotAllowed(['POST']);
  return isUpdatePath(path, habits) ? methodNotAllowed([habits.update_method]) : routeUnknown();
}

function outage(): RequestResult {
  return { response: problem(503, 'The portal is down. Nothing was applied.'), facts: { fault: 'down' } };
}

function concealValue(value: string | null, conceal: Redact): string | null {
  return value === null ? null : conceal(value);
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
