import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { HistoryEntry } from '../../contract/history.js';
import type { Receipt } from '../../contract/widget.js';
import type { PortalItem } from '../../contract/portal.js';
import type { Acceptance, Accepted, Decided, Decision, ListAssignment, ListedOwners } from './commands.js';
import type { PortalLists } from './portal-lists.js';
import type { Schedules } from './schedules.js';
import type { HistoryPage, ListPage, RevisedItem, WaitingEdit, WaitingPage } from './outbox-pages.js';

export type {
  Acceptance,
  Accepted,
  AcceptedEdit,
  Decided,
  Decision,
  ListAssignment,
  ListedOwners,
  ListOwnership,
  NewWish,
} from './commands.js';
export type { HistoryPage, ItemSelection, ListPage, RevisedItem, WaitingEdit, WaitingPage } from './outbox-pages.js';

/**
 * The outbox: where an accepted edit lives until the portal has it.
 *
 * Its promises:
 *
 * - What `accept` resolved for is on the disk: it is written first and answered afterwards.
 * - An edit is in exactly one state, and accepted edits never disappear.
 * - Edits of one item leave in the order of their acceptance, one attempt at a time; an attempt is on the disk before
 *   its first byte leaves, so that a crash leaves a trace of what the portal may have seen.
 * - The stamp for the portal is taken here, in the transaction of acceptance, strictly increasing per item and kept on
 *   every resend.
 * - Delivery works under a lease of a lane (all edits that one credential delivers). A lease carries a fencing
 *   token: a worker that lost the lease changes nothing any more.
 *
 * An item belongs to a vendor: two vendors may have one of the same id, and neither learns of the other's. Only within a lane an
 * id belongs to one vendor, the first to use it there: edits of one lane meet at the portal under their ids alone.
 *
 * What a vendor reads tells nothing of another: each vendor's edits have numbers of their own, 1, 2, 3 and so on (`seq` of
 * a receipt and of the history), and so have the changes of its items (`revision`). A number over all vendors would show
 * by its gaps how much the others do. Only delivery and the operator see one (`OpenEdit.seq`, `WaitingEdit.seq`).
 *
 * It deliberately knows neither HTTP nor the portal nor permissions. Every call may throw {@link StorageFailed}.
 * Times are milliseconds since the epoch, and come in as arguments.
 */
export interface Outbox {
  accept(batch: Acceptance): Promise<Accepted>;
  /** A person's or an operator's decision on one edit. */
  decide(decision: Decision): Promise<Decided>;

  /** Receipts of one vendor's edits, in the order asked; unknown ids are left out. */
  receipts(asker: Asker, editIds: readonly EditId[]): Promise<Receipt[]>;
  /**
   * One vendor's items, each with its newest edit that counts. An item without one is listed among the changes and in no other
   * list.
   */
  list(asker: Asker, page: ListPage): Promise<RevisedItem[]>;
  /** The newest revision of any item of this vendor; 0 where there is none. */
  revision(vendor: string): Promise<number>;
  /** One vendor's edits, newest first. */
  history(vendor: string, page: HistoryPage): Promise<HistoryEntry[]>;
  /** The operator's view over all vendors, oldest first: what is not settled, or needs a person. */
  waiting(page: WaitingPage): Promise<WaitingEdit[]>;
  count(): Promise<OutboxCount>;
  /** About how many bytes the edits take that are `received`, whatever their number in the same time. */
  waitingBytes(): Promise<number>;
  /** How many lanes with anything to do are held, by reason. */
  heldLanes(): Promise<ReadonlyMap<string, number>>;
  /**
   * Calls the listener with each vendor whose edits this process changed and, where the store can tell, another process
   * (`elsewhere`: more may be due). These are hints: a change that is missed shows in `list`.
   */
  subscribe(listener: (vendor: string, elsewhere?: boolean) => void): () => void;

  /**
   * Makes each edit that waits for longer than `longestMs` from now due now: its time was set by a clock that has been set back
   * since, or by that of another machine, which is ahead. No outcome stays uncertain for longer than any call may take to
   * arrive: its newest value would be due again each time, until the clock comes to where it was.
   */
  capDelays(now: number, longestMs: number): Promise<void>;
  /**
   * Lanes that are held for a credential that is none of the present ones may be tried now, and so may those that pause because
   * calls to another portal failed.
   */
  retryHeld(now: number, present: PresentPortal): Promise<void>;
  /**
   * After a change of settings, puts items and waiting edits, but for open attempts, into the lane that their vendor has now.
   * Where two vendors meet there with one id, it stays with the one that had it in this lane, or was first to use it at all.
   * Edits of the other are sent no more: those that wait are refused as `item_unknown`, and wait for a person.
   *
   * @param now on the clock of acceptance
   * @param itemsAreIn called once no new edit can take an id from the vendor that had it; waiting edits are moved after that
   */
  moveLanes(laneOf: LaneOf, now: number, itemsAreIn?: () => void): Promise<void>;
  /**
   * Assigns ids of this lane to vendors, as the operator says. Another vendor that has such an id gives it up there: its waiting
   * edits are refused, as in `moveLanes`. An edit that is at the portal just now may come back: before it is sent again the id
   * has to be used by its owner, or assigned once more.
   *
   * @param now on the clock of acceptance
   */
  giveItems(lane: string, items: readonly OwnedItem[], now: number): Promise<void>;
  /**
   * Stores which ids the operator's list of a vendor names, in place of those that it named before.
   *
   * @returns of each id that another list names as well, or that this one names no more, the vendors whose lists name it
   */
  recordList(vendor: string, ids: readonly ItemId[]): Promise<ListedOwners>;
  /**
   * Assigns to a vendor, as `giveItems` does, the ids that its list names first and that another vendor has in its lane. Where
   * a value of the other may be at the portal, the delivered value of the owner is accepted once more.
   *
   * @returns the ids that changed their vendor
   */
  assignListed(assignment: ListAssignment): Promise<readonly ItemId[]>;
  /**
   * Ends the claim of a vendor on an id, by first use or by a list; its waiting edits are refused, as in `moveLanes`.
   *
   * @returns whether there was one
   */
  releaseItem(vendor: string, id: ItemId, now: number): Promise<boolean>;
  /**
   * Leases lanes that have due work, for as long as `leaseMs`. Attempts that an earlier holder left open have an unknown
   * outcome: their edits are due again, and the outcome of their items is uncertain for `unsureMs`.
   */
  leaseLanes(want: LaneWanted, most: number): Promise<readonly Lease[]>;
  /** The edits that may leave now, in sending order: at most one of an item, none whose older edit still waits. */
  due(lease: Lease, now: number, most: number): Promise<readonly OpenEdit[]>;
  /**
   * Opens a durable attempt and renews the lease. Leaves out edits that were superseded or discarded since `due`, and refuses,
   * as `moveLanes` does, those of an id that is another vendor's in the lane by now. Edits of an open attempt may be opened
   * again in parts: a batch that is split.
   */
  beginAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]>;
  /** @param note of the lane, in the same transaction; fields that it leaves out stay as they are */
  settle(lease: Lease, settlements: readonly Settlement[], now: number, note?: LaneNote): Promise<void>;
  /** Lets the queued edits of these vendors wait until then, but for one. */
  postpone(lease: Lease, postponed: Postponed, now: number): Promise<void>;
  /** Makes edits due again that were parked wrongly, unless a newer edit has taken their place. */
  reopen(lease: Lease, edits: readonly RefusedEdit[], reason: string, now: number): Promise<void>;
  /**
   * Gives the lane back, and notes what its next holder has to know. While it rests it is leased to no worker.
   */
  releaseLease(lease: Lease, state: LaneState, rest?: LaneRest): Promise<void>;
  /**
   * Reserves the next call of a client at the portal, for all processes that share the store: their calls together keep to its
   * pace.
   *
   * @returns milliseconds until the call may leave; where they are more than `mostMs`, nothing is reserved
   */
  reserveCall(call: CallWanted): Promise<number>;
  /** Edits that the portal accepted are delivered, once the time is over that it may take. @param wall what people read */
  confirmAccepted(now: number, wall: number): Promise<void>;
  /** When the next lane has something to do, or the next edit is confirmed. */
  nextDueAt(): Promise<number | undefined>;

  /**
   * The portal's clock minus the caller's, which reads `now`, as it was last noted, in milliseconds; `undefined` where it never
   * was. Machines that share a store may differ in their clocks: each gets the offset to its own.
   */
  portalOffset(now: number): Promise<number | undefined>;
  notePortalOffset(offset: number, now: number): Promise<void>;

  /** Closings that the proxy carries out. */
  readonly schedules: Schedules;
  /** The portal's own lists of items. */
  readonly portalLists: PortalLists;

  /** Deletes settled edits and old keys; never the newest edit of an item. Returns how many rows went. */
  prune(before: { readonly settled: number; readonly keys: number }): Promise<number>;
  close(): Promise<void>;
}

/** Who reads a vendor's edits; `by` of a receipt names the author where it is another person. A session is an asker. */
export interface Asker {
  readonly vendor: string;
  readonly subject: string;
}

/** Of accepted edits: `accepted` is always the sum of the others and of what was pruned. */
export interface OutboxCount {
  readonly accepted: number;
  readonly received: number;
  readonly delivered: number;
  readonly parked: number;
  readonly superseded: number;
  readonly discarded: number;
  readonly pruned: number;
  /** When the oldest edit that still waits was accepted. */
  readonly oldestWaiting?: number | undefined;
}

/** The lane by which a vendor's edits leave. */
export type LaneOf = (vendor: string) => string;

export interface OwnedItem {
  readonly id: ItemId;
  readonly vendor: string;
  /** A vendor that has waiting edits for it, where that is known: it may have given the id up before. */
  readonly from?: string | undefined;
}

export interface LaneWanted {
  readonly now: number;
  readonly leaseMs: number;
  readonly unsureMs: number;
}

export interface CallWanted {
  /** Its id at the portal. */
  readonly client: string;
  readonly now: number;
  /** Between two calls. */
  readonly intervalMs: number;
  readonly mostMs: number;
}

export interface LaneRest {
  readonly now: number;
  readonly forMs: number;
}

/** What a lane's holder notes for the next one. */
export interface LaneState {
  /** The reason why nothing but probes leaves before a setting is changed. */
  readonly held?: string | undefined;
  /** Failures in a row. */
  readonly failures: number;
  readonly notBefore: number;
  /**
   * Fingerprint of the credential that has had a 2xx; or, marked as `unproven`, of one that had none and is held or fails.
   * The address of its portal stands in it, followed by a blank.
   */
  readonly provenBy?: string | undefined;
  readonly refusals?: Refusals | undefined;
}

/** The part of the state that has to survive a holder that is killed before it releases the lane. */
export type LaneNote = Partial<Pick<LaneState, 'notBefore' | 'provenBy' | 'refusals'>>;

/** What lanes may be held for under the present settings, as {@link LaneState.provenBy} has it, and where the portal is. */
export interface PresentPortal {
  readonly credentials: readonly string[];
  readonly baseUrl: string;
}

export interface Lease {
  readonly lane: string;
  readonly fence: number;
  readonly state: LaneState;
  readonly want: LaneWanted;
}

export interface OpenEdit extends PortalItem {
  /** Its place among the edits of all vendors. */
  readonly seq: number;
  readonly vendor: string;
  /** Attempts so far; after `beginAttempt` that one included. */
  readonly attempts: number;
  /** Delivered before, and resent because an older edit may have arrived after it. */
  readonly again: boolean;
  /** An older edit of the item may still arrive, or may have: the portal has to apply each call that carries this one. */
  readonly isOverDoubt: boolean;
}

/** `settledAt`: the time that people read, on the clock of acceptance. */
export type Settlement = { readonly edit: OpenEdit } & (
  | { readonly kind: 'delivered'; readonly settledAt?: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly settledAt?: number }
  /** The portal has accepted it, and processes it later. It counts as delivered from `confirmAt` on; `Infinity`: never. */
  | { readonly kind: 'accepted'; readonly confirmAt: number; readonly settledAt?: number }
  /**
   * `uncertain`: the portal may have applied it, or may still; `answered`: it has answered, so the call cannot arrive any longer.
   * Without a reason nothing is wrong: its turn has not come yet.
   */
  | {
      readonly kind: 'waiting';
      readonly reason?: string | undefined;
      readonly dueAt: number;
      readonly uncertain: boolean | 'answered';
    }
);

/** Why an edit is `received` that the portal has accepted and may not have processed yet. It is not sent again. */
export const PORTAL_CONFIRMS = 'portal_confirms';

/** The storage failed: nothing was promised, and the same request may be sent again. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

/** Another worker holds the lane now. */
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
  /** The number of the one that stays queued. */
  readonly except?: number | undefined;
}

export interface RefusedEdit {
  readonly seq: number;
  readonly vendor: string;
  readonly id: ItemId;
}

/** The refusals of a lane since an edit passed. They are kept with the lane, for its next holder. */
export interface Refusals {
  /** That of the last ones in a row. */
  readonly code: string;
  /** One of each item. */
  readonly edits: readonly RefusedEdit[];
  /** Parked wrongly, and not due again yet: the storage may fail, or the process, in between. */
  readonly wronged: readonly RefusedEdit[];
  /** Vendors whose edits were refused in a row, and of whom none has passed since: theirs leave alone, one at a time. */
  readonly suspects?: readonly string[];
  /** When an edit of a suspect may leave next. */
  readonly trialAt?: number;
}
