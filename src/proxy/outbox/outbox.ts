import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { ChangeSetSummary, HistoryEntry } from '../../contract/history.js';
import type { Receipt } from '../../contract/widget.js';
import type { PortalItem } from '../../contract/portal.js';
import type {
  AcceptBatchCommand,
  AcceptResult,
  Decided,
  Decision,
  ListAssignment,
  ListedOwners,
  Revert,
  Reverted,
} from './commands.js';
import type { PortalLists } from './portal-lists.js';
import type { CalendarFeeds, Schedules } from './schedules.js';
import type { HistoryFilter, HistoryPage, ListPage, RevisedItem, WaitingEdit, WaitingPage } from './outbox-pages.js';

export type {
  AcceptBatchCommand,
  AcceptResult,
  AcceptedEdit,
  Decided,
  Decision,
  ListAssignment,
  ListedOwners,
  ListOwnership,
  NewEdit,
  Revert,
  Reverted,
} from './commands.js';
export type {
  HistoryFilter,
  HistoryPage,
  ItemSelection,
  ListPage,
  RevisedItem,
  WaitingEdit,
  WaitingPage,
} from './outbox-pages.js';

/**
 * The outbox stores accepted edits until the portal has them.
 *
 * Its promises:
 *
 * - An edit is durable before `accept` resolves.
 * - An edit is in exactly one state, and accepted edits never disappear.
 * - Edits of one item are sent in the order of their acceptance, one attempt at a time. An attempt is durable before
 *   its first byte is sent, so that after a crash it is known what the portal may have received.
 * - The timestamp for the portal is made here, in the transaction of acceptance. It strictly increases for each item
 *   and stays the same on every resend.
 * - Delivery works under a lease of a lane (all edits that one credential delivers). A lease has a fencing token: a
 *   worker that lost its lease cannot write any more.
 *
 * An item belongs to a vendor: two vendors may each have an item with the same id, and neither learns of the other's.
 * Within a lane an id belongs to one vendor, the first to use it there, because edits of one lane reach the portal with
 * nothing but their ids.
 *
 * A vendor cannot learn anything about other vendors: its edits have their own numbers, 1, 2, 3 and so on (`seq` of a
 * receipt and of the history), and so have the changes of its items (`revision`). The gaps in a shared number would
 * show how active other vendors are. Only delivery and the operator see a shared number (`OpenEdit.seq`,
 * `WaitingEdit.seq`).
 *
 * The outbox deliberately knows neither HTTP nor the portal nor permissions. Every call may throw
 * {@link StorageFailed}. Times are milliseconds since the epoch and are passed in as arguments.
 */
export interface Outbox {
  accept(batch: AcceptBatchCommand): Promise<AcceptResult>;
  /**
   * Sets the items of a change set back, except those that have changed since, in one transaction. The edits are accepted
   * as in `accept`: a repeated idempotency key creates no edits and returns the receipts of the first request.
   */
  revert(command: Revert): Promise<Reverted>;
  /** A person's or an operator's decision on one edit. */
  decide(decision: Decision): Promise<Decided>;

  /** Receipts of one vendor's edits, in the order of the ids; unknown ids are left out. */
  receipts(viewer: Viewer, editIds: readonly EditId[]): Promise<Receipt[]>;
  /**
   * One vendor's items, each with its newest edit that is neither superseded nor discarded. An item without such an
   * edit appears only in a list of changes (`since`).
   */
  list(viewer: Viewer, page: ListPage): Promise<RevisedItem[]>;
  /** The newest revision of any item of this vendor; 0 if there is none. */
  revision(vendor: string): Promise<number>;
  /** One vendor's edits, newest first. */
  history(vendor: string, page: HistoryPage): Promise<HistoryEntry[]>;
  /**
   * The `seq` at which a scan of a vendor's newest `count` edits before that `seq` ends, so that a filter that few edits
   * match does not scan the whole history in one query; `undefined` if the scan reaches the oldest edit.
   */
  historyStart(vendor: string, before: number | undefined, count: number): Promise<number | undefined>;
  /** Summarizes the matching edits of a vendor. */
  summarizeHistory(vendor: string, filter: HistoryFilter): Promise<ChangeSetSummary>;
  /** The operator's view of all vendors, oldest first: edits that are not settled, or need a decision. */
  waiting(page: WaitingPage): Promise<WaitingEdit[]>;
  count(): Promise<OutboxCount>;
  /** An estimate of the bytes that `received` edits take. It takes the same time however many there are. */
  waitingBytes(): Promise<number>;
  /** How many lanes with pending work are held, by reason. */
  heldLanes(): Promise<ReadonlyMap<string, number>>;
  /**
   * Calls the listener with each vendor whose edits changed in this process or, if the store can tell, in another one
   * (`elsewhere`: more edits may be due). Notifications are hints: a missed change shows in `list`.
   */
  subscribe(listener: (vendor: string, elsewhere?: boolean) => void): () => void;

  /**
   * Makes each edit due now that would wait for longer than `maxDelayMs`: a clock that has been set back since, or the
   * fast clock of another machine, set its time. An uncertain outcome is limited to the time in which any call may
   * still arrive; otherwise its newest value would become due again and again until the clock has caught up.
   */
  capDelays(now: number, maxDelayMs: number): Promise<void>;
  /**
   * Makes lanes due now that are held because of a credential that is no longer active, or that pause because calls to a
   * portal at another address failed.
   */
  retryHeld(now: number, present: PresentPortal): Promise<void>;
  /**
   * After a change of settings, moves items and waiting edits (except open attempts) into the present lane of their
   * vendor. If two vendors have the same id there, it stays with the vendor that has it in this lane, or that used it
   * first. The edits of the other are not sent any more: those that wait are refused as `item_unknown` and wait for a
   * person.
   *
   * @param now on the clock of acceptance
   * @param onItemsMoved called when no new edit can take an id from the vendor that owns it; waiting edits are moved
   * after that
   */
  moveLanes(laneOf: LaneOf, now: number, onItemsMoved?: () => void): Promise<void>;
  /**
   * Assigns ids of this lane to vendors by the operator's lists. Another vendor that owns such an id loses it: its
   * waiting edits are refused, as in `moveLanes`. An edit that is being sent may come back: before it is sent again,
   * its owner has to use the id, or it has to be assigned again.
   *
   * @param now on the clock of acceptance
   */
  assignOwner(lane: string, items: readonly OwnedItem[], now: number): Promise<void>;
  /**
   * Stores the ids of the operator's list of a vendor, and replaces the previous ones.
   *
   * @returns for each id that another list has too, or that was removed from this one, the vendors whose lists have it
   */
  recordList(vendor: string, ids: readonly ItemId[]): Promise<ListedOwners>;
  /**
   * Assigns to a vendor, as `assignOwner` does, the ids that its list was the first to name and that another vendor has
   * in the lane. If the portal may have a value of the other vendor, the delivered value of the owner is accepted
   * again.
   *
   * @returns the ids that changed their vendor
   */
  assignListed(assignment: ListAssignment): Promise<readonly ItemId[]>;
  /**
   * Ends a vendor's ownership of an id, by first use or by a list; its waiting edits are refused, as in `moveLanes`.
   *
   * @returns whether the vendor owned it
   */
  releaseItem(vendor: string, id: ItemId, now: number): Promise<boolean>;
  /**
   * Leases lanes that have due work for `leaseMs`. Attempts that an earlier holder left open have an unknown outcome:
   * their edits are due again, and the outcome of their items is uncertain for `uncertainMs`.
   */
  leaseLanes(want: LeaseRequest, max: number): Promise<readonly Lease[]>;
  /**
   * The edits that may be sent now, in sending order: at most one of an item, and none whose older edit still waits.
   */
  due(lease: Lease, now: number, max: number): Promise<readonly OpenEdit[]>;
  /**
   * Stores an open attempt and renews the lease. It leaves out edits that were superseded or discarded since `due`, and
   * refuses, as `moveLanes` does, edits of an id that another vendor owns in the lane by now. Edits of an open attempt
   * may be opened again in parts, when a batch is split.
   */
  beginAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]>;
  /** @param patch a change of the lane in the same transaction; absent fields stay as they are */
  recordOutcomes(
    lease: Lease,
    attemptOutcomes: readonly AttemptOutcome[],
    now: number,
    patch?: LanePatch,
  ): Promise<void>;
  /** Delays the queued edits of these vendors, except one. */
  postpone(lease: Lease, postponed: Postponed, now: number): Promise<void>;
  /** Makes wrongly rejected edits due again, unless a newer edit of the item exists. */
  reopen(lease: Lease, edits: readonly RejectedEdit[], reason: string, now: number): Promise<void>;
  /** Releases the lane and stores the state for its next holder. During a `rest` no worker leases it. */
  releaseLease(lease: Lease, state: LaneState, rest?: Cooldown): Promise<void>;
  /**
   * Reserves the next call of a client at the portal. The rate limit counts the calls of all processes that share the
   * store.
   *
   * @returns milliseconds until the call may be sent; if they are more than `maxWaitMs`, nothing is reserved
   */
  reserveCall(call: CallRequest): Promise<number>;
  /**
   * Marks accepted edits as delivered when the time that the portal may take is over.
   *
   * @param wall the time shown to people
   */
  confirmAccepted(now: number, wall: number): Promise<void>;
  /** When the next lane has work, or the next edit is confirmed. */
  nextDueAt(): Promise<number | undefined>;

  /**
   * The stored offset of the portal's clock from the caller's, whose time is `now`, in milliseconds; `undefined` if
   * none is stored. Machines that share a store may have different clocks: each gets the offset from its own.
   */
  portalOffset(now: number): Promise<number | undefined>;
  storePortalOffset(offset: number, now: number): Promise<void>;

  /** Schedules that the proxy executes: closings of items for a time. */
  readonly schedules: Schedules;
  /** The calendars that some of these schedules read. */
  readonly calendarFeeds: CalendarFeeds;
  /** The portal's own lists of items. */
  readonly portalLists: PortalLists;

  /** Deletes settled edits and old keys, but never the newest edit of an item. Returns the number of deleted rows. */
  prune(before: { readonly settled: number; readonly keys: number }): Promise<number>;
  close(): Promise<void>;
}

/** Who reads a vendor's edits. `by` of a receipt names the author if that is another person. A session is a viewer. */
export interface Viewer {
  readonly vendor: string;
  readonly subject: string;
}

/** Counts of edits. `accepted` is the sum of the others. */
export interface OutboxCount {
  readonly accepted: number;
  readonly received: number;
  readonly delivered: number;
  readonly parked: number;
  readonly superseded: number;
  readonly discarded: number;
  readonly pruned: number;
  /** When the oldest waiting edit was accepted. */
  readonly oldestWaiting?: number | undefined;
}

/** The lane of a vendor's edits. */
export type LaneOf = (vendor: string) => string;

export interface OwnedItem {
  readonly id: ItemId;
  readonly vendor: string;
  /** A vendor that has waiting edits of this id, if known; it may not own the id any more. */
  readonly from?: string | undefined;
}

export interface LeaseRequest {
  readonly now: number;
  readonly leaseMs: number;
  readonly uncertainMs: number;
}

export interface CallRequest {
  /** The client id at the portal. */
  readonly client: string;
  readonly now: number;
  /** The interval between two calls. */
  readonly intervalMs: number;
  readonly maxWaitMs: number;
}

export interface Cooldown {
  readonly now: number;
  readonly forMs: number;
}

/** What the holder of a lane stores for the next holder. */
export interface LaneState {
  /** Why only trial calls are sent until a setting is changed. */
  readonly held?: string | undefined;
  /** Failures in a row. */
  readonly failures: number;
  readonly notBefore: number;
  /**
   * Fingerprint of the credential that last had a 2xx. With the mark `unproven`: of one that never had a 2xx, in a lane
   * that is held or fails. It starts with the address of the portal, followed by a blank.
   */
  readonly verifiedCredential?: string | undefined;
  readonly rejections?: Rejections | undefined;
}

/**
 * The part of the state that is stored during a run, for the case that the holder is killed before it releases the
 * lane.
 */
export type LanePatch = Partial<Pick<LaneState, 'notBefore' | 'verifiedCredential' | 'rejections'>>;

/** The fingerprints of the present settings, as in {@link LaneState.verifiedCredential}, and the portal's address. */
export interface PresentPortal {
  readonly credentials: readonly string[];
  readonly baseUrl: string;
}

export interface Lease {
  readonly lane: string;
  readonly fence: number;
  readonly state: LaneState;
  readonly want: LeaseRequest;
}

export interface OpenEdit extends PortalItem {
  /** The number among the edits of all vendors. */
  readonly seq: number;
  readonly vendor: string;
  /** Attempts so far; after `beginAttempt`, including that one. */
  readonly attempts: number;
  /** Delivered before, and resent because an older edit may have arrived later. */
  readonly isResend: boolean;
  /**
   * An older edit of the item may still arrive, or may have arrived: the portal has to apply each call with this edit.
   */
  readonly followsUncertain: boolean;
}

/** The outcome of an attempt for one edit. `settledAt`: the time shown to people, on the clock of acceptance. */
export type AttemptOutcome = { readonly edit: OpenEdit } & (
  | { readonly kind: 'delivered'; readonly settledAt?: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly settledAt?: number }
  /**
   * The portal has accepted the edit and processes it later. It counts as delivered from `confirmAt` on; `Infinity`:
   * never.
   */
  | { readonly kind: 'accepted'; readonly confirmAt: number; readonly settledAt?: number }
  /**
   * `uncertain`: the portal may have applied the edit, or still may; `answered`: it has responded, so the call cannot
   * arrive any more. Without a reason the edit only waits for its turn.
   */
  | {
      readonly kind: 'waiting';
      readonly reason?: string | undefined;
      readonly dueAt: number;
      readonly uncertain: boolean | 'answered';
    }
);

/**
 * The reason of a `received` edit that the portal has accepted and may not have processed yet. It is not sent again.
 */
export const PORTAL_CONFIRMS = 'portal_confirms';

/** The storage failed. The call may have had no effect, and may be repeated. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

/** Another worker holds the lease of the lane now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly lane: string;

  constructor(lane: string) {
    super(`lane ${lane} was taken over`);
    this.lane = lane;
  }
}

export interface Postponed {
  readonly vendors: readonly string[];
  readonly until: number;
  /** The `seq` of the edit that stays queued. */
  readonly except?: number | undefined;
}

export interface RejectedEdit {
  readonly seq: number;
  readonly vendor: string;
  readonly id: ItemId;
}

/** The rejections of a lane since an edit passed. They are stored with the lane for its next holder. */
export interface Rejections {
  /** The code of the latest rejections in a row. */
  readonly code: string;
  /** One edit for each item. */
  readonly edits: readonly RejectedEdit[];
  /** Rejected wrongly and not reopened yet: the storage or the process may fail in between. */
  readonly wronglyRejected: readonly RejectedEdit[];
  /**
   * Vendors whose edits were rejected in a row and none of whose edits has passed since: their edits are sent one at a
   * time, of each vendor in turn. The one that was tried last comes last.
   */
  readonly suspects?: readonly string[];
  /** When the next edit of a suspect may be sent. */
  readonly trialAt?: number;
}
