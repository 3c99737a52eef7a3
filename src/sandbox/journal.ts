import type { PortalItem } from '../contract/portal.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import type { FaultName, Faults } from './faults.js';
import { TOKEN_PREFIX } from './tokens.js';

/** Of a token, or an update by this portal's habits; all else is `other`. */
export type RequestKind = 'token' | 'update' | 'other';

/** What is known of a request as soon as its head has come. Names and free text have passed the concealment. */
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

/** What is learnt after that. */
export interface RequestFacts {
  /** Names of the fields of a token request, sorted; its values are never recorded. `null` where it did not parse. */
  readonly fields: readonly string[] | null;
  /** Generation of the token that was issued or, in an update, shown; the token itself is never recorded. */
  readonly token: number | null;
  /** The items exactly as they came; `null` where the body was no inventory update. Says nothing about `applied`. */
  readonly inventory: readonly PortalItem[] | null;
  readonly applied: boolean;
  /** Where the portal answers for each item: those that were not applied though the others were. */
  readonly refused?: readonly ItemId[];
  /** It came under the name of an update that was applied before, and changed nothing. */
  readonly repeated?: boolean;
  readonly fault: FaultName | null;
  /** The status that was answered; `null` while the request is in progress, and for ever if its sender went away. */
  readonly status: number | null;
}

/** One request that the portal received. `seq` counts from 1 in the order of arrival and has no gaps. */
export interface JournalEntry extends RequestHead, RequestFacts {
  readonly seq: number;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** `seq` of the newest entry ever written, 0 where there is none. */
  readonly last: number;
  /** How many of the oldest entries have been let go. They were `1` to `dropped`. */
  readonly dropped: number;
}

/** Two bounds, because an entry is as large as its inventory. */
export interface JournalBounds {
  readonly entries: number;
  readonly items: number;
}

const DEFAULT_BOUNDS: JournalBounds = { entries: 100_000, items: 1_000_000 };

const NOTHING_LEARNT: RequestFacts = {
  fields: null,
  token: null,
  inventory: null,
  applied: false,
  fault: null,
  status: null,
};

/**
 * Everything that the portal ever received, in order. It only grows, and nobody may clear it: an oracle that a test can
 * reset is one that a test can fool. At its bounds it lets the oldest entries go and says how many.
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

  /** Writes the entry before its request is read further. Returns its `seq`. */
  open(head: RequestHead): number {
    this.#last += 1;
    this.#entries.set(this.#last, { seq: this.#last, ...head, ...NOTHING_LEARNT });
    this.#keepBounds();
    return this.#last;
  }

  /** Adds what was learnt. An entry that has been let go meanwhile stays gone. */
  amend(seq: number, facts: Partial<RequestFacts>): void {
    const entry = this.#entries.get(seq);
    if (entry === undefined) return;
    const amended = { ...entry, ...facts };
    this.#items += itemsIn(amended) - itemsIn(entry);
    this.#entries.set(seq, amended);
    this.#keepBounds();
  }

  /** @param seq entries after this one; 0 for all */
  after(seq: number): JournalPage {
    const entries: JournalEntry[] = [];
    for (let next = Math.max(seq, this.#dropped) + 1; next <= this.#last; next += 1) {
      const entry = this.#entries.get(next);
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, last: this.#last, dropped: this.#dropped };
  }

  #keepBounds(): void {
    while (this.#entries.size > this.#bounds.entries || this.#items > this.#bounds.items) {
      this.#dropped += 1;
      const oldest = this.#entries.get(this.#dropped);
      this.#entries.delete(this.#dropped);
      this.#items -= oldest === undefined ? 0 : itemsIn(oldest);
    }
  }
}

function itemsIn(entry: JournalEntry): number {
  return entry.inventory?.length ?? 0;
}

export type Redact = (text: string) => string;

const CONCEALED = '[concealed]';

// One journal entry must not be as large as a sender likes.
const MAX_TEXT_LENGTH = 500;

/**
 * Makes the function that every text which a sender chose freely (path, header names, field names) passes before it is
 * remembered: a client may send its secret in any of them by mistake, and the journal must not be the place that
 * publishes it. Case is ignored because header names arrive in lower case. What is longer than 500 characters is cut.
 * Item ids do not pass here: they are the data that the oracle exists to witness, and are kept exactly as they came.
 */
export function createRedaction(clientSecret: string): Redact {
  const secrets = new RegExp(`${escapePattern(clientSecret)}|${TOKEN_PREFIX}[\\w-]+`, 'giu');
  return (text) => {
    const concealed = text.replace(secrets, CONCEALED);
    const decoded = decodePercent(concealed);
    const shown = decoded.search(secrets) === -1 ? concealed : decoded.replace(secrets, CONCEALED);
    return shown.length > MAX_TEXT_LENGTH ? `${shown.slice(0, MAX_TEXT_LENGTH)}…` : shown;
  };
}

/**
 * Compares in a time that depends on `given` alone, so that answering times tell nothing about the secret.
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

/** What the portal does about a request: the answer, and what the journal is told of it. */
export interface RequestResult {
  readonly response: Response;
  readonly facts: Partial<RequestFacts>;
  /** Called when the answer is out, or nobody is left to hear it. */
  readonly onAnswered?: (() => void) | undefined;
}

/**
 * A request that has come completely. What was seen is recorded even where a fault keeps the portal from deciding: a
 * test of an outage wants to know what was tried.
 */
export interface Reception {
  readonly seen: Partial<RequestFacts>;
  /** Acts and answers, without awaiting anything: two updates can never be applied interleaved. */
  readonly decide: (faults: Faults) => RequestResult;
}
