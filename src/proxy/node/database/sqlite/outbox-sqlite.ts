import type Database from 'better-sqlite3';
import { systemClock, type Clock } from '../../../runtime/clock.js';
import type { Outbox } from '../../../outbox/outbox.js';
import { moveLanes } from '../lane-places.js';
import type { Written } from '../outbox-rows.js';
import { SqliteAcceptance } from './sqlite-acceptance.js';
import { prepareAcceptance } from './sqlite-acceptance-statements.js';
import { SqliteAppending } from './sqlite-appending.js';
import { SqliteBook } from '../../sqlite-book.js';
import { isStorageError, openDatabase, openInMemory, storageFailed } from './sqlite-database.js';
import { SqliteDelivery } from './sqlite-delivery.js';
import { KeptEndedSessions, SqliteEndings } from './sqlite-ended-sessions.js';
import { GroupCommit } from './sqlite-group-commit.js';
import { SqliteLine } from './sqlite-line.js';
import { SqliteMoving } from './sqlite-moving.js';
import { SqlitePortalClock } from './sqlite-portal-clock.js';
import { NOTHING_PRUNED, SqlitePruning, type Pruned } from './sqlite-pruning.js';
import { SqliteReading } from './sqlite-reading.js';
import { plannedOnce } from './sqlite-statements.js';
import { SqliteYielding } from './sqlite-yielding.js';

export interface SqliteOutbox extends Outbox {
  /** Sign-outs that outlive the process, in the same file: see `ProxyOptions.endedSessions`. @param clock default: the machine's */
  readonly endedSessions: (clock?: Clock) => KeptEndedSessions;
}

/**
 * The outbox in one SQLite file: the store of a single machine.
 *
 * Every write is a job of a group that shares one transaction and one sync, and its promise resolves after that sync.
 * Reads see what is committed. The tables and how long their rows live are told in `sqlite-schema.ts`.
 *
 * @throws {StorageFailed} when the file cannot be used
 */
export function openSqliteOutbox(path: string): SqliteOutbox {
  return outboxOn(openDatabase(path));
}

/** For tests: the same outbox without a file. It ends with the process. */
export function openMemoryOutbox(): SqliteOutbox {
  return outboxOn(openInMemory());
}

function outboxOn(database: Database.Database): SqliteOutbox {
  const statements = plannedOnce(database);
  const book = new SqliteBook(statements);
  const writes = new GroupCommit(database, book);
  const line = new SqliteLine(statements);
  const sql = prepareAcceptance(statements);
  const acceptance = new SqliteAcceptance({ sql, book, line, appending: new SqliteAppending(sql, line) });
  const yielding = new SqliteYielding(statements);
  const delivery = new SqliteDelivery(statements, line, yielding);
  const moving = new SqliteMoving(statements, yielding);
  const reading = new SqliteReading(statements);
  const pruning = new SqlitePruning(statements);
  const portalClock = new SqlitePortalClock(statements);
  const listeners = new Set<Parameters<Outbox['subscribe']>[0]>();
  delivery.endLeases();

  async function read<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await Promise.resolve(work());
    } catch (error) {
      throw isStorageError(error) || !database.open ? storageFailed(database.name, error) : error;
    }
  }

  async function told<T>(work: () => Written<T>, edits?: number): Promise<T> {
    const { answer, changed } = await writes.run(work, edits);
    for (const vendor of changed) for (const listener of listeners) listener(vendor);
    return answer;
  }

  return {
    accept: (batch) => told(() => acceptance.accept(batch), batch.edits.length),
    decide: (decision) => told(() => acceptance.decide(decision)),

    receipts: (asker, ids) => read(() => acceptance.receipts(asker, ids)),
    list: (asker, page) => read(() => reading.list(asker, page)),
    revision: (vendor) => read(() => reading.revision(vendor)),
    history: (vendor, page) => read(() => reading.history(vendor, page)),
    waiting: ({ after = 0, limit }) => read(() => reading.waiting(after, limit)),
    count: () => read(() => reading.count()),
    waitingBytes: () => read(() => reading.waitingBytes()),
    heldLanes: () => read(() => reading.heldLanes()),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    limitWaits: (now, longestMs) =>
      writes.run(() => {
        delivery.limitWaits(now, longestMs);
      }),
    tryOthers: (now, present) =>
      writes.run(() => {
        delivery.tryOthers(now, present);
      }),
    moveLanes: (laneOf, now, itemsAreIn) =>
      moveLanes(laneOf, {
        strayItems: () => moving.strayItems(laneOf, read),
        leave: (items) => writes.run(() => moving.leave(items)),
        enter: (items) => told(() => moving.enter(items, now)),
        waiting: (after, most) => read(() => moving.waiting(after, most)),
        itemsAreIn,
        saidAgain: () => read(() => moving.saidAgain()),
        move: (places) => writes.run(() => moving.move(places)),
      }),
    giveItems: (lane, items, now) => told(() => moving.give(lane, items, now)),
    async leaseLane(want) {
      // Nothing to do is the usual answer, and needs no transaction.
      if ((await read(() => delivery.wantedLane(want.now))) === undefined) return undefined;
      return writes.run(() => delivery.leaseLane(want));
    },
    async due(lease, now, most) {
      const ended = await read(() => delivery.hasEndedPauses(lease, now));
      if (ended) await writes.run(() => delivery.endPauses(lease, now));
      return read(() => delivery.due(lease, most));
    },
    openAttempt: (lease, edits, now) => told(() => delivery.openAttempt(lease, edits, now)),
    settle: (lease, settlements, now, note) => told(() => delivery.settle(lease, settlements, now, note)),
    unpark: (lease, edits, reason, now) => told(() => delivery.unpark(lease, edits, reason, now)),
    releaseLane: (lease, state, rest) => writes.run(() => delivery.releaseLane(lease, state, rest)),
    nextDue: () => read(() => delivery.nextDue()),

    portalOffset: () => read(() => portalClock.read()),
    notePortalOffset: (offset) =>
      writes.run(() => {
        portalClock.write(offset);
      }),

    async prune(before) {
      let rows = 0;
      for (const some of [() => pruning.keys(before.keys), () => pruning.attempts(before.settled)]) {
        for (let gone = await writes.run(some); gone > 0; gone = await writes.run(some)) rows += gone;
      }
      let pruned: Pruned | undefined = NOTHING_PRUNED;
      while (pruned !== undefined) {
        const last: Pruned = pruned;
        pruned = await writes.run(() => pruning.edits(before.settled, last));
        rows += (pruned?.rows ?? last.rows) - last.rows;
      }
      return rows;
    },
    endedSessions: (clock = systemClock) => new KeptEndedSessions(new SqliteEndings(statements, writes), clock),
    async close() {
      listeners.clear();
      return read(() => {
        writes.flush();
        database.close();
      });
    },
  };
}
