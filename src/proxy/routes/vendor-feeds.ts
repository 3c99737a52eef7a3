import type { ChangeFeed, ChangeFeeds } from '../http/route-context.js';
import type { Outbox, RevisedItem } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';

/** Between two looks for what other processes changed. */
export const POLL_INTERVAL_MS = 2_000;
export const FEED_PAGE = 200;

/**
 * The changes of each vendor for all of its event streams: however many pages are open, the outbox is asked once for each
 * change, and once in two seconds for what other processes changed.
 */
export class VendorFeeds implements ChangeFeeds {
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #feeds = new Map<string, VendorFeed>();

  constructor(outbox: Outbox, clock: Clock) {
    this.#outbox = outbox;
    this.#clock = clock;
  }

  /** Vendors with an open stream. */
  get vendors(): Iterable<string> {
    return this.#feeds.keys();
  }

  /** @param onChange called when there may be something to read */
  subscribe(vendor: string, onChange: () => void): ChangeFeed {
    const feed = this.#feeds.get(vendor) ?? new VendorFeed(this.#outbox, vendor, this.#clock);
    this.#feeds.set(vendor, feed);
    feed.listeners.add(onChange);
    return {
      read: (since) => feed.read(since),
      close: () => {
        feed.listeners.delete(onChange);
        if (feed.listeners.size > 0) return;
        feed.close();
        if (this.#feeds.get(vendor) === feed) this.#feeds.delete(vendor);
      },
    };
  }
}

class VendorFeed {
  readonly listeners = new Set<() => void>();
  readonly #outbox: Outbox;
  readonly #vendor: string;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  /** Of the present state of the vendor's items, by the revision that each reader has. */
  #pages = new Map<number, Promise<readonly RevisedItem[]>>();
  #revision: number | undefined;
  #cancelPoll: () => void = () => undefined;
  #closed = false;

  constructor(outbox: Outbox, vendor: string, clock: Clock) {
    this.#outbox = outbox;
    this.#vendor = vendor;
    this.#clock = clock;
    this.#unsubscribe = outbox.subscribe((changed) => {
      if (changed === vendor) this.#notify();
    });
    this.#planPoll();
  }

  read(since: number): Promise<readonly RevisedItem[]> {
    const pages = this.#pages;
    const known = pages.get(since);
    if (known !== undefined) return known;
    // A hint names no person, so that the same page serves all of them.
    const page = this.#outbox.list({ vendor: this.#vendor, subject: '' }, { since, limit: FEED_PAGE });
    pages.set(since, page);
    // The reader gets the error; the next one asks again.
    page.catch(() => pages.delete(since));
    return page;
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#cancelPoll();
  }

  #planPoll(): void {
    if (this.#closed) return;
    this.#cancelPoll = this.#clock.after(POLL_INTERVAL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    // Where the outbox fails, the streams read, and end with its error.
    const revision = await this.#outbox.revision(this.#vendor).catch(() => undefined);
    if (revision === undefined || revision !== this.#revision) this.#notify();
    this.#revision = revision;
    this.#planPoll();
  }

  #notify(): void {
    this.#pages = new Map();
    for (const listener of [...this.listeners]) listener();
  }
}
