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

/** An edit with its owner in the queue. */
export type OwnedEdit = Edit & Pick<QueuedEdit, 'owner'>;

/** Items of one page of a listing. */
const MAX_PAGE_SIZE = 1_000;
const MIN_PAGE_SIZE = 50;

/**
 * All requests of the page. They go to the proxy and to the host's session URL.
 *
 * The client never retries, except once with a new token after a 401: the store decides when to retry.
 */
export class ProxyClient {
  /** Base URL of the proxy, without a slash at its end. */
  readonly base: string;
  readonly #proxy: string;
  readonly #tokens: TokenSource;
  #pageSize = MAX_PAGE_SIZE;
  #person: string | undefined;
  /** The headers that name the person to the proxy. */
  #personHeaders: HttpRequest['headers'];
  /** The token whose session the proxy has reported as this person's. */
  #personsToken: string | undefined;
  #refusedToken: string | undefined;
  /** Whether a call has succeeded. From then on, failures may be temporary. */
  #hasSucceeded = false;
  /** The code of a setup fault that keeps all responses from the page, once it is found. */
  #setupFault: string | undefined;

  /** @param proxy base URL of the proxy; it may have a path */
  constructor(proxy: string, tokens: TokenSource) {
    this.base = proxy.replace(/\/+$/, '');
    this.#proxy = proxy;
    this.#tokens = tokens;
  }

  /** The person of the host's token, as an owner of the queue. It is known before the proxy has responded. */
  async expected(): Promise<string | undefined> {
    const claimed = readPerson(await this.#withSetupCheck(this.#tokens.token()));
    return claimed && toOwner(this.#proxy, claimed);
  }

  /**
   * The session of the person who is signed in now. All other calls are made as this person, or fail with
   * `session_changed`.
   */
  session(): Promise<Session> {
    return this.#withSetupCheck(this.#withToken((token) => this.#fetchSession(token, true)));
  }

  /** @param since lists only changes after this revision */
  async list(cursor?: string, since?: number): Promise<Listing> {
    const query = {
      limit: String(this.#pageSize),
      ...(cursor !== undefined && { cursor }),
      ...(since !== undefined && { since: String(since) }),
    };
    try {
      return await this.#withSetupCheck(this.#call('v1/inventory', readAs(listing), { query }));
    } catch (error) {
      // On a slow connection, a smaller page may arrive.
      if (error instanceof ApiError && error.isTimeout)
        this.#pageSize = Math.max(Math.floor(this.#pageSize / 4), MIN_PAGE_SIZE);
      throw error;
    }
  }

  /**
   * Makes a call whose response has receipts. Only edits of the person who is signed in are sent.
   *
   * @param path below the proxy's base URL
   * @param edits those in the request
   */
  async ask(path: string, what: HttpRequest, edits?: readonly OwnedEdit[]): Promise<Receipt[]> {
    return (await this.#call(path, readAs(receipts), what, edits)).receipts;
  }

  /** Makes a call and returns its response unread. @param path below the proxy's base URL */
  open(path: string, what: HttpRequest): Promise<Response> {
    return this.#call(path, (response) => response, what);
  }

  /**
   * Sends a batch. Resolves once the proxy has stored all of its edits. Only edits of the person who is signed in are sent.
   */
  send(edits: readonly OwnedEdit[], keepalive = false): Promise<Receipt[]> {
    const body: EditBatch = {
      // The fields are in the order in which the proxy hashes them. JSON leaves out those that are undefined.
      inventory: edits.map(({ id, available, updated_at, base, edit_id, label, change_set, from }) => ({
        id,
        available,
        updated_at,
        base,
        edit_id,
        label,
        change_set,
        from,
      })),
      sent_at: toTimestamp(Date.now()),
    };
    // The edit ids make a repeated batch harmless; the key only has to be new.
    const headers = { 'Idempotency-Key': newEditId() };
    return this.ask('v1/inventory', { method: 'POST', json: body, headers, keepalive }, edits);
  }

  receipts(edits: readonly Pick<Edit, 'edit_id'>[]): Promise<Receipt[]> {
    return this.ask('v1/receipts', { query: { ids: toEditIds(edits).join() } });
  }

  /** Server-sent events that hint at changes, until the session ends. @param last id of the last event received */
  async events(last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    // `EventSource` cannot send the token.
    const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
    const { body, headers: responseHeaders } = await this.open('v1/events', { headers, signal });
    // If an intermediary responds with a page of its own, the stream ends at once. Read as a stream, it would be opened
    // again in a loop.
    if (body !== null && responseHeaders.get('Content-Type')?.startsWith('text/event')) return body;
    throw new ApiError('unreadable');
  }

  /** Drops the token, because another person may be signed in at the next call. */
  forget(): void {
    this.#tokens.forget();
  }

  /** Forgets the person. @returns their token; `undefined` if there is none, or cookies identify the person */
  leave(): string | undefined {
    const token = this.#personsToken;
    this.#person = this.#personHeaders = this.#personsToken = undefined;
    this.forget();
    return token;
  }

  #call<T>(path: string, read: Read<T>, what: HttpRequest, edits: readonly OwnedEdit[] = []): Promise<T> {
    return this.#withToken(async (token) => {
      // A new token may belong to another person.
      if (this.#person && token !== this.#personsToken) await this.#fetchSession(token, false);
      // Another person may have signed in since the edits were read, or while a refused token was renewed.
      if (edits.some((edit) => edit.owner !== this.#person)) throw sessionChanged();
      return request(`${this.base}/${path}`, authorized(what, token, this.#personHeaders), read);
    });
  }

  /** Fetches the session of a token. @param acceptsOther whether it may belong to another person than before */
  async #fetchSession(token: string | undefined, acceptsOther: boolean): Promise<Session> {
    const answer = await request(`${this.base}/v1/session`, authorized({}, token), readAs(session));
    this.#hasSucceeded = true;
    const owner = toOwner(this.#proxy, answer);
    if (!acceptsOther && owner !== this.#person) throw sessionChanged();
    this.#person = owner;
    this.#personHeaders = { [PERSON_HEADER]: personNamed(answer) };
    this.#personsToken = token;
    // Both times are from the proxy's clock, so a wrong clock of this device does no harm.
    this.#tokens.setLifetime(token, Date.parse(answer.expires_at) - Date.parse(answer.server_time));
    return answer;
  }

  /** Retries once with a new token after a 401. */
  async #withToken<T>(use: (token: string | undefined) => Promise<T>, renewed?: string): Promise<T> {
    const token = renewed ?? (await this.#tokens.token());
    try {
      return await use(token);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'session_required') throw error;
      const { message, requestId } = error;
      const next = renewed === undefined ? await this.#tokens.renew(token) : undefined;
      this.#refusedToken = token;
      if (next === undefined)
        throw new ApiError(getRefusalCode(token, this.base), message, { requestId, isRefused: true });
      return this.#withToken(use, next);
    }
  }

  /** Looks for a setup fault of the page if a call fails before any call has succeeded. */
  async #withSetupCheck<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message } = error;
      // No call waits for this chunk, because the same fault may keep it from loading.
      if (!this.#hasSucceeded || SETUP_FAULTS.has(code)) {
        void import('./setup-fault.js').then(
          async ({ findSetupFault }) => {
            this.#setupFault = await findSetupFault(error, this.base, this.#refusedToken);
          },
          () => undefined,
        );
      }
      const isKnown = code === 'unreachable' && !error.isTimeout && this.#setupFault !== undefined;
      throw isKnown ? new ApiError(this.#setupFault ?? code, message) : error;
    }
  }
}

/** Failures that only the integrator or the operator of the host can repair. */
const SETUP_FAULTS: ReadonlySet<string> = new Set([
  'token_refused',
  'session_missing',
  'session_unreadable',
  'origin_refused',
  'permission_missing',
]);

/** Requests an embed token from the host: a POST with the person's cookies. */
export async function requestHostToken(url: string): Promise<string> {
  try {
    return (await request(url, authorized({ method: 'POST' }, undefined), readAs(sessionToken))).token;
  } catch (error) {
    const { code, message } = error as ApiError;
    throw new ApiError(toHostErrorCode(code), message);
  }
}

function toHostErrorCode(code: string): string {
  // Status 0 is an opaque redirect (Fetch standard): many hosts redirect a person who is not signed in to their sign-in page.
  if (/^http_(0|40[13])$/.test(code)) return 'session_refused';
  return /^unreachable$|^http_(?:5..|408|429)$/.test(code) ? 'session_unreachable' : 'session_unreadable';
}

/** The code of a 401 that a new token does not change. It tells whether the person or the integrator has to act. */
function getRefusalCode(token: string | undefined, base: string): string {
  if (token) return 'token_refused';
  // A page sends cookies to its own origin only.
  return new URL(base, location.href).origin === location.origin ? 'session_refused' : 'session_missing';
}

/** Handles the response to the call of this URL. */
type Read<T> = (response: Response, url: string) => T | Promise<T>;

/** Parses a JSON response and validates it. */
function readAs<T>(schema: z.ZodMiniType<T>): Read<T> {
  return async (response, url) => {
    const body: unknown = await response.json().catch((error: unknown) => {
      // Compared by name, because WebKit throws a DOMException. Its message quotes the response, which may be a token.
      if ((error as Error).name !== 'SyntaxError') throw error;
      const { status, headers } = response;
      throw new ApiError('unreadable', `${url}: ${String(status)} ${headers.get('Content-Type') ?? ''}, not JSON`);
    });
    if (accepts(schema, body)) return body;
    throw new ApiError('unreadable', `${url} answered another shape: ${faultOf(schema, body) ?? ''}`);
  };
}

/** Adds the headers that identify the widget and the person: the person's token, or else `named`. */
export function authorized(
  what: HttpRequest,
  token: string | undefined,
  personHeaders?: HttpRequest['headers'],
): HttpRequest {
  const identity = token ? { Authorization: `Bearer ${token}` } : personHeaders;
  return { ...what, headers: { [REQUESTED_WITH]: WIDGET, ...what.headers, ...identity } };
}
