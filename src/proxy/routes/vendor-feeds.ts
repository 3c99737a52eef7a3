import type { ChangeFeed, ChangeFeeds } from '../http/route-context.js';
import type { Outbox, RevisedItem } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';

/** Interval of polling for changes by other processes. */
export const POLL_INTERVAL_MS = 2_000;
export const FEED_PAGE = 200;

/**
 * One change feed per vendor, shared by all of its event streams. However many pages are open, the outbox is queried once
 * per change, and once every two seconds for changes by other processes.
 */
export class VendorFeeds implements ChangeFeeds {
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #feeds = new Map<string, VendorFeed>();

  constructor(outbox: Outbox, clock: Clock) {
    this.#outbox = outbox;
    this.#clock = clock;
  }

  /** Vendors with an open event stream. */
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
  /** Pages of the current revision by the revision that the reader has, shared among readers. */
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
    // A hint contains nothing that depends on the person, so one page serves all of them.
    const page = this.#outbox.list({ vendor: this.#vendor, subject: '' }, { since, limit: FEED_PAGE });
    pages.set(since, page);
    // This reader gets the error; the next one queries again.
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
    // If the outbox fails, the streams are notified, read, and end with its error.
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
