import { hostItem } from '../../contract/host-items.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import {
  classify,
  isTruncated,
  resolvePointer,
  summarize,
  unexpectedContentType,
  type PortalResponse,
} from '../portal/answer.js';
import { describeFailure } from '../portal/call-errors.js';
import type { PortalAccess } from '../portal/credentials.js';
import { send } from '../portal/portal-client.js';
import type { PortalListing } from '../portal/profile.js';
import { limitCode } from '../portal/read-answer.js';
import { requestedDelay } from '../portal/retry-after.js';
import { redactSecrets } from '../runtime/secret.js';
import { parseUntrustedJson } from '../runtime/untrusted-json.js';

/** One item as the portal lists it. */
export interface PortalValue {
  readonly id: ItemId;
  readonly available?: boolean | undefined;
  readonly updated_at?: Timestamp | undefined;
  readonly label?: string | undefined;
}

/**
 * `afterMs`: wait that the portal asks for before the next call. `failure` is for the log and quotes at most an error code.
 */
export type ListAnswer =
  | { readonly kind: 'read'; readonly values: readonly PortalValue[]; readonly leftOut: number }
  /** The time for this reading is over, or the proxy stops. */
  | { readonly kind: 'given up' }
  | { readonly kind: 'failed'; readonly failure: string; readonly afterMs?: number | undefined };

/**
 * Limits over all pages. A longer list fails as a whole: in a partial list, the missing items would seem absent from the
 * portal.
 */
const MAX_ITEMS = 100_000;
const MAX_PAGES = 2_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_CURSOR_LENGTH = 2_000;

class ListFailed extends Error {
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/**
 * Reads the portal's own list page by page, with the token of its lane. It does not retry: the next scheduled reading is
 * the next attempt.
 *
 * The token only goes to the portal's own address: a `Link` to another address is a failure, as is a redirect. Entries that
 * are not items are skipped; an entry without a value is an item with an unknown value.
 */
export class ListFetcher {
  readonly #access: PortalAccess;
  /** Generation of the fresh token that the portal did not accept for its list. */
  #refusedToken: number | undefined;

  constructor(access: PortalAccess) {
    this.#access = access;
  }

  /**
   * Never rejects.
   *
   * @param acquireCall awaited before each page; resolves when the rate limit allows a call, or with `false` to give up
   */
  async fetch(listing: PortalListing, vendor: string, acquireCall: () => Promise<boolean>): Promise<ListAnswer> {
    // Percent-encoding keeps a vendor's name within its path segment, except for these two names.
    if (vendor === '.' || vendor === '..') return { kind: 'failed', failure: 'a vendor of this name has no path' };
    const pages = new Pages(listing, vendor, this.#access.calls.baseUrl);
    try {
      while (pages.next !== undefined) {
        if (!(await acquireCall())) return { kind: 'given up' };
        pages.add(await this.#call(pages.next, listing));
      }
      return { kind: 'read', values: [...pages.values.values()], leftOut: pages.leftOut };
    } catch (error) {
      const failure = error instanceof ListFailed ? error.message : describeFailure(error);
      const afterMs = error instanceof ListFailed ? error.afterMs : undefined;
      const { secrets } = this.#access;
      return { kind: 'failed', failure: redactSecrets(failure, secrets), ...(afterMs !== undefined && { afterMs }) };
    }
  }

  /**
   * Retries once with a new token if the portal rejects the first one, unless a new token did not help at an earlier
   * reading.
   */
  async #call(path: string, listing: PortalListing): Promise<PortalResponse> {
    const { calls, tokens } = this.#access;
    const { authorization } = calls.profile;
    for (let renewals = 0; ; renewals += 1) {
      const token = await tokens.get();
      const answer = await send(calls, path, listing.method, {
        headers: {
          ...(listing.method === 'POST' && { 'Content-Type': 'application/json' }),
          ...listing.headers,
          [authorization.header]: authorization.prefix + token.value.reveal(),
        },
        ...(listing.method === 'POST' && { body: '{}' }),
      });
      if (classify(answer.status, calls.profile) !== 'credentials') {
        this.#refusedToken = undefined;
        return answer;
      }
      if (renewals > 0) this.#refusedToken = token.generation;
      // A token may be valid for delivery but not for reading. It must not be discarded at each reading.
      if (this.#refusedToken !== undefined) throw failedBy(answer);
      tokens.invalidate(token.generation);
    }
  }
}

function failedBy(answer: PortalResponse): ListFailed {
  const isBusy = answer.status === 429 || answer.status === 503;
  const type = limitCode(unexpectedContentType(summarize(answer)));
  return new ListFailed(`the portal answered ${String(answer.status)}${type}`, requestedDelay({ ...answer, isBusy }));
}

/** The pages of one reading so far, and the path of the next page. */
class Pages {
  readonly values = new Map<ItemId, PortalValue>();
  leftOut = 0;
  /** Path below the base address; `undefined` after the last page. */
  next: string | undefined;
  readonly #listing: PortalListing;
  readonly #baseUrl: string;
  readonly #first: string;
  readonly #asked = new Set<string>();
  #pages = 0;
  #characters = 0;

  constructor(listing: PortalListing, vendor: string, baseUrl: string) {
    this.#listing = listing;
    this.#baseUrl = new URL(baseUrl).href.replace(/\/+$/, '');
    this.#first = listing.path.replaceAll('{vendor}', encodeURIComponent(vendor));
    this.next = listing.paging === 'page' ? this.#withParameter(String(listing.first_page)) : this.#first;
  }

  /** @throws {ListFailed} */
  add(answer: PortalResponse): void {
    const { items: pointer, paging } = this.#listing;
    // Some portals answer 404 after the last page.
    if (paging === 'page' && this.#pages > 0 && answer.status === 404) return this.#end();
    if (answer.status < 200 || answer.status > 299) throw failedBy(answer);
    if (isTruncated(answer)) throw new ListFailed('the answer ends in the middle');
    const body = parseUntrustedJson(answer.text);
    const entries = body === undefined ? undefined : resolvePointer(body, pointer);
    if (!Array.isArray(entries)) {
      throw new ListFailed(`no array at listing.items (${pointer === '' ? 'the whole answer' : pointer})`);
    }
    this.#characters += answer.text.length;
    this.#pages += 1;
    const before = this.values.size;
    for (const entry of entries) this.#addEntry(entry);
    if (this.values.size > MAX_ITEMS) throw new ListFailed(`the list has more than ${String(MAX_ITEMS)} items`);
    if (this.#characters > MAX_CHARACTERS) throw new ListFailed('the list has more than 64 MiB');
    this.#turn(answer, body, this.values.size > before);
  }

  #addEntry(entry: unknown): void {
    const { id, available, updated_at, label } = this.#listing;
    const item = hostItem.safeParse({
      id: resolvePointer(entry, id),
      available: resolvePointer(entry, available),
      updated_at: resolvePointer(entry, updated_at),
      ...(label !== undefined && { label: resolvePointer(entry, label) }),
    });
    if (!item.success) {
      this.leftOut += 1;
      return;
    }
    const { data } = item;
    // The first entry of an id wins, as in every list of items.
    if (this.values.has(data.id)) return;
    this.values.set(data.id, {
      id: data.id,
      ...(typeof data.available === 'boolean' && { available: data.available }),
      ...(typeof data.updated_at === 'string' && { updated_at: data.updated_at }),
      ...(typeof data.label === 'string' && { label: data.label }),
    });
  }

  /** @param hasNew whether the page had an item that no earlier page had */
  #turn(answer: PortalResponse, body: unknown, hasNew: boolean): void {
    const path = this.next ?? '';
    switch (this.#listing.paging) {
      case 'none':
        return this.#end();
      case 'page':
        // A portal that repeats its last page for every higher page number would never come to an end.
        if (!hasNew) return this.#end();
        this.next = this.#withParameter(String(this.#listing.first_page + this.#pages));
        break;
      case 'cursor': {
        const cursor = resolvePointer(body, this.#listing.cursor) ?? '';
        if (cursor === '' || cursor === false) return this.#end();
        const isCursor = typeof cursor === 'string' || typeof cursor === 'number';
        if (!isCursor || String(cursor).length > MAX_CURSOR_LENGTH) throw new ListFailed('no cursor at listing.cursor');
        this.next = this.#withParameter(String(cursor));
        break;
      }
      case 'link': {
        const target = findNextLink(answer.headers.get('Link') ?? '');
        if (target === undefined) return this.#end();
        this.next = this.#below(target, path);
        break;
      }
    }
    this.#asked.add(path);
    if (this.#asked.has(this.next)) throw new ListFailed('a page names one before it as the next');
    if (this.#pages === MAX_PAGES) throw new ListFailed(`the list has more than ${String(MAX_PAGES)} pages`);
  }

  #end(): void {
    this.next = undefined;
  }

  #withParameter(value: string): string {
    const { paging, parameter = paging } = this.#listing;
    const [path = '', query = ''] = splitOnce(this.#first, '?');
    const parameters = new URLSearchParams(query);
    parameters.set(parameter, value);
    return `${path}?${parameters.toString()}`;
  }

  /** @throws {ListFailed} if the page is not below the portal's address, because the token must not be sent elsewhere */
  #below(target: string, path: string): string {
    const url = URL.canParse(target, this.#baseUrl + path) ? new URL(target, this.#baseUrl + path) : undefined;
    if (url !== undefined) url.hash = '';
    if (url?.href.startsWith(`${this.#baseUrl}/`) !== true || url.href.length > 2 * MAX_CURSOR_LENGTH) {
      throw new ListFailed('the next page is at another address than PORTAL_BASE_URL');
    }
    return url.href.slice(this.#baseUrl.length);
  }
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** One link of the `Link` header: its target and its parameters (RFC 8288 section 3). */
const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))/i;

/** @returns the target of the first link with the relation `next`; `undefined` without one */
export function findNextLink(header: string): string | undefined {
  // Longer than any server sends. The limit bounds the time for matching.
  for (const [, target, parameters = ''] of header.slice(0, 16_384).matchAll(LINK)) {
    const [, quoted, plain] = RELATION.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target;
  }
  return undefined;
}
