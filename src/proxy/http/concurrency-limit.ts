import { personKey, type ProxySession } from '../access/session.js';
import { ApiError } from './problem-response.js';

/** Batches that may be on their way to the disk at once: a fraction of a second's work. */
export const DEFAULT_MAX_CONCURRENT_BATCHES = 128;

/**
 * Lets so many in at once and turns the others away at once, with a word on when to come again. Without it a process that
 * gets more requests than it can answer answers none of them in time: each commit takes longer, and more wait for the next one.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws {ApiError} when the house is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#max) throw new ApiError('overloaded', undefined, { 'Retry-After': '1' });
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }
}

/** Lets so many run at once, and the others wait for their turn in the order in which they came. */
export class ConcurrencyQueue {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // A request that ends hands its turn on, so that a newcomer does not pass those that wait.
    if (this.#running >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

export interface SemaphoreLimits {
  readonly total: number;
  readonly perUser: number;
  /** Seconds, as in `Retry-After`. */
  readonly retryAfterSeconds: number;
}

/**
 * Event streams that are open: each keeps a connection for minutes, and each looks at every change of its vendor. A page
 * without one asks by the clock. Fewer than the connections that our server takes: what is left is for edits, which cannot
 * wait. A browser needs one for all its tabs, and an account may be used on many devices.
 */
export const STREAM_LIMITS: SemaphoreLimits = { total: 4_000, perUser: 50, retryAfterSeconds: 60 };

/**
 * Bytes of bodies that are being read: what has come of one lies in memory, for a minute where it is dripped. It takes
 * no place among the requests that write to the disk, so nothing else bounds how many there are but the connections, of which
 * one person may open all. Dozens of the longest batches for each, where a page sends one after the other.
 */
export const BODY_LIMITS: SemaphoreLimits = { total: 64 * 1024 * 1024, perUser: 8 * 1024 * 1024, retryAfterSeconds: 1 };

/**
 * Reads whose answer is being made, or is long and not read yet: of each, a page of a thousand items may lie in memory. A
 * page reads one thing after the other, in a few tabs and on a few devices of one person.
 */
export const READ_LIMITS: SemaphoreLimits = { total: 160, perUser: 16, retryAfterSeconds: 1 };

/** Calendars that are fetched for the answer to a request, each for seconds. */
export const CALENDAR_LIMITS: SemaphoreLimits = { total: 8, perUser: 1, retryAfterSeconds: 10 };

/** Reads that the outbox works on at once: SQLite does them in the one thread, and an edit waits no longer than for these. */
export const MAX_RUNNING_READS = 4;

/** What all may take at once of something, and each person. */
export class KeyedSemaphore {
  readonly #room: SemaphoreLimits;
  readonly #people = new Map<string, number>();
  #taken = 0;

  constructor(room: SemaphoreLimits) {
    this.#room = room;
  }

  /** @returns gives it back, once @throws {ApiError} where there is too little; alone anybody has what they ask for */
  acquire(session: ProxySession, amount = 1): () => void {
    const { total: all, perUser, retryAfterSeconds: retryAfter } = this.#room;
    const person = personKey(session);
    const own = this.#people.get(person) ?? 0;
    const later = { 'Retry-After': String(retryAfter) };
    if (own > 0 && own + amount > perUser) throw new ApiError('budget_spent', undefined, later);
    if (this.#taken > 0 && this.#taken + amount > all) throw new ApiError('overloaded', undefined, later);
    this.#add(person, amount);
    return () => {
      this.#add(person, -amount);
    };
  }

  #add(person: string, amount: number): void {
    this.#taken += amount;
    const own = (this.#people.get(person) ?? 0) + amount;
    if (own > 0) this.#people.set(person, own);
    else this.#people.delete(person);
  }
}
