import type * as z from 'zod/mini';
import { type Edit, toEditIds } from '../../domain/edit.js';
import { REQUESTED_WITH, WIDGET } from '../../contract/fields.js';
import {
  type EditBatch,
  listing,
  type Listing,
  PERSON_HEADER,
  personNamed,
  type Receipt,
  receipts,
  session,
  type Session,
  sessionToken,
} from '../../contract/widget.js';
import { type HttpRequest, request } from './http.js';
import { ApiError, sessionChanged } from './api-error.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { toOwner, readPerson } from '../storage/queue-owner.js';
import { accepts, faultOf } from '../schema.js';
import type { TokenSource } from './token-source.js';
import { toTimestamp } from '../../domain/item.js';
import { newEditId } from '../storage/edit-id.js';

/**
 * What the page says to the network, and it speaks to two places: the proxy and the host's session URL.
 * It never retries, except once with a new token after a 401: the store is the one layer that decides when to try again.
 */
export interface ProxyClient {
  /** Whose session the host has given, as the queue names owners; known before the proxy has answered. */
  expected(): Promise<string | undefined>;
  /** Who is signed in now. All other calls are made as this person, or fail with `session_changed`. */
  session(): Promise<Session>;
  /** @param since only what changed after this revision */
  list(cursor?: string, since?: number): Promise<Listing>;
  /**
   * A call that is answered with receipts. Edits of anybody but the person who is signed in are never sent.
   * @param path below the proxy's base URL @param edits that it carries
   */
  ask(path: string, what: HttpRequest, edits?: readonly OwnedEdit[]): Promise<Receipt[]>;
  /** A call whose answer goes on. @param path below the proxy's base URL */
  open(path: string, what: HttpRequest): Promise<Response>;
  /** Another person may be there when the next call is made: the host is asked again. */
  readonly forget: () => void;
  /** Forgets who was here. @returns their token; `undefined` where there is none, or the host's own cookies are it */
  leave(): string | undefined;
  /** Base URL of the proxy, without a slash at its end. */
  readonly base: string;
}

/** `owner` as the queue names it. */
export type OwnedEdit = Edit & Pick<QueuedEdit, 'owner'>;

/** Items of one page of a listing. */
const MAX_PAGE_SIZE = 1_000;
const MIN_PAGE_SIZE = 50;

/** @param proxy base URL of the proxy, a path prefix allowed */
export function createProxyClient(proxy: string, tokens: TokenSource): ProxyClient {
  const base = proxy.replace(/\/+$/, '');

  let pageSize = MAX_PAGE_SIZE;
  let person: string | undefined;
  /** Says so to the proxy. */
  let named: HttpRequest['headers'];
  /** The token that was seen to be this person's. */
  let personsToken: string | undefined;
  let refusedToken: string | undefined;

  /** @param isAnyone the person may be another one than before */
  async function meet(token: string | undefined, isAnyone: boolean): Promise<Session> {
    const answer = await request(`${base}/v1/session`, authorized({}, token), readAs(session));
    isProven = true;
    const owner = toOwner(proxy, answer);
    if (!isAnyone && owner !== person) throw sessionChanged();
    person = owner;
    named = { [PERSON_HEADER]: personNamed(answer) };
    personsToken = token;
    // Both times are the proxy's, so this page's clock may be wrong.
    tokens.lasts(token, Date.parse(answer.expires_at) - Date.parse(answer.server_time));
    return answer;
  }

  /** Once more with a new token after a 401. */
  async function withToken<T>(use: (token: string | undefined) => Promise<T>, renewed?: string): Promise<T> {
    const token = renewed ?? (await tokens.token());
    try {
      return await use(token);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'session_required') throw error;
      const { message, requestId } = error;
      const next = renewed === undefined ? await tokens.renew(token) : undefined;
      refusedToken = token;
      if (next === undefined) throw new ApiError(refusalOf(token, base), message, { requestId, isRefused: true });
      return withToken(use, next);
    }
  }

  function call<T>(path: string, read: Read<T>, what: HttpRequest, edits: readonly OwnedEdit[] = []): Promise<T> {
    return withToken(async (token) => {
      // A new token may be another person's.
      if (person && token !== personsToken) await meet(token, false);
      // Another person may have signed in since these were read, or while a refused token was renewed.
      if (edits.some((edit) => edit.owner !== person)) throw sessionChanged();
      return request(`${base}/${path}`, authorized(what, token, named), read);
    });
  }

  /** The proxy has answered this page well: whatever fails from then on may pass by itself. */
  let isProven = false;
  /** Why no answer can come, once that is found out. */
  let obstacle: string | undefined;

  /** Until one call has succeeded, a failure may be a mistake in the setup of the page. */
  async function explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message } = error;
      // Nothing waits for it: what keeps the proxy from answering may keep this part from being loaded.
      if (!isProven || MISTAKES.has(code)) {
        void import('./setup-fault.js').then(
          async ({ findSetupFault }) => {
            obstacle = await findSetupFault(error, base, refusedToken);
          },
          () => undefined,
        );
      }
      const isKnown = code === 'unreachable' && !error.isTimeout && obstacle !== undefined;
      throw isKnown ? new ApiError(obstacle ?? code, message) : error;
    }
  }

  return {
    async expected() {
      const claimed = readPerson(await explained(tokens.token()));
      return claimed && toOwner(proxy, claimed);
    },
    session: () => explained(withToken((token) => meet(token, true))),
    async list(cursor, since) {
      const query = {
        limit: String(pageSize),
        ...(cursor !== undefined && { cursor }),
        ...(since !== undefined && { since: String(since) }),
      };
      try {
        return await explained(call('v1/inventory', readAs(listing), { query }));
      } catch (error) {
        // A slow line gets a page through that is small enough.
        if (error instanceof ApiError && error.isTimeout) pageSize = Math.max(Math.floor(pageSize / 4), MIN_PAGE_SIZE);
        throw error;
      }
    },
    ask: async (path, what, edits) => (await call(path, readAs(receipts), what, edits)).receipts,
    open: (path, what) => call(path, (response) => response, what),
    forget: tokens.forget,
    leave() {
      const token = personsToken;
      person = named = personsToken = undefined;
      tokens.forget();
      return token;
    },
    base,
  };
}

/** Failures that only the integrator or the operator of the host can end. */
const MISTAKES: ReadonlySet<string> = new Set([
  'token_refused',
  'session_missing',
  'session_unreadable',
  'origin_refused',
  'permission_missing',
]);

/** Asks the host for an embed token: a POST with the person's own cookies. */
export async function requestHostToken(url: string): Promise<string> {
  try {
    return (await request(url, authorized({ method: 'POST' }, undefined), readAs(sessionToken))).token;
  } catch (error) {
    const { code, message } = error as ApiError;
    throw new ApiError(hostFailure(code), message);
  }
}

function hostFailure(code: string): string {
  // Status 0 is an opaque redirect (Fetch standard): many hosts redirect a person who is not signed in to their sign-in page.
  if (/^http_(0|40[13])$/.test(code)) return 'session_refused';
  return /^unreachable$|^http_(?:5..|408|429)$/.test(code) ? 'session_unreachable' : 'session_unreadable';
}

/** The code of a 401 that a new token does not change: it says whether the person or the integrator has to act. */
function refusalOf(token: string | undefined, base: string): string {
  if (token) return 'token_refused';
  // A page sends cookies to its own origin alone.
  return new URL(base, location.href).origin === location.origin ? 'session_refused' : 'session_missing';
}

/** Makes something of an answer to the call of this URL. */
type Read<T> = (response: Response, url: string) => T | Promise<T>;

/** Reads JSON of this shape. */
function readAs<T>(schema: z.ZodMiniType<T>): Read<T> {
  return async (response, url) => {
    const body: unknown = await response.json().catch((error: unknown) => {
      // By its name: in WebKit it is a DOMException. Its own words quote the answer, which may be a token.
      if ((error as Error).name !== 'SyntaxError') throw error;
      const { status, headers } = response;
      throw new ApiError('unreadable', `${url}: ${String(status)} ${headers.get('Content-Type') ?? ''}, not JSON`);
    });
    if (accepts(schema, body)) return body;
    throw new ApiError('unreadable', `${url} answered another shape: ${faultOf(schema, body) ?? ''}`);
  };
}

/** The page names itself, and who asks: by a token, or else by whom it takes to be there. */
export function authorized(what: HttpRequest, token: string | undefined, named?: HttpRequest['headers']): HttpRequest {
  const who = token ? { Authorization: `Bearer ${token}` } : named;
  return { ...what, headers: { [REQUESTED_WITH]: WIDGET, ...what.headers, ...who } };
}

/** What the page says to the proxy about edits. Loaded with the first rows, because no edit exists before them. */
export interface EditCalls {
  /** Hints that something changed, as server-sent events, until the session ends. @param last id of the last one heard */
  events(last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Resolves once the proxy's disk has all of them. Edits of anybody but the person who is signed in are never sent. */
  send(edits: readonly OwnedEdit[], keepalive?: boolean): Promise<Receipt[]>;
  receipts(edits: readonly Pick<Edit, 'edit_id'>[]): Promise<Receipt[]>;
}

export function editCalls({ ask, open }: Pick<ProxyClient, 'ask' | 'open'>): EditCalls {
  return {
    async events(last, signal) {
      // EventSource could not send the token.
      const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
      const { body, headers: told } = await open('v1/events', { headers, signal });
      // A page from an intermediary ends at once and would be asked for again at once.
      if (body !== null && told.get('Content-Type')?.startsWith('text/event')) return body;
      throw new ApiError('unreadable');
    },
    send(edits, keepalive = false) {
      const body: EditBatch = {
        // In the order that the proxy digests them in; JSON leaves out what is not there.
        inventory: edits.map(({ id, available, updated_at, base, edit_id, label }) => ({
          id,
          available,
          updated_at,
          base,
          edit_id,
          label,
        })),
        sent_at: toTimestamp(Date.now()),
      };
      // The edit ids make a repeated batch harmless; the key only has to be new.
      const headers = { 'Idempotency-Key': newEditId() };
      const sent = { method: 'POST', json: body, headers, keepalive } as const;
      return ask('v1/inventory', sent, edits);
    },
    receipts(edits) {
      return ask('v1/receipts', { query: { ids: toEditIds(edits).join() } });
    },
  };
}
