import { toTimestamp } from '../domain/item.js';
import { CallLimits } from './call-limits.js';
import { createControlRoutes, isControlPath, INDEX_PAGE } from './control-routes.js';
import { type Variants, withErrorFormat, isListPath, isUpdatePath, DEFAULT_VARIANTS } from './variants.js';
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
import { listInventory } from './list-endpoint.js';
import type { SandboxState } from './state.js';
import { receiveTokenRequest } from './token-endpoint.js';
import { Tokens } from './tokens.js';

/*
 * The sandbox portal plays the portal as its own document describes it, for the demo and for every test. Its journal is
 * the oracle of the tests: they believe a claim of the widget or the proxy about a delivery only if the journal confirms
 * it. Three rules follow. The sandbox is strict where the real portal may be lenient: it rejects an undocumented field,
 * which proves that the proxy sends none. It writes an entry before it reads a body, and adds a fact only once it is true.
 * It never deletes an entry on request.
 *
 * A slow portal applies an update first and answers late. A caller that times out then does not know that its update was
 * applied, which is the outcome that a delivery must survive. The journal shows `applied: true` and `status: null`.
 *
 * The sandbox deliberately does not
 *
 * - store anything on disk;
 * - offer TLS: it listens on loopback, and the server around it may add HTTPS;
 * - know permissions, vendors or bookings: the document shows none;
 * - break connections or frames: a fetch handler cannot, so tests do it at the socket;
 * - send `Retry-After` while it is down: a portal that is down seldom knows when it will be back.
 */

export interface SandboxOptions {
  /** The one client that the portal knows. Neither may be empty. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds, a whole number above 0. Default 3600. */
  readonly tokenLifetimeSeconds?: number | undefined;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** Waits that many milliseconds and rejects when the signal aborts. Default: a timer. */
  readonly delay?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface SandboxPortal {
  /**
   * Answers one request. As with `fetch`, the promise rejects if the request is aborted before its response (with the
   * signal's reason) or if its body breaks off. Every other failure is a response.
   */
  readonly fetch: (request: Request) => Promise<Response>;
}

const TOKEN_PATH = '/v1/oauth/token';

/**
 * A portal in memory, as a web-standard fetch handler.
 *
 * @throws {TypeError} if an option is out of its range, which is a mistake of the program
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
  const redact = createRedaction(clientSecret);
  const state: SandboxState = {
    journal: new Journal(),
    items: new StoredItems(),
    tokens: new Tokens({ lifetimeSeconds: tokenLifetimeSeconds, now }),
    idempotencyKeys: new IdempotencyKeys(),
    limits: new CallLimits(now),
    now,
    faults: NO_FAULTS,
    variants: DEFAULT_VARIANTS,
  };
  const handleControl = createControlRoutes(state, redact);

  async function handlePortal(request: Request, path: string): Promise<Response> {
    // The variants at the arrival of the request apply until its response.
    const { variants } = state;
    const kind = classifyRequest(request.method, path, variants);
    const seq = state.journal.open(describe(request, path, kind));
    const reception = await receive(request, path, kind, variants);
    // There is no `await` before the next entry in the journal, so no other request runs between an effect and its record.
    state.items.applyDue(now());
    const { down, delay_ms } = state.faults;
    const { response, facts, onResponded }: RequestResult = down ? outage() : reception.decide(state.faults);
    try {
      const slow = delay_ms > 0 && !down;
      const fault: FaultName | null = facts.fault ?? (slow ? 'slow' : null);
      state.journal.amend(seq, { ...reception.seen, ...facts, fault });
      if (slow) await delay(delay_ms, request.signal);
      request.signal.throwIfAborted();
      const answer = await withErrorFormat(response, variants);
      state.journal.amend(seq, { status: answer.status });
      return answer;
    } finally {
      onResponded?.();
    }
  }

  function describe(request: Request, path: string, kind: RequestKind): RequestHead {
    const { headers, method } = request;
    return {
      at: toTimestamp(now()),
      kind,
      method: redact(method),
      path: kind === 'token' ? path : redact(path),
      headers: [...headers.keys()].map(redact).sort(),
      content_type: redactNullable(headers.get('content-type'), redact),
      user_agent: redactNullable(headers.get('user-agent'), redact),
    };
  }

  async function receive(request: Request, path: string, kind: RequestKind, variants: Variants): Promise<Reception> {
    switch (kind) {
      case 'token': {
        const body = await (variants.token_body === 'form' ? readForm(request) : readJson(request));
        return receiveTokenRequest(body, { clientId, clientSecret }, state.tokens, redact, variants);
      }
      case 'update': {
        const body = await readJson(request, variants.most_bytes);
        return receiveInventoryUpdate(request.headers, body, state, variants);
      }
      case 'list':
        return listInventory(request, state, variants);
      case 'other':
        return { seen: {}, decide: () => ({ response: rejectAddress(path, variants), facts: {} }) };
    }
  }

  return {
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      if (isControlPath(path)) return handleControl(request);
      if (path === '/' && request.method === 'GET') return text(INDEX_PAGE);
      return handlePortal(request, path);
    },
  };
}

function classifyRequest(method: string, path: string, variants: Variants): RequestKind {
  if (path === TOKEN_PATH) return method === 'POST' ? 'token' : 'other';
  if (isUpdatePath(path, variants) && method === variants.update_method) return 'update';
  return isListPath(path, variants) && method === 'GET' ? 'list' : 'other';
}

function rejectAddress(path: string, variants: Variants): Response {
  if (path === '/') return methodNotAllowed(['GET']);
  if (path === TOKEN_PATH) return methodNotAllowed(['POST']);
  const methods = [
    ...(isUpdatePath(path, variants) ? [variants.update_method] : []),
    ...(isListPath(path, variants) ? ['GET'] : []),
  ];
  return methods.length > 0 ? methodNotAllowed(methods) : routeUnknown();
}

function outage(): RequestResult {
  return { response: problem(503, 'The portal is down. Nothing was applied.'), facts: { fault: 'down' } };
}

function redactNullable(value: string | null, redact: Redact): string | null {
  return value === null ? null : redact(value);
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
