import { systemClock, type Clock } from '../clock.js';
import { namesOf } from '../names.js';
import type { Outbox } from '../outbox.js';
import type { RefusedEdit } from '../refusal-streak.js';
import { moveLanes } from './lane-places.js';
import type { Written } from './outbox-rows.js';
import { SqliteAcceptance } from './sqlite-acceptance.js';
import { prepareAcceptance } from './sqlite-acceptance-statements.js';
import { SqliteAppending } from './sqlite-appending.js';
import { SqliteBook } from './sqlite-book.js';
import { isStorageError, openDatabase, storageFailed } from './sqlite-database.js';
import { SqliteDelivery } from './sqlite-delivery.js';
import { KeptEndedSessions, SqliteEndings } from './sqlite-ended-sessions.js';
import { GroupCommit } from './sqlite-group-commit.js';
import { SqliteKnownNames } from './sqlite-known-names.js';
import { SqliteLine } from './sqlite-line.js';
import { SqliteMoving } from './sqlite-moving.js';
import { SqlitePacking } from './sqlite-packing.js';
import { SqliteParcels } from './sqlite-parcels.js';
import { SqlitePortalClock } from './sqlite-portal-clock.js';
import { NOTHING_PRUNED, SqlitePruning, type Pruned } from './sqlite-pruning.js';
import { SqliteReading } from './sqlite-reading.js';
import { plannedOnce } from './sqlite-statements.js';
import { SqliteUnpacking } from './sqlite-unpacking.js';
import { SqliteYielding } from './sqlite-yielding.js';

export interface SqliteOutbox extends Outbox {
  /** Sign-outs that outlive the process, in the same file: see `ProxyOptions.endedSessions`. @param clock default: the machine's */
  readonly endedSessions: (clock?: Clock) => KeptEndedSessions;
}

export interface SqliteOutboxOptions {
  /** The least edits of a batch that is packed, and unpacked later (`sqlite-parcels.ts`). Default: each. */
  readonly packFrom?: number | undefined;
}

/**
 * The outbox in one SQLite file: the store of a single machine.
 *
 * Every write is a job of a group that shares one transaction and one sync, and its promise resolves after that sync.
 * Reads see what is committed. The tables and how long their rows live are told in `sqlite-schema.ts`.
 *
 * @throws {StorageFailed} when the file cannot be used
 */
export function openSqliteOutbox(path: string, options: SqliteOutboxOptions = {}): SqliteOutbox {
  const database = openDatabase(path);
  const statements = plannedOnce(database);
  const known = new SqliteKnownNames(statements);
  const parcels = new SqliteParcels(statements, known);
  const book = new SqliteBook(statements, parcels);
  const writes = new GroupCommit(database, {
    get isUnwritten() {
      return book.isUnwritten;
    },
    write() {
      book.write();
    },
    forget() {
      book.forget();
      parcels.forget();
    },
  });
  const line = new SqliteLine(statements);
  const sql = prepareAcceptance(statements);
  const parts = {
    sql,
    known,
    parcels,
    book,
    line,
    appending: new SqliteAppending(sql, line),
    from: options.packFrom ?? 1,
  };
  const packing = new SqlitePacking(parts);
  const acceptance = new SqliteAcceptance(parts, packing);
  const yielding = new SqliteYielding(statements);
  const delivery = new SqliteDelivery(statements, line, yielding);
  const moving = new SqliteMoving(statements, yielding);
  const reading = new SqliteReading(statements);
  const pruning = new SqlitePruning(statements);
  const portalClock = new SqlitePortalClock(statements);
  const listeners = new Set<Parameters<Outbox['subscribe']>[0]>();
  const unpacking = new SqliteUnpacking(parcels, packing, writes, (vendor) => {
    for (const listener of listeners) listener(vendor, true);
  });
  delivery.endLeases();
  known.begin(() => parcels.edits);
  unpacking.inBackground();

  async function read<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await Promise.resolve(work());
    } catch (error) {
      throw isStorageError(error) || !database.open ? storageFailed(path, error) : error;
    }
  }

  async function told<T>(work: () => Written<T>, edits?: number): Promise<T> {
    const { answer, changed } = await writes.run(work, edits);
    for (const vendor of changed) for (const listener of listeners) listener(vendor);
    return answer;
  }

  /** Reads once nothing of this vendor's is packed. */
  function readOf<T>(vendor: string | undefined, work: () => T): Promise<T> {
    return read(() => (unpacking.isNeeded ? unpacking.allOf(vendor).then(() => read(work)) : work()));
  }

  /** Writes about edits on their way, once no parcel holds a newer one of their items. */
  function unpacked<T>(edits: readonly RefusedEdit[], write: () => T): () => T {
    const names = namesOf({ items: edits.map(({ id }) => id) });
    const vendors = new Set(edits.map(({ vendor }) => vendor));
    return () => {
      packing.unpackTouchedBy(names, ({ vendor }) => vendors.has(vendor));
      return write();
    };
  }

  function lineUp(): Promise<void> {
    return read(() => unpacking.forLanes((lane) => delivery.hasLine(lane, 1)));
  }

  return {
    async accept(batch) {
      for (;;) {
        const accepted = await told(() => acceptance.accept(batch), batch.edits.length);
        unpacking.inBackground();
        if ('kind' in accepted) return accepted;
        await unpacking.all(accepted);
      }
    },
    async decide(decision) {
      if (unpacking.mayBeNeeded) await read(() => unpacking.allOf(decision.vendor));
      return told(() => {
        packing.unpackAllOf(decision.vendor);
        return acceptance.decide(decision);
      });
    },

    receipts: (asker, ids) => readOf(asker.vendor, () => acceptance.receipts(asker, ids)),
    list: (asker, page) => readOf(asker.vendor, () => reading.list(asker, page)),
    revision: (vendor) => readOf(vendor, () => reading.revision(vendor)),
    history: (vendor, page) => readOf(vendor, () => reading.history(vendor, page)),
    waiting: ({ after = 0, limit }) => readOf(undefined, () => reading.waiting(after, limit)),
    count: () => read(() => reading.count(parcels.oldest)),
    waitingBytes: () => read(() => reading.waitingBytes(parcels)),
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
    async moveLanes(laneOf, now, itemsAreIn) {
      const strays = await read(() => parcels.of(undefined).filter(({ vendor, lane }) => laneOf(vendor) !== lane));
      await read(() => unpacking.all(strays));
      return moveLanes(laneOf, {
        strayItems: () => moving.strayItems(laneOf, read),
        leave: (items) => writes.run(() => moving.leave(items)),
        enter: (items) => {
          const names = namesOf({ items: items.map(({ id }) => id) });
          return told(() => {
            // Whoever is in a parcel was there before.
            packing.unpackTouchedBy(names);
            return moving.enter(items, now);
          });
        },
        waiting: (after, most) => read(() => moving.waiting(after, most)),
        itemsAreIn,
        saidAgain: () => read(() => moving.saidAgain()),
        move: (places) => writes.run(() => moving.move(places)),
      });
    },
    giveItems: (lane, items, now) => {
      const names = namesOf({ items: items.map(({ id }) => id) });
      return told(() => {
        packing.unpackTouchedBy(names);
        return moving.give(lane, items, now);
      });
    },
    async leaseLane(want) {
      if (unpacking.mayBeNeeded) await lineUp();
      // Nothing to do is the usual answer, and needs no transaction.
      if ((await read(() => delivery.wantedLane(want.now))) === undefined) return undefined;
      return writes.run(() => delivery.leaseLane(want));
    },
    async due(lease, now, most) {
      if (unpacking.mayBeNeeded)
        await read(() => unpacking.forLook(lease.lane, most, () => delivery.hasLine(lease.lane, most)));
      const ended = await read(() => delivery.hasEndedPauses(lease, now));
      if (ended) await writes.run(() => delivery.endPauses(lease, now));
      return read(() => delivery.due(lease, most));
    },
    openAttempt: (lease, edits, now) => told(unpacked(edits, () => delivery.openAttempt(lease, edits, now))),
    settle: (lease, settlements, now, note) => {
      const edits = settlements.map(({ edit }) => edit);
      return told(unpacked(edits, () => delivery.settle(lease, settlements, now, note)));
    },
    unpark: (lease, edits, reason, now) => told(unpacked(edits, () => delivery.unpark(lease, edits, reason, now))),
    releaseLane: (lease, state, rest) => writes.run(() => delivery.releaseLane(lease, state, rest)),
    async nextDue() {
      if (unpacking.mayBeNeeded) await lineUp();
      return read(() => delivery.nextDue());
    },

    portalOffset: () => read(() => portalClock.read()),
    notePortalOffset: (offset) =>
      writes.run(() => {
        portalClock.write(offset);
      }),

    async prune(before) {
      if (unpacking.mayBeNeeded) await read(() => unpacking.allOf(undefined));
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
      unpacking.end();
      known.end();
      return read(() => {
        writes.flush();
        database.close();
      });
    },
  };
}
