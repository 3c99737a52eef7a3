import type { Edit, EditId } from '../domain/edit.js';
import { toTimestamp } from '../domain/item.js';
import type { Check } from '../contract/checks.js';
import { listingCheck, receiptsCheck, sessionCheck, sessionTokenCheck } from '../contract/fast-checks.js';
import { REQUESTED_WITH } from '../contract/limits.js';
import type { EditBatch, Listing, Receipt, Session } from '../contract/widget.js';
import { newEditId } from './edit-id.js';
import { request, type HttpRequest } from './http.js';
import { ProxyFailure, sessionChanged } from './proxy-failure.js';
import type { QueuedEdit } from './queue-db.js';
import { ownerOf } from './queue-owner.js';
import type { TokenSource } from './session.js';
import { personIn } from './token-person.js';

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
  /** Hints that something changed, as server-sent events, until the session ends. @param last id of the last one heard */
  events(last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Resolves once the proxy's disk has all of them. Edits of anybody but the person who is signed in are never sent. */
  send(edits: readonly OwnedEdit[], keepalive?: boolean): Promise<Receipt[]>;
  receipts(edits: readonly Pick<Edit, 'edit_id'>[]): Promise<Receipt[]>;
  /** A person's word on an edit that the proxy has: it is not wanted any more. */
  discard(edit: EditId): Promise<Receipt[]>;
  /** Ends the session at the proxy, as far as it can be reached, and forgets the token. Never fails. */
  signOut(): Promise<void>;
}

/** `owner` as the queue names it. */
export type OwnedEdit = Edit & Pick<QueuedEdit, 'owner'>;

/** @param proxy base URL of the proxy, a path prefix allowed */
export function createProxyClient(proxy: string, tokens: TokenSource): ProxyClient {
  const base = proxy.replace(/\/+$/, '');

  let person: string | undefined;
  /** The token that was seen to be this person's. */
  let personsToken: string | undefined;

  /** @param isAnyone the person may be another one than before */
  async function meet(token: string | undefined, isAnyone: boolean): Promise<Session> {
    const answer = await ask(`${base}/v1/session`, sessionCheck, authorized({}, token));
    const owner = ownerOf(proxy, answer.vendor, answer.subject);
    if (!isAnyone && owner !== person) throw sessionChanged();
    person = owner;
    personsToken = token;
    // Both times are the proxy's, so this page's clock may be wrong.
    tokens.lasts(token, Date.parse(answer.expires_at) - Date.parse(answer.server_time));
    return answer;
  }

  /** A new token may be another person's. */
  async function expectSamePerson(token: string | undefined): Promise<void> {
    if (person !== undefined && token !== personsToken) await meet(token, false);
  }

  /** Once more with a new token after a 401. */
  async function withToken<T>(use: (token: string | undefined) => Promise<T>): Promise<T> {
    const token = await tokens.token();
    try {
      return await use(token);
    } catch (error) {
      if (!isSessionRequired(error)) throw error;
      const renewed = await tokens.renew(token);
      if (renewed === undefined) throw sessionRefused(proxy, error);
      try {
        return await use(renewed);
      } catch (again) {
        throw isSessionRequired(again) ? sessionRefused(proxy, again) : again;
      }
    }
  }

  function call<T>(
    path: string,
    answer: Check<T>,
    options: HttpRequest = {},
    edits: readonly OwnedEdit[] = [],
  ): Promise<T> {
    return withToken(async (token) => {
      await expectSamePerson(token);
      // Somebody else may have signed in since these were read, or while a refused token was renewed.
      if (edits.some((edit) => edit.owner !== person)) throw sessionChanged();
      return ask(`${base}/${path}`, answer, authorized(options, token));
    });
  }

  return {
    async expected() {
      const named = personIn(await tokens.token());
      return named && ownerOf(proxy, named.vendor, named.subject);
    },
    session: () => withToken((token) => meet(token, true)),
    list: (cursor, since) =>
      call('v1/inventory', listingCheck, {
        query: {
          limit: '1000',
          ...(cursor !== undefined && { cursor }),
          ...(since !== undefined && { since: String(since) }),
        },
      }),
    events: (last, signal) =>
      withToken(async (token) => {
        await expectSamePerson(token);
        // EventSource could not send the token.
        const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
        return openStream(`${base}/v1/events`, authorized({ headers, signal }, token));
      }),
    async send(edits, keepalive = false) {
      const body: EditBatch = {
        inventory: edits.map(({ id, available, updated_at, base, edit_id, label }) => ({
          id,
          available,
          updated_at,
          edit_id,
          ...(base !== undefined && { base }),
          ...(label !== undefined && { label }),
        })),
        sent_at: toTimestamp(Date.now()),
      };
      // The edit ids make a repeated batch harmless; the key only has to be new.
      const headers = { 'Idempotency-Key': newEditId() };
      const sent = { method: 'POST', json: body, headers, keepalive } as const;
      return (await call('v1/inventory', receiptsCheck, sent, edits)).receipts;
    },
    async receipts(edits) {
      const ids = edits.map((edit) => edit.edit_id).join(',');
      return (await call('v1/receipts', receiptsCheck, { query: { ids } })).receipts;
    },
    async discard(edit) {
      return (await call(`v1/edits/${edit}/discard`, receiptsCheck, { method: 'POST', json: {} })).receipts;
    },
    async signOut() {
      const token = personsToken;
      person = undefined;
      personsToken = undefined;
      tokens.forget();
      if (token === undefined) return;
      // The page may be on its way out. A proxy that does not hear it has a token for a few minutes more.
      const last = authorized({ method: 'DELETE', json: {}, keepalive: true }, token);
      await request(`${base}/v1/session`, last, () => Promise.resolve()).catch(() => undefined);
    },
  };
}

/** Asks the host for an embed token: a POST with the person's own cookies. */
export async function requestHostToken(url: string): Promise<string> {
  try {
    return (await ask(url, sessionTokenCheck, authorized({ method: 'POST' }, undefined))).token;
  } catch (error) {
    if (!(error instanceof ProxyFailure)) throw error;
    const refused = error.code === 'http_401' || error.code === 'http_403';
    throw new ProxyFailure(refused ? 'session_refused' : 'session_unreachable', {
      retryable: true,
      message: `${url} gave no session: ${error.message}`,
      cause: error,
    });
  }
}

async function ask<T>(url: string, answer: Check<T>, what: HttpRequest): Promise<T> {
  const body: unknown = await request(url, what, (response) => response.json());
  const fault = answer(body);
  if (fault === undefined) return body as T;
  throw new ProxyFailure('unreadable', { retryable: true, message: `${url} answered another shape: ${fault}` });
}

async function openStream(url: string, what: HttpRequest): Promise<ReadableStream<Uint8Array>> {
  const body = await request(url, what, (response) => Promise.resolve(response.body));
  if (body !== null) return body;
  throw new ProxyFailure('unreadable', { retryable: true, message: `${url} answered nothing` });
}

function isSessionRequired(error: unknown): error is ProxyFailure {
  return error instanceof ProxyFailure && error.code === 'session_required';
}

function sessionRefused(proxy: string, cause: ProxyFailure): ProxyFailure {
  const { requestId } = cause;
  return new ProxyFailure('session_refused', { retryable: true, message: `${proxy} refused the session`, requestId });
}

/** The page names itself, and who asks. */
function authorized(what: HttpRequest, token: string | undefined): HttpRequest {
  const headers = { [REQUESTED_WITH.name]: REQUESTED_WITH.value, ...what.headers };
  return { ...what, headers: token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` } };
}
