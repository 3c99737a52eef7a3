import type { Delivery } from '../delivery/delivery.js';
import type { PortalLists, Reading } from '../outbox/portal-lists.js';
import type { PortalAccess, PortalCredentials, VendorList } from '../portal/credentials.js';
import type { PortalListing } from '../portal/profile.js';
import type { Clock } from '../runtime/clock.js';
import { createWarningLimit, type Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import { ListFetcher } from './fetch-list.js';

export interface ListReaderOptions {
  readonly lists: PortalLists;
  /** The credentials of the current settings. */
  readonly portal: () => PortalCredentials;
  readonly delivery: Pick<Delivery, 'takeIdleCall' | 'closeFor'>;
  /** Vendors with an open event stream. */
  readonly streaming: () => Iterable<string>;
  readonly clock: Clock;
  /** Milliseconds since the epoch on a clock that never steps. */
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}

const DAY_MS = 24 * 60 * 60_000;
/**
 * Longest wait between two checks for due lists, because another process may start or stop reading, and edits may be
 * accepted.
 */
const POLL_EVERY_MS = 5 * 60_000;
/** Wait after a storage failure. */
const RETRY_MS = 15_000;
const SHORTEST_WAIT_MS = 1_000;
/** How long a vendor counts as open after a request. A page without a stream polls the inventory every half minute. */
const SEEN_FOR_MS = 2 * 60_000;
/**
 * How long a list is read frequently for edits that the portal has accepted but not confirmed. After that it is read once a
 * day.
 */
const AWAIT_FOR_MS = 60 * 60_000;
/** Time limit of one reading. A longer one is given up, because the rate limit leaves too few calls for it. */
const READING_MS = 10 * 60_000;
/** How long the first page of a vendor waits for the first reading. */
const FIRST_READING_MS = 3_000;
/** Number of lists that are read concurrently. */
const AT_ONCE = 4;

/**
 * Reads the portal's own lists: about once a minute for vendors with an open page and for edits that the portal has only
 * accepted, and once a day for all others. A process claims a list in the outbox before it reads it, and the outbox decides
 * what the list means for the edits. Deliveries have priority: a reading only uses calls that the rate limit leaves over.
 *
 * It deliberately changes nothing at the portal. If the portal has another value than was delivered, a person decides.
 */
export class ListReader {
  readonly #options: ListReaderOptions;
  readonly #levelOf: (kind: string) => 'warn' | 'info';
  /** When a page of the vendor last requested the inventory, on the monotonic clock. */
  readonly #seenAt = new Map<string, number>();
  /** By lane. A fetcher remembers whether the token of its lane may read. */
  #fetchers = new Map<string, ListFetcher>();
  #fetchersOf: PortalCredentials | undefined;
  #cancel: () => void = () => undefined;
  #sleepers = new Set<() => void>();
  #round: Promise<void> | undefined;
  #isAsked = false;
  #isStarted = false;
  #isStopped = false;
  #isForgotten = false;

  constructor(options: ListReaderOptions) {
    this.#options = options;
    this.#levelOf = createWarningLimit(options.clock);
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Resolves when the call in flight has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    for (const awake of [...this.#sleepers]) awake();
    await this.#round;
  }

  /** Checks for due lists now: the settings were read again, or a page was opened. */
  wake(): void {
    if (!this.#isStarted || this.#isStopped) return;
    if (this.#round !== undefined) {
      this.#isAsked = true;
      return;
    }
    this.#cancel();
    this.#round = this.#run().finally(() => (this.#round = undefined));
  }

  listOf(vendor: string): VendorList | undefined {
    return this.#options.portal().listOf(vendor);
  }

  /**
   * Called when a page of this vendor requests the inventory. Waits at most `FIRST_READING_MS`, for the first reading of a
   * list.
   */
  async onPage(vendor: string): Promise<void> {
    const list = this.listOf(vendor);
    if (list === undefined) return;
    const { clock, lists } = this.#options;
    const isNew = !this.#isSeen(vendor);
    this.#seenAt.set(vendor, clock.monotonic());
    if (isNew) this.wake();
    if (!isNew || !this.#isStarted || (await lists.isRead(list.name))) return;
    await Promise.race([this.#round, this.#sleep(FIRST_READING_MS)]);
  }

  async #run(): Promise<void> {
    let waitMs = RETRY_MS;
    try {
      waitMs = await this.#readDue();
    } catch (error) {
      this.#options.log(this.#levelOf('storage'), 'the lists of the portal could not be stored', {
        error: String(error),
      });
    }
    if (this.#isStopped) return;
    const nextMs = this.#isAsked ? SHORTEST_WAIT_MS : Math.max(waitMs, SHORTEST_WAIT_MS);
    this.#isAsked = false;
    this.#cancel = this.#options.clock.after(nextMs, () => {
      this.wake();
    });
  }

  /** @returns milliseconds until the next check */
  async #readDue(): Promise<number> {
    const { lists, portal, now } = this.#options;
    const credentials = portal();
    const { listing } = credentials;
    if (listing === undefined) {
      if (!this.#isForgotten) await lists.forget();
      this.#isForgotten = true;
      return POLL_EVERY_MS;
    }
    this.#isForgotten = false;
    const wanted = new Map<string, readonly [list: VendorList, vendor: string, everyMs: number]>();
    const want = (vendors: Iterable<string>, everyMs: number): void => {
      for (const vendor of vendors) {
        const list = credentials.listOf(vendor);
        if (list !== undefined && !wanted.has(list.name)) wanted.set(list.name, [list, vendor, everyMs]);
      }
    };
    want(this.#watched(), listing.every_seconds * 1000);
    want(await lists.awaitingVendors(now(), AWAIT_FOR_MS), listing.every_seconds * 1000);
    want(await lists.unreadVendors(now(), DAY_MS, (vendor) => credentials.listOf(vendor)?.name), DAY_MS);
    const queue = [...wanted.values()];
    let waitMs = POLL_EVERY_MS;
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && !this.#isStopped; next = queue.shift()) {
        const [list, vendor, everyMs] = next;
        const dueMs = await this.#readIfDue(listing, list, vendor, everyMs);
        waitMs = Math.min(waitMs, dueMs);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return waitMs;
  }

  #watched(): Set<string> {
    for (const vendor of this.#seenAt.keys()) if (!this.#isSeen(vendor)) this.#seenAt.delete(vendor);
    return new Set([...this.#options.streaming(), ...this.#seenAt.keys()]);
  }

  #isSeen(vendor: string): boolean {
    return this.#options.clock.monotonic() - (this.#seenAt.get(vendor) ?? -Infinity) < SEEN_FOR_MS;
  }

  /** @returns milliseconds until the list is due again */
  async #readIfDue(listing: PortalListing, list: VendorList, vendor: string, everyMs: number): Promise<number> {
    const { lists, now } = this.#options;
    const reading = await lists.claim({ name: list.name, now: now(), everyMs, forMs: READING_MS });
    if (typeof reading === 'number') return reading;
    let isStored = false;
    try {
      isStored = await this.#read(reading, listing, list, vendor);
    } finally {
      if (!isStored) await lists.release(reading);
    }
    return everyMs;
  }

  /** @returns whether the list was stored */
  async #read(reading: Reading, listing: PortalListing, list: VendorList, vendor: string): Promise<boolean> {
    const { clock, lists, delivery, now, log, metrics } = this.#options;
    const access = this.#options.portal().accessTo(list.lane);
    const endsAt = now() + READING_MS;
    const answer = await this.#fetcherFor(list.lane, access).fetch(listing, vendor, async () => {
      for (;;) {
        if (this.#isStopped || now() >= endsAt) return false;
        const waitMs = await delivery.takeIdleCall(list.lane, access.clientId);
        if (waitMs <= 0) return true;
        await this.#sleep(waitMs);
      }
    });
    const about = list.vendor === undefined ? {} : { vendor: list.vendor };
    if (answer.kind === 'failed' && answer.afterMs !== undefined) delivery.closeFor(access.clientId, answer.afterMs);
    if (answer.kind !== 'read') {
      if (this.#isStopped) return false;
      metrics.portalListRead('failed');
      const reason = answer.kind === 'failed' ? answer.failure : 'deliveries left no room for it in the pace';
      log(this.#levelOf('read'), 'the list of the portal could not be read', { ...about, reason });
      return false;
    }
    const effect = await lists.store(reading, { ...list, values: answer.values }, Math.floor(clock.wall()));
    if (effect === undefined) return false;
    metrics.portalListRead('read');
    log('debug', 'the list of the portal was read', { ...about, items: answer.values.length });
    if (answer.leftOut > 0) {
      const reason = 'they have no id, or a value that is neither true nor false: see the pointers of listing';
      log(this.#levelOf('entries'), 'entries of the list of the portal were left out', {
        ...about,
        items: answer.leftOut,
        reason,
      });
    }
    if (effect.drifted > 0) {
      metrics.portalDrifted(effect.drifted);
      log('warn', 'the portal has other values than were delivered', { ...about, items: effect.drifted });
    }
    return true;
  }

  #fetcherFor(lane: string, access: PortalAccess): ListFetcher {
    const credentials = this.#options.portal();
    if (credentials !== this.#fetchersOf) this.#fetchers = new Map();
    this.#fetchersOf = credentials;
    const fetcher = this.#fetchers.get(lane) ?? new ListFetcher(access);
    this.#fetchers.set(lane, fetcher);
    return fetcher;
  }

  /** Resolves early when the reader stops. */
  #sleep(milliseconds: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#sleepers.delete(done);
        resolve();
      };
      const cancel = this.#options.clock.after(milliseconds, done);
      this.#sleepers.add(done);
    });
  }
}
