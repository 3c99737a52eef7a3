import type * as z from 'zod/mini';
import type { Edit } from '../../domain/edit.js';
import { REQUESTED_WITH, WIDGET } from '../../contract/limits.js';
import { PERSON_HEADER, personNamed } from '../../contract/person.js';
import {
  listing,
  receipts,
  session,
  sessionToken,
  type Listing,
  type Receipt,
  type Session,
} from '../../contract/widget.js';
import { request, type HttpRequest } from './http.js';
import { ProxyFailure, sessionChanged } from './proxy-failure.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { ownerOf } from '../storage/queue-owner.js';
import { accepts, faultOf } from '../schema.js';
import type { TokenSource } from './token-source.js';
import { personIn } from '../storage/token-person.js';

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
  /** Somebody else may be there when the next call is made: the host is asked anew. */
  readonly forget: () => void;
  /** Forgets who was here. @returns their token; `undefined` where there is none, or the host's own cookies are it */
  leave(): string | undefined;
  /** Base URL of the proxy, without a slash at its end. */
  readonly base: string;
}

/** `owner` as the queue names it. */
export type OwnedEdit = Edit & Pick<QueuedEdit, 'owner'>;

/** @param proxy base URL of the proxy, a path prefix allowed */
export function createProxyClient(proxy: string, tokens: TokenSource): ProxyClient {
  const base = proxy.replace(/\/+$/, '');

  let person: string | undefined;
  /** Says so to the proxy. */
  let named: HttpRequest['headers'];
  /** The token that was seen to be this person's. */
  let personsToken: string | undefined;

  /** @param isAnyone the person may be another one than before */
  async function meet(token: string | undefined, isAnyone: boolean): Promise<Session> {
    const answer = await request(`${base}/v1/session`, authorized({}, token), readAs(session));
    const owner = ownerOf(proxy, answer);
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
      if (!(error instanceof ProxyFailure) || error.code !== 'session_required') throw error;
      const { message, requestId } = error;
      const next = renewed === undefined ? await tokens.renew(token) : undefined;
      if (next === undefined) throw new ProxyFailure('session_refused', message, { requestId });
      return withToken(use, next);
    }
  }

  function call<T>(path: string, read: Read<T>, what: HttpRequest, edits: readonly OwnedEdit[] = []): Promise<T> {
    return withToken(async (token) => {
      // A new token may be another person's.
      if (person && token !== personsToken) await meet(token, false);
      // Somebody else may have signed in since these were read, or while a refused token was renewed.
      if (edits.some((edit) => edit.owner !== person)) throw sessionChanged();
      return request(`${base}/${path}`, authorized(what, token, named), read);
    });
  }

  return {
    async expected() {
      const claimed = personIn(await tokens.token());
      return claimed && ownerOf(proxy, claimed);
    },
    session: () => withToken((token) => meet(token, true)),
    list: (cursor, since) =>
      call('v1/inventory', readAs(listing), {
        query: {
          limit: '1000',
          ...(cursor !== undefined && { cursor }),
          ...(since !== undefined && { since: String(since) }),
        },
      }),
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

/** Asks the host for an embed token: a POST with the person's own cookies. */
export async function requestHostToken(url: string): Promise<string> {
  try {
    return (await request(url, authorized({ method: 'POST' }, undefined), readAs(sessionToken))).token;
  } catch (error) {
    const { code, message } = error as ProxyFailure;
    // 0 is a redirect: many guards lead whoever is not signed in to a page where they do so.
    throw new ProxyFailure(/^http_(0|40[13])$/.test(code) ? 'session_refused' : 'session_unreachable', message);
  }
}

/** Makes something of an answer to the call of this URL. */
type Read<T> = (response: Response, url: string) => T | Promise<T>;

/** Reads JSON of this shape. */
function readAs<T>(schema: z.ZodMiniType<T>): Read<T> {
  return async (response, url) => {
    const body: unknown = await response.json();
    if (accepts(schema, body)) return body;
    throw new ProxyFailure('unreadable', `${url} answered another shape: ${faultOf(schema, body) ?? ''}`);
  };
}

/** The page names itself, and who asks: by a token, or else by whom it takes to be there. */
export function authorized(what: HttpRequest, token: string | undefined, named?: HttpRequest['headers']): HttpRequest {
  const who = token ? { Authorization: `Bearer ${token}` } : named;
  return { ...what, headers: { [REQUESTED_WITH]: WIDGET, ...what.headers, ...who } };
}
