import type { PortalItem } from '../contract/portal.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import type { FaultName, Faults } from './faults.js';
import { TOKEN_PREFIX } from './tokens.js';

/** A request for a token, an update of the inventory or its list as the variants define them, or any `other` request. */
export type RequestKind = 'token' | 'update' | 'list' | 'other';

/** The facts that the head of a request gives. Names and free text are redacted. */
export interface RequestHead {
  readonly at: Timestamp;
  readonly kind: RequestKind;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Names only, sorted, in lower case. */
  readonly headers: readonly string[];
  readonly content_type: string | null;
  readonly user_agent: string | null;
}

/** The facts that follow from the body and from handling the request. */
export interface RequestFacts {
  /** Names of the fields of a token request, sorted; its values are never recorded. `null` if it did not parse. */
  readonly fields: readonly string[] | null;
  /** Generation of the token that was issued, or that an update used; the token itself is never recorded. */
  readonly token: number | null;
  /** The items exactly as received; `null` if the body was no inventory update. They may or may not be `applied`. */
  readonly inventory: readonly PortalItem[] | null;
  readonly applied: boolean;
  /** The update is applied later, as the variant `applied_after` says. */
  readonly accepted?: boolean;
  /** Items that were rejected while others of the update were applied; only if the portal answers for each item. */
  readonly refused?: readonly ItemId[];
  /** The update repeats the idempotency key of an applied one, and changed nothing. */
  readonly repeated?: boolean;
  readonly fault: FaultName | null;
  /** The status of the response; `null` while the request is in progress, and for ever if the client disconnected. */
  readonly status: number | null;
}

/** One request that the portal received. `seq` counts from 1 in the order of arrival and has no gaps. */
export interface JournalEntry extends RequestHead, RequestFacts {
  readonly seq: number;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** `seq` of the newest entry ever written, 0 if there is none. */
  readonly last: number;
  /** How many of the oldest entries were dropped: the entries `1` to `dropped`. */
  readonly dropped: number;
}

/** The items have a separate limit, because the size of an entry grows with its inventory. */
export interface JournalBounds {
  readonly entries: number;
  readonly items: number;
}

const DEFAULT_BOUNDS: JournalBounds = { entries: 100_000, items: 1_000_000 };

const NO_FACTS: RequestFacts = {
  fields: null,
  token: null,
  inventory: null,
  applied: false,
  fault: null,
  status: null,
};

/**
 * Every request that the portal received, in order. It only grows and cannot be cleared: the tests compare the proxy's
 * claims with it, and a test that could reset it could hide a fault. At its bounds it drops the oldest entries and counts
 * them.
 */
export class Journal {
  readonly #bounds: JournalBounds;
  readonly #entries = new Map<number, JournalEntry>();
  #last = 0;
  #dropped = 0;
  #items = 0;

  constructor(bounds: JournalBounds = DEFAULT_BOUNDS) {
    this.#bounds = bounds;
  }

  /** Writes the entry before the body of its request is read. @returns its `seq` */
  open(head: RequestHead): number {
    this.#last += 1;
    this.#entries.set(this.#last, { seq: this.#last, ...head, ...NO_FACTS });
    this.#dropOldest();
    return this.#last;
  }

  /** Adds facts to an entry, unless it was dropped. */
  amend(seq: number, facts: Partial<RequestFacts>): void {
    const entry = this.#entries.get(seq);
    if (entry === undefined) return;
    const amended = { ...entry, ...facts };
    this.#items += countItems(amended) - countItems(entry);
    this.#entries.set(seq, amended);
    this.#dropOldest();
  }

  /** @param seq the entries after this one are returned; 0 for all */
  after(seq: number): JournalPage {
    const entries: JournalEntry[] = [];
    for (let next = Math.max(seq, this.#dropped) + 1; next <= this.#last; next += 1) {
      const entry = this.#entries.get(next);
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, last: this.#last, dropped: this.#dropped };
  }

  #dropOldest(): void {
    while (this.#entries.size > this.#bounds.entries || this.#items > this.#bounds.items) {
      this.#dropped += 1;
      const oldest = this.#entries.get(this.#dropped);
      this.#entries.delete(this.#dropped);
      this.#items -= oldest === undefined ? 0 : countItems(oldest);
    }
  }
}

function countItems(entry: JournalEntry): number {
  return entry.inventory?.length ?? 0;
}

export type Redact = (text: string) => string;

const REDACTED = '[concealed]';

// Without a limit, a client could make a journal entry of any size.
const MAX_TEXT_LENGTH = 500;

/**
 * Creates the function that redacts every text which a client chooses freely (path, header names, field names) before the
 * journal records it: a client may send its secret in any of them by mistake, and the journal must not publish it. Case
 * is ignored because header names arrive in lower case. Text over 500 characters is cut. Item ids are not redacted: they
 * are the data that tests compare, so the journal records them exactly as received.
 */
export function createRedaction(clientSecret: string): Redact {
  const secrets = new RegExp(`${escapePattern(clientSecret)}|${TOKEN_PREFIX}[\\w-]+`, 'giu');
  return (text) => {
    const redacted = text.replace(secrets, REDACTED);
    const decoded = decodePercent(redacted);
    const safe = decoded.search(secrets) === -1 ? redacted : decoded.replace(secrets, REDACTED);
    return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH)}…` : safe;
  };
}

/**
 * Compares in a time that depends on `given` alone, so that response times reveal nothing about the secret.
 *
 * @param expected must not be empty
 */
export function equalsInConstantTime(given: string, expected: string): boolean {
  const encoder = new TextEncoder();
  const givenBytes = encoder.encode(given);
  const expectedBytes = encoder.encode(expected);
  let difference = givenBytes.length ^ expectedBytes.length;
  givenBytes.forEach((byte, index) => {
    difference |= byte ^ (expectedBytes[index % expectedBytes.length] ?? 0);
  });
  return difference === 0;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How the portal handled a request: the response, and the facts for the journal. */
export interface RequestResult {
  readonly response: Response;
  readonly facts: Partial<RequestFacts>;
  /** Called when the response was sent or the client disconnected. */
  readonly onResponded?: (() => void) | undefined;
}

/**
 * A request that was received completely. The facts in `seen` are recorded even if a fault keeps the portal from deciding,
 * so that a test of an outage sees what the proxy tried.
 */
export interface Reception {
  readonly seen: Partial<RequestFacts>;
  /** Applies the request and answers it synchronously, so that two updates are never applied interleaved. */
  readonly decide: (faults: Faults) => RequestResult;
}
