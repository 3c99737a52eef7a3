import { personKey, type ProxySession } from '../access/session.js';
import { ApiError } from './problem-response.js';

/** Batches that the proxy stores at the same time; so many take a fraction of a second. */
export const DEFAULT_MAX_CONCURRENT_BATCHES = 128;

/**
 * Runs at most `max` requests at the same time and rejects further ones at once, with `Retry-After`. An overloaded process
 * without this limit would answer no request in time, because each commit would take longer while more requests wait.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws {ApiError} if `max` requests are running */
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

/** Runs at most `max` requests at the same time. Further ones wait in the order of their arrival. */
export class ConcurrencyQueue {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // A request that ends passes its place to the first waiting one, so a new request cannot overtake it.
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
 * Open event streams. Each holds a connection for minutes and reads every change of its vendor; a page without a stream polls.
 * The total is below the server's limit of connections, so that some are always left for edits. All tabs of a browser share
 * one stream, but a person may use many devices.
 */
export const STREAM_LIMITS: SemaphoreLimits = { total: 4_000, perUser: 50, retryAfterSeconds: 60 };

/**
 * Bytes of request bodies that are being read. A slow client can keep a partial body in memory for a minute, before the limit
 * of batches applies to it, and one person could open every connection. The amount for one person holds dozens of the largest
 * batches, although a page sends one batch after the other.
 */
export const BODY_LIMITS: SemaphoreLimits = { total: 64 * 1024 * 1024, perUser: 8 * 1024 * 1024, retryAfterSeconds: 1 };

/**
 * Reads that are running, or whose long response the client has not read yet. Each may hold a page of a thousand items in
 * memory. A page reads one thing after the other, in a few tabs and on a few devices of one person.
 */
export const READ_LIMITS: SemaphoreLimits = { total: 160, perUser: 16, retryAfterSeconds: 1 };

/** Calendars that are fetched while a request waits for them, which takes seconds. */
export const CALENDAR_LIMITS: SemaphoreLimits = { total: 8, perUser: 1, retryAfterSeconds: 10 };

/** Reads that the outbox works on at the same time. SQLite runs them in the main thread, so an edit waits for at most these. */
export const MAX_RUNNING_READS = 4;

/** Limits how much of a resource each person and all people together hold at the same time. */
export class KeyedSemaphore {
  readonly #limits: SemaphoreLimits;
  readonly #people = new Map<string, number>();
  #acquired = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /**
   * An amount above a limit is granted while the person holds nothing (`perUser`), or while all people hold nothing (`total`).
   *
   * @returns a function that releases the amount; call it once
   * @throws {ApiError} if the rest is too small
   */
  acquire(session: ProxySession, amount = 1): () => void {
    const { total, perUser, retryAfterSeconds } = this.#limits;
    const person = personKey(session);
    const own = this.#people.get(person) ?? 0;
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    if (own > 0 && own + amount > perUser) throw new ApiError('budget_spent', undefined, headers);
    if (this.#acquired > 0 && this.#acquired + amount > total) throw new ApiError('overloaded', undefined, headers);
    this.#add(person, amount);
    return () => {
      this.#add(person, -amount);
    };
  }

  #add(person: string, amount: number): void {
    this.#acquired += amount;
    const own = (this.#people.get(person) ?? 0) + amount;
    if (own > 0) this.#people.set(person, own);
    else this.#people.delete(person);
  }
}
