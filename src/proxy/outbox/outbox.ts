import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { HistoryEntry, Receipt } from '../../contract/widget.js';
import type { PortalItem } from '../../contract/portal.js';
import type { Acceptance, Accepted } from './accepted-batch.js';
import type { Decided, Decision } from './decision.js';
import type { HistoryPage, ListPage, RevisedItem, WaitingEdit, WaitingPage } from './outbox-pages.js';

export type { Acceptance, Accepted } from './accepted-batch.js';
export type { AcceptedEdit } from './accepted-edit.js';
export type { Decided, Decision, NewWish } from './decision.js';
export type { HistoryPage, ListPage, RevisedItem, WaitingEdit, WaitingPage } from './outbox-pages.js';

/**
 * The outbox: where an accepted edit lives until the portal has it.
 *
 * Its promises, in the order in which a night depends on them:
 *
 * - What `accept` resolved for is on the disk. The disk first, then the answer.
 * - An edit is in exactly one state, and accepted edits never disappear.
 * - Edits of one item leave in the order of their acceptance, one attempt at a time; an attempt is on the disk before
 *   its first byte leaves, so that a crash leaves a trace of what the portal may have seen.
 * - The stamp for the portal is taken here, in the transaction of acceptance, strictly increasing per item and kept on
 *   every resend.
 * - Delivery works under a lease of a lane (all edits that one credential delivers). A lease carries a fence; whoever
 *   lost the lease changes nothing any more.
 *
 * An item is a vendor's: two vendors may have one of the same id, and nothing of one says anything of the other. Only within
 * a lane an id is one vendor's, the first to use it there: edits of one lane meet at the portal under their ids alone.
 *
 * What a vendor reads tells nothing of another: each vendor's edits have numbers of their own, 1, 2, 3 and so on (`seq` of
 * a receipt and of the history), and so have the changes of its items (`revision`). A number over all vendors would show
 * by its gaps how much the others do. Only delivery and the operator see one (`OpenEdit.seq`, `WaitingEdit.seq`).
 *
 * It deliberately knows nothing of HTTP, of the portal or of permissions. Every call may throw {@link StorageFailed}.
 * Times are milliseconds since the epoch, and come in as arguments.
 */
export interface Outbox {
  accept(batch: Acceptance): Promise<Accepted>;
  /** A person's or an operator's word on one edit. */
  decide(decision: Decision): Promise<Decided>;

  /** Receipts of one vendor's edits, in the order asked; unknown ids are left out. */
  receipts(asker: Asker, editIds: readonly EditId[]): Promise<Receipt[]>;
  /**
   * One vendor's items, each with its newest edit that counts. Where none does any more, the item is among what changed
   * and in no other list.
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
   * Tells whose edits this process changed and, where the store can say so, another process or the store itself later on
   * (`elsewhere`: more may leave). Hints: what is not heard shows in `list`.
   */
  subscribe(listener: (vendor: string, elsewhere?: boolean) => void): () => void;

  /**
   * Whatever waits for longer than `longestMs` from now is due now: it was planned by a clock that has been set back since,
   * or by that of another machine, which is ahead. Nor is anything unsure for longer than any call may take to land: its
   * newest value would be due again each time, until the clock comes to where it was.
   */
  limitWaits(now: number, longestMs: number): Promise<void>;
  /**
   * Lanes that are held for a credential that is none of the present ones may be tried now, and those that pause because
   * calls to another portal failed.
   */
  tryOthers(now: number, present: PresentPortal): Promise<void>;
  /**
   * Settings have changed: puts items, and what waits, but for open attempts, into the lane that their vendor has now. Where
   * two vendors meet there with one id, it stays with the one who had it in this lane, or was first to use it at all. Of the
   * other nothing is sent any more: what waits is refused, as `item_unknown`, and waits for a person.
   *
   * @param now on the clock of acceptance
   * @param itemsAreIn called once no new edit can take an id from who had it: what waits is moved after that
   */
  moveLanes(laneOf: LaneOf, now: number, itemsAreIn?: () => void): Promise<void>;
  /**
   * In this lane each id is the item of the vendor that stands beside it, as the operator says. Whoever else has it gives it up
   * there: what waits is refused, as in `moveLanes`. What is at the portal just now may come back: before that is sent the id has to be
   * used, or given again.
   *
   * @param now on the clock of acceptance
   */
  giveItems(lane: string, items: readonly OwnedItem[], now: number): Promise<void>;
  /**
   * Leases a lane that has due work, for as long as `leaseMs`. What an earlier holder left open has an unknown outcome:
   * it is due again, and its items are `unsure` for `unsureMs`.
   */
  leaseLane(want: LaneWanted): Promise<Lease | undefined>;
  /** What may leave now, in the order in which it should: at most one edit an item, none whose elder still waits. */
  due(lease: Lease, now: number, most: number): Promise<readonly OpenEdit[]>;
  /**
   * Opens a durable attempt and renews the lease. Leaves out what was superseded or discarded meanwhile, and refuses, as
   * `moveLanes` does, what came back for an id that is another vendor's in the lane by now. Edits of an open attempt may be
   * opened again in parts: a batch that is split.
   */
  openAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]>;
  /** @param note of the lane, in the same transaction; what it leaves out stays as it is */
  settle(lease: Lease, settlements: readonly Settlement[], now: number, note?: LaneNote): Promise<void>;
  /** Brings back edits that were parked for nothing, as far as nothing newer has taken their place. */
  unpark(lease: Lease, edits: readonly RefusedEdit[], reason: string, now: number): Promise<void>;
  /**
   * Gives the lane back, and notes what its next holder has to know. While it rests nobody gets it: the pace of calls is the
   * lane's, whoever makes them.
   */
  releaseLane(lease: Lease, state: LaneState, rest?: LaneRest): Promise<void>;
  /** When the next lane has something to do. */
  nextDue(): Promise<number | undefined>;

  /**
   * The portal's clock minus the caller's, which says `now`, as it was last noted, in milliseconds; `undefined` where nobody
   * has. Machines that share a store may differ in their clocks: each is told it by its own.
   */
  portalOffset(now: number): Promise<number | undefined>;
  notePortalOffset(offset: number, now: number): Promise<void>;

  /** Deletes settled edits and old keys; never the newest edit of an item. Returns how many rows went. */
  prune(before: { readonly settled: number; readonly keys: number }): Promise<number>;
  close(): Promise<void>;
}

/** Who reads: a vendor's edits, and `by` names whoever made one of them and is not this person. A session is one. */
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
  /** Of whom something waits for it, where that is known: they may have given it up before. */
  readonly from?: string | undefined;
}

export interface LaneWanted {
  readonly now: number;
  readonly leaseMs: number;
  readonly unsureMs: number;
}

export interface LaneRest {
  readonly now: number;
  readonly forMs: number;
}

/** What a lane's holder notes for the next one. */
export interface LaneState {
  /** Nothing but probes leaves before somebody changes a setting. */
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

/** What must outlive a holder that is killed in the middle of its visit. */
export type LaneNote = Partial<Pick<LaneState, 'notBefore' | 'refusals'>>;

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
  /** Attempts so far; after `openAttempt` that one included. */
  readonly attempts: number;
  /** Delivered before, and said once more because an older edit may have landed after it. */
  readonly again: boolean;
  /** An older edit of the item may land yet, or may have: the portal has to act on each call that says this one. */
  readonly isOverDoubt: boolean;
}

/** `settledAt`: what people read, on the clock of acceptance; the clock of waits where it is absent. */
export type Settlement = { readonly edit: OpenEdit } & (
  | { readonly kind: 'delivered'; readonly settledAt?: number }
  | { readonly kind: 'refused'; readonly reason: string; readonly settledAt?: number }
  /**
   * `uncertain`: the portal may have applied it, or may still; `answered`: it has answered, so nothing can arrive any longer. No
   * reason: nothing is wrong, its turn has only not come.
   */
  | {
      readonly kind: 'waiting';
      readonly reason?: string | undefined;
      readonly dueAt: number;
      readonly uncertain: boolean | 'answered';
    }
);

/** The disk said no: nothing was promised, and the same request may come again. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

/** Somebody else holds the lane now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly lane: string;

  constructor(lane: string) {
    super(`lane ${lane} was taken over`);
    this.lane = lane;
  }
}

export interface RefusedEdit {
  readonly seq: number;
  readonly vendor: string;
  readonly id: ItemId;
}

/** What is known of a lane's refusals since something passed. It is kept with the lane, for whoever holds it next. */
export interface Refusals {
  /** That of the last ones in a row. */
  readonly code: string;
  /** One of each item. */
  readonly edits: readonly RefusedEdit[];
  /** Parked for nothing, and not brought back yet: the storage may fail, or the process, in between. */
  readonly wronged: readonly RefusedEdit[];
}
