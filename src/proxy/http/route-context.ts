import type { ConcurrencyLimit, KeyedSemaphore, ConcurrencyQueue } from './concurrency-limit.js';
import type { Clock } from '../runtime/clock.js';
import type { SignOuts } from '../access/ended-sessions.js';
import type { Digest } from '../runtime/hash.js';
import type { Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import type { ItemCatalog } from '../access/item-catalog.js';
import type { CalendarSource } from '../outbox/calendar-feeds.js';
import type { AcceptBatchCommand, Outbox, RevisedItem } from '../outbox/outbox.js';
import type { VendorList } from '../portal/credentials.js';
import type { RateLimits } from './rate-limit.js';
import type { ProxySession } from '../access/session.js';

export type TimestampSettings = Pick<AcceptBatchCommand, 'portalOffset' | 'timestampUnit'>;

/** What a route may use. Before it is called, the session is verified and the request has passed the CSRF guard. */
export interface RouteContext {
  readonly outbox: Outbox;
  readonly signOuts: SignOuts;
  readonly rateLimits: RateLimits;
  readonly batchLimit: ConcurrencyLimit;
  readonly bodySemaphore: KeyedSemaphore;
  readonly readSemaphore: KeyedSemaphore;
  readonly readQueue: ConcurrencyQueue;
  readonly streamSemaphore: KeyedSemaphore;
  /** The changes of each vendor, read once for all event streams of the vendor. */
  readonly feeds: ChangeFeeds;
  readonly limits: { readonly maxBodyBytes: number; readonly maxEdits: number };
  readonly clock: Clock;
  readonly digest: Digest;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly laneOf: (vendor: string) => string;
  /** Whether the portal keeps the ids of this vendor apart from those of others. */
  readonly isIsolated: (vendor: string) => boolean;
  /** The present settings of timestamps for the portal. */
  readonly timestampSettings: () => Promise<TimestampSettings>;
  /** Resolves once the owners of items match the settings. Before that, a new edit could claim the id of another vendor. */
  readonly whenItemsAreAssigned: () => Promise<void>;
  /** Whether the proxy is below its high-water mark. */
  readonly acceptsMore: () => Promise<boolean>;
  /** The operator's list of items, if one is configured. */
  readonly itemCatalog?: ItemCatalog | undefined;
  /** The portal's own lists. */
  readonly portalLists?: PortalListAccess | undefined;
  /** Reads the calendars of vendors; `undefined` if this proxy reads none. */
  readonly calendars?: CalendarSource | undefined;
  readonly calendarReads: KeyedSemaphore;
  /** Wakes the delivery. @param lane the lane with new edits, if it is known */
  readonly wake: (lane?: string) => void;
  /** Wakes the schedule runner after a schedule was added or changed. */
  readonly wakeSchedules: () => void;
  /** Aborts when the proxy stops, which ends the event streams. */
  readonly stopSignal: AbortSignal;
}

/** Implemented by `ListReader` (`listing/list-reader.ts`). */
export interface PortalListAccess {
  /** @returns `undefined` if the profile names no list */
  listOf(vendor: string): VendorList | undefined;
  /** Call it before a page of this vendor reads the inventory. Resolves once the outbox can be read. */
  onPage(vendor: string): Promise<void>;
}

/** Implemented by `VendorFeeds` (`routes/vendor-feeds.ts`). */
export interface ChangeFeeds {
  subscribe(vendor: string, onChange: () => void): ChangeFeed;
}

/** The subscription of one event stream to the changes of its vendor. */
export interface ChangeFeed {
  /** @returns the next changes after this revision, at most `FEED_PAGE` @throws {StorageFailed} */
  read(since: number): Promise<readonly RevisedItem[]>;
  close(): void;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the proxy's root. One segment may be a placeholder in braces; `handle` receives its value. */
  readonly path: string;
  readonly handle: (
    request: Request,
    session: ProxySession,
    context: RouteContext,
    segment: string,
  ) => Promise<Response>;
}
