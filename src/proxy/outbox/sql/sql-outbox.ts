import type { EditId } from '../../../domain/edit.js';
import type { ItemId } from '../../../domain/item.js';
import type { ChangeSetSummary, HistoryEntry } from '../../../contract/history.js';
import type { Receipt } from '../../../contract/widget.js';
import type {
  AcceptBatchCommand,
  AcceptResult,
  Viewer,
  CallRequest,
  Decided,
  Decision,
  HistoryFilter,
  HistoryPage,
  LanePatch,
  LaneOf,
  Cooldown,
  LaneState,
  LeaseRequest,
  Lease,
  ListAssignment,
  ListedOwners,
  ListPage,
  OpenEdit,
  Outbox,
  OutboxCount,
  OwnedItem,
  Postponed,
  PresentPortal,
  RejectedEdit,
  Revert,
  Reverted,
  RevisedItem,
  AttemptOutcome,
  WaitingEdit,
  WaitingPage,
} from '../outbox.js';
import { accept } from './accept.js';
import { assignListed, recordList, releaseItem } from './catalog.js';
import * as claim from './claim.js';
import { storable, type Database } from './tables/database.js';
import { decide, scopeOf } from './decide.js';
import * as history from './history.js';
import { assignOwner, moveLanes } from './ownership.js';
import { prune } from './prune.js';
import { endPauses, expectLease } from './queue.js';
import * as read from './read.js';
import { revert } from './revert.js';
import { confirmAccepted, beginAttempt, recordOutcomes, reopen } from './settle.js';

/**
 * The outbox in SQL: on SQLite for a single machine, on PostgreSQL for any number of proxies.
 *
 * Each call that writes is one transaction, committed together with concurrent ones, and its promise resolves after the
 * commit. `schema.ts` describes the tables and how long their rows live.
 */
export function createSqlOutbox(database: Database): Omit<Outbox, 'schedules' | 'calendarFeeds' | 'portalLists'> {
  /** The offset of the caller's clock from the clock of waits, as last read. */
  let ahead = 0;

  async function readClock(callers: number): Promise<number> {
    const now = await database.now(callers);
    ahead = Math.round(callers - now);
    return now;
  }

  return {
    accept(batch: AcceptBatchCommand): Promise<AcceptResult> {
      const stored = {
        ...storableBatch(batch),
        edits: batch.edits.map((edit) => (edit.label === undefined ? edit : { ...edit, label: storable(edit.label) })),
      };
      return database.transaction((transaction) => accept(transaction, stored), {
        edits: batch.edits.length,
        vendor: stored.vendor,
        into: [stored.lane],
      });
    },

    revert(command: Revert): Promise<Reverted> {
      const stored = storableBatch(command);
      return database.transaction((transaction) => revert(transaction, stored), {
        edits: command.reverted.limit,
        vendor: stored.vendor,
        into: [stored.lane],
      });
    },

    async decide(decision: Decision): Promise<Decided> {
      const { vendor, by, name } = decision;
      const stored = { ...decision, vendor: storable(vendor), by: storable(by), name: storable(name) };
      const scope = await scopeOf(database, stored);
      const decided = await database.transaction(async (transaction) => {
        // A change of settings may have moved the edit since.
        const isStill = JSON.stringify(await scopeOf(transaction, stored)) === JSON.stringify(scope);
        return isStill ? decide(transaction, stored) : undefined;
      }, scope);
      return decided ?? database.transaction((transaction) => decide(transaction, stored));
    },

    receipts(viewer: Viewer, editIds: readonly EditId[]): Promise<Receipt[]> {
      return read.receipts(database, storableViewer(viewer), editIds);
    },

    list(viewer: Viewer, page: ListPage): Promise<RevisedItem[]> {
      return read.list(database, storableViewer(viewer), page);
    },

    revision(vendor: string): Promise<number> {
      return read.revision(database, storable(vendor));
    },

    history(vendor: string, page: HistoryPage): Promise<HistoryEntry[]> {
      return history.read(database, storable(vendor), page);
    },

    historyStart(vendor: string, before: number | undefined, count: number): Promise<number | undefined> {
      return history.start(database, storable(vendor), before, count);
    },

    summarizeHistory(vendor: string, filter: HistoryFilter): Promise<ChangeSetSummary> {
      return history.summarize(database, storable(vendor), filter);
    },

    waiting({ after = 0, limit }: WaitingPage): Promise<WaitingEdit[]> {
      return read.waiting(database, after, limit);
    },

    count(): Promise<OutboxCount> {
      return read.count(database);
    },

    waitingBytes(): Promise<number> {
      return read.waitingBytes(database);
    },

    heldLanes(): Promise<ReadonlyMap<string, number>> {
      return read.heldLanes(database);
    },

    subscribe(listener: (vendor: string, elsewhere?: boolean) => void): () => void {
      return database.subscribe(listener);
    },

    async capDelays(now: number, maxDelayMs: number): Promise<void> {
      // Usually there is none, and no transaction is needed.
      if (!(await claim.hasLongWaits(database, await readClock(now), maxDelayMs))) return;
      await database.transaction((transaction) => claim.capDelays(transaction, transaction.now(now), maxDelayMs));
    },

    retryHeld(now: number, present: PresentPortal): Promise<void> {
      return database.transaction((transaction) => claim.retryHeld(transaction, transaction.now(now), present));
    },

    moveLanes(laneOf: LaneOf, now: number, onItemsMoved?: () => void): Promise<void> {
      return moveLanes(database, (vendor) => storable(laneOf(vendor)), now, onItemsMoved);
    },

    assignOwner(lane: string, items: readonly OwnedItem[], now: number): Promise<void> {
      const stored = items.map((item) => ({ ...item, vendor: storable(item.vendor), from: storable(item.from) }));
      return database.transaction((transaction) => assignOwner(transaction, storable(lane), stored, now));
    },

    recordList(vendor: string, ids: readonly ItemId[]): Promise<ListedOwners> {
      return recordList(database, storable(vendor), ids);
    },

    assignListed(assignment: ListAssignment): Promise<readonly ItemId[]> {
      const { vendor, lane } = assignment;
      return assignListed(database, { ...assignment, vendor: storable(vendor), lane: storable(lane) });
    },

    releaseItem(vendor: string, id: ItemId, now: number): Promise<boolean> {
      return database.transaction((transaction) => releaseItem(transaction, storable(vendor), id, now));
    },

    async leaseLanes(want: LeaseRequest, max: number): Promise<readonly Lease[]> {
      // Usually there is no work, and no transaction is needed.
      const now = await readClock(want.now);
      if (await claim.isSetBack(database, now)) {
        await database.transaction((transaction) => claim.followClock(transaction, transaction.now(want.now)));
      }
      if (!(await claim.isAnyClaimable(database, now))) return [];
      const claimed = await database.transaction((transaction) => claim.leaseLanes(transaction, want, max), {
        rowsOnly: true,
      });
      await Promise.all(
        claimed
          .filter(({ isUnprepared }) => isUnprepared)
          .map(({ lease }) =>
            database.transaction((transaction) => claim.prepareLane(transaction, lease), { lane: lease.lane }),
          ),
      );
      return claimed.map(({ lease }) => {
        const { notBefore } = lease.state;
        return { ...lease, state: { ...lease.state, notBefore: notBefore === 0 ? 0 : notBefore + ahead } };
      });
    },

    async due(lease: Lease, now: number, max: number): Promise<readonly OpenEdit[]> {
      const [hasEndedPauses, due] = await Promise.all([
        claim.hasEndedPauses(database, lease, now - ahead),
        claim.due(database, lease, max),
      ]);
      if (!hasEndedPauses) return due;
      await database.transaction(async (transaction) => {
        await expectLease(transaction, lease);
        await endPauses(transaction, lease.lane, transaction.now(now));
      }, lease);
      return claim.due(database, lease, max);
    },

    beginAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]> {
      return database.transaction((transaction) => beginAttempt(transaction, lease, edits, now), lease);
    },

    recordOutcomes(
      lease: Lease,
      attemptOutcomes: readonly AttemptOutcome[],
      now: number,
      patch?: LanePatch,
    ): Promise<void> {
      return database.transaction(
        (transaction) => recordOutcomes(transaction, lease, attemptOutcomes, now, patch),
        lease,
      );
    },

    postpone(lease: Lease, postponed: Postponed, now: number): Promise<void> {
      const stored = { ...postponed, vendors: postponed.vendors.map(storable) };
      return database.transaction((transaction) => claim.postpone(transaction, lease, stored, now), lease);
    },

    reopen(lease: Lease, edits: readonly RejectedEdit[], reason: string, now: number): Promise<void> {
      return database.transaction((transaction) => reopen(transaction, lease, edits, reason, now), lease);
    },

    releaseLease(lease: Lease, state: LaneState, rest?: Cooldown): Promise<void> {
      const notBefore = state.notBefore === 0 ? 0 : state.notBefore - ahead;
      return database.transaction(
        (transaction) => claim.releaseLease(transaction, lease, { ...state, notBefore }, rest),
        lease,
      );
    },

    reserveCall(call: CallRequest): Promise<number> {
      const stored = { ...call, client: storable(call.client) };
      return database.transaction((transaction) => claim.reserveCall(transaction, stored), { rowsOnly: true });
    },

    async confirmAccepted(now: number, wall: number): Promise<void> {
      const [due] = await database.query('SELECT 1 FROM edit WHERE confirm_at <= $1 LIMIT 1', now - ahead);
      for (let isMore = due !== undefined; isMore;) {
        isMore = await database.transaction((transaction) => confirmAccepted(transaction, now, wall));
      }
    },

    async nextDueAt(): Promise<number | undefined> {
      const due = await claim.nextDueAt(database);
      return due === undefined || due === 0 ? due : due + ahead;
    },

    async portalOffset(now: number): Promise<number | undefined> {
      const [row] = await database.query<{ ahead: number }>('SELECT ahead FROM clock_offset');
      return row && row.ahead + (await readClock(now)) - Math.round(now);
    },

    storePortalOffset(offset: number, now: number): Promise<void> {
      return database.transaction(async (transaction) => {
        await transaction.query(
          'INSERT INTO clock_offset (one, ahead) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET ahead = excluded.ahead',
          Math.round(offset + now - transaction.now(now)),
        );
      });
    },

    prune(before: { readonly settled: number; readonly keys: number }): Promise<number> {
      return prune(database, before);
    },

    close(): Promise<void> {
      return database.close();
    },
  };
}

function storableBatch<T extends Omit<AcceptBatchCommand, 'edits'>>(batch: T): T {
  const { vendor, subject, name, lane } = batch;
  return {
    ...batch,
    vendor: storable(vendor),
    subject: storable(subject),
    name: storable(name),
    lane: storable(lane),
  };
}

function storableViewer({ vendor, subject }: Viewer): Viewer {
  return { vendor: storable(vendor), subject: storable(subject) };
}
