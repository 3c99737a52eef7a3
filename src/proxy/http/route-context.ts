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

/** What a route may use. It is handed a session that has been proven, and a request that is no forgery. */
export interface RouteContext {
  readonly outbox: Outbox;
  readonly signOuts: SignOuts;
  readonly rateLimits: RateLimits;
  readonly batchLimit: ConcurrencyLimit;
  readonly bodySemaphore: KeyedSemaphore;
  readonly readSemaphore: KeyedSemaphore;
  readonly readQueue: ConcurrencyQueue;
  readonly streamSemaphore: KeyedSemaphore;
  /** What the event streams of a vendor share. */
  readonly feeds: ChangeFeeds;
  readonly limits: { readonly maxBodyBytes: number; readonly maxEdits: number };
  readonly clock: Clock;
  readonly digest: Digest;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly laneOf: (vendor: string) => string;
  /** Whether ids of this vendor never meet those of others at the portal. */
  readonly isIsolated: (vendor: string) => boolean;
  /** How a stamp for the portal is made now. */
  readonly timestampSettings: () => Promise<TimestampSettings>;
  /** Resolves when no new edit can take an item's id from the vendor that had it before the settings changed. */
  readonly whenItemsAreAssigned: () => Promise<void>;
  /** Whether there is room for more. */
  readonly acceptsMore: () => Promise<boolean>;
  /** The operator's list of items, where there is one. */
  readonly itemCatalog?: ItemCatalog | undefined;
  /** The portal's own lists. */
  readonly portalLists?: PortalListAccess | undefined;
  /** Reads the calendars of vendors, where this proxy does. */
  readonly calendars?: CalendarSource | undefined;
  readonly calendarReads: KeyedSemaphore;
  /** Tells delivery that new work may be there. @param lane where it is, where that is known */
  readonly wake: (lane?: string) => void;
  /** A schedule is new or another. */
  readonly wakeSchedules: () => void;
  /** Aborts when the proxy stops: streams end then. */
  readonly stopSignal: AbortSignal;
}

/** As `ListReader` of the listing has it. */
export interface PortalListAccess {
  /** @returns `undefined` where the profile names no list */
  listOf(vendor: string): VendorList | undefined;
  /** A page of this vendor asks for the inventory. Resolves when the answer may be read from the outbox. */
  onPage(vendor: string): Promise<void>;
}

/** As `VendorFeeds` of the routes has it. */
export interface ChangeFeeds {
  subscribe(vendor: string, onChange: () => void): ChangeFeed;
}

/** What one event stream has of the changes of its vendor. */
export interface ChangeFeed {
  /** The next changes after this revision, at most `FEED_PAGE`. @throws {StorageFailed} */
  read(since: number): Promise<readonly RevisedItem[]>;
  close(): void;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the proxy's root. One segment may be a placeholder in braces: its value is handed to `answer`. */
  readonly path: string;
  readonly handle: (
    request: Request,
    session: ProxySession,
    context: RouteContext,
    segment: string,
  ) => Promise<Response>;
}
