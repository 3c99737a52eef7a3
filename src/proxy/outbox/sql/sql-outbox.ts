import type { EditId } from '../../../domain/edit.js';
import type { ItemId } from '../../../domain/item.js';
import type { HistoryEntry } from '../../../contract/history.js';
import type { Receipt } from '../../../contract/widget.js';
import type {
  Acceptance,
  Accepted,
  Asker,
  CallWanted,
  Decided,
  Decision,
  HistoryPage,
  LaneNote,
  LaneOf,
  LaneRest,
  LaneState,
  LaneWanted,
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
  RefusedEdit,
  RevisedItem,
  Settlement,
  WaitingEdit,
  WaitingPage,
} from '../outbox.js';
import { accept } from './accept.js';
import { assignListed, recordList, releaseItem } from './catalog.js';
import * as claim from './claim.js';
import { storable, type Database } from './tables/database.js';
import { decide, scopeOf } from './decide.js';
import { giveItems, moveLanes } from './ownership.js';
import { prune } from './prune.js';
import { endPauses, expectHeld } from './queue.js';
import * as read from './read.js';
import { confirmAccepted, beginAttempt, settle, reopen } from './settle.js';

/**
 * The outbox in SQL, whatever the database: SQLite for a single machine, PostgreSQL for any number of proxies on one database.
 *
 * A call that writes is one transaction, committed together with those of its neighbours, and its promise resolves after that.
 * The tables, and how long their rows live, are described in `schema.ts`.
 */
export function createSqlOutbox(database: Database): Omit<Outbox, 'schedules' | 'portalLists'> {
  /** How far the clock of the caller is ahead of the one that waits are kept on, when last looked. */
  let ahead = 0;

  async function look(callers: number): Promise<number> {
    const now = await database.now(callers);
    ahead = Math.round(callers - now);
    return now;
  }

  return {
    accept(batch: Acceptance): Promise<Accepted> {
      const stored = {
        ...batch,
        vendor: storable(batch.vendor),
        subject: storable(batch.subject),
        name: storable(batch.name),
        lane: storable(batch.lane),
        edits: batch.edits.map((edit) => (edit.label === undefined ? edit : { ...edit, label: storable(edit.label) })),
      };
      return database.transaction((transaction) => accept(transaction, stored), {
        edits: batch.edits.length,
        vendor: stored.vendor,
        into: [stored.lane],
      });
    },

    async decide(decision: Decision): Promise<Decided> {
      const { vendor, by, name } = decision;
      const stored = { ...decision, vendor: storable(vendor), by: storable(by), name: storable(name) };
      const scope = await scopeOf(database, stored);
      const decided = await database.transaction(async (transaction) => {
        // Settings may have moved the edit since.
        const isStill = JSON.stringify(await scopeOf(transaction, stored)) === JSON.stringify(scope);
        return isStill ? decide(transaction, stored) : undefined;
      }, scope);
      return decided ?? database.transaction((transaction) => decide(transaction, stored));
    },

    receipts(asker: Asker, editIds: readonly EditId[]): Promise<Receipt[]> {
      return read.receipts(database, storableAsker(asker), editIds);
    },

    list(asker: Asker, page: ListPage): Promise<RevisedItem[]> {
      return read.list(database, storableAsker(asker), page);
    },

    revision(vendor: string): Promise<number> {
      return read.revision(database, storable(vendor));
    },

    history(vendor: string, page: HistoryPage): Promise<HistoryEntry[]> {
      return read.history(database, storable(vendor), page);
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

    async capDelays(now: number, longestMs: number): Promise<void> {
      // None is the usual answer, and needs no transaction.
      if (!(await claim.hasLongWaits(database, await look(now), longestMs))) return;
      await database.transaction((transaction) => claim.capDelays(transaction, transaction.now(now), longestMs));
    },

    retryHeld(now: number, present: PresentPortal): Promise<void> {
      return database.transaction((transaction) => claim.retryHeld(transaction, transaction.now(now), present));
    },

    moveLanes(laneOf: LaneOf, now: number, itemsAreIn?: () => void): Promise<void> {
      return moveLanes(database, (vendor) => storable(laneOf(vendor)), now, itemsAreIn);
    },

    giveItems(lane: string, items: readonly OwnedItem[], now: number): Promise<void> {
      const stored = items.map((item) => ({ ...item, vendor: storable(item.vendor), from: storable(item.from) }));
      return database.transaction((transaction) => giveItems(transaction, storable(lane), stored, now));
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

    async leaseLanes(want: LaneWanted, most: number): Promise<readonly Lease[]> {
      // Nothing to do is the usual answer, and needs no transaction.
      const now = await look(want.now);
      if (await claim.isSetBack(database, now)) {
        await database.transaction((transaction) => claim.followClock(transaction, transaction.now(want.now)));
      }
      if (!(await claim.isAnyClaimable(database, now))) return [];
      const claimed = await database.transaction((transaction) => claim.leaseLanes(transaction, want, most), {
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

    async due(lease: Lease, now: number, most: number): Promise<readonly OpenEdit[]> {
      const [hasEndedPauses, due] = await Promise.all([
        claim.hasEndedPauses(database, lease, now - ahead),
        claim.due(database, lease, most),
      ]);
      if (!hasEndedPauses) return due;
      await database.transaction(async (transaction) => {
        await expectHeld(transaction, lease);
        await endPauses(transaction, lease.lane, transaction.now(now));
      }, lease);
      return claim.due(database, lease, most);
    },

    beginAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]> {
      return database.transaction((transaction) => beginAttempt(transaction, lease, edits, now), lease);
    },

    settle(lease: Lease, settlements: readonly Settlement[], now: number, note?: LaneNote): Promise<void> {
      return database.transaction((transaction) => settle(transaction, lease, settlements, now, note), lease);
    },

    postpone(lease: Lease, postponed: Postponed, now: number): Promise<void> {
      const stored = { ...postponed, vendors: postponed.vendors.map(storable) };
      return database.transaction((transaction) => claim.postpone(transaction, lease, stored, now), lease);
    },

    reopen(lease: Lease, edits: readonly RefusedEdit[], reason: string, now: number): Promise<void> {
      return database.transaction((transaction) => reopen(transaction, lease, edits, reason, now), lease);
    },

    releaseLease(lease: Lease, state: LaneState, rest?: LaneRest): Promise<void> {
      const notBefore = state.notBefore === 0 ? 0 : state.notBefore - ahead;
      return database.transaction(
        (transaction) => claim.releaseLease(transaction, lease, { ...state, notBefore }, rest),
        lease,
      );
    },

    reserveCall(call: CallWanted): Promise<number> {
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
      const [row] = await database.query<{ ahead: number }>('SELECT ahead FROM portal_clock');
      return row && row.ahead + (await look(now)) - Math.round(now);
    },

    notePortalOffset(offset: number, now: number): Promise<void> {
      return database.transaction(async (transaction) => {
        await transaction.query(
          'INSERT INTO portal_clock (one, ahead) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET ahead = excluded.ahead',
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

function storableAsker({ vendor, subject }: Asker): Asker {
  return { vendor: storable(vendor), subject: storable(subject) };
}
