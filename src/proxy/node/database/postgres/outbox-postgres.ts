import { systemClock, type Clock } from '../../../runtime/clock.js';
import type { EndedSessions } from '../../../access/ended-sessions.js';
import type { Log } from '../../../runtime/log.js';
import { StorageFailed, type Acceptance, type Asker, type Decision, type Outbox } from '../../../outbox/outbox.js';
import type { TokenSubject } from '../../../portal/token-seal.js';
import type { TokenStore } from '../../../portal/token-store.js';
import { moveLanes } from '../lane-places.js';
import { unchanged } from '../outbox-rows.js';
import { acceptTogether, receipts } from './postgres-acceptance.js';
import { DEFAULT_SCHEMA, Readers, storable } from './postgres-connection.js';
import { migrate } from './postgres-database.js';
import { decide } from './postgres-decisions.js';
import { PostgresDelivery } from './postgres-delivery.js';
import { endingsChannelOf, PostgresEndedSessions } from './postgres-ended-sessions.js';
import { PostgresGroupCommit } from './postgres-group-commit.js';
import { movePlaces, saidAgainPlaces, waitingPlaces } from './postgres-moving.js';
import { enterLanes, giveItems, leaveLanes, strayItems } from './postgres-moving-items.js';
import { PostgresNews } from './postgres-news.js';
import { PostgresPortalClock } from './postgres-portal-clock.js';
import { NOTHING_PRUNED, pruneAttempts, pruneEdits, pruneKeys, type Pruned } from './postgres-pruning.js';
import { PostgresTokenStore } from './postgres-tokens.js';
import { count, heldLanes, history, list, revision, waiting, waitingBytes } from './postgres-reading.js';

export interface PostgresOutboxOptions {
  /** Proxies that share work share a schema. @default 'vendor_inventory' */
  readonly schema?: string;
  /**
   * Which clock leases run out on. The database's is the only one that all machines share; a test in virtual time has
   * its own.
   *
   * @default 'database'
   */
  readonly clock?: 'caller' | 'database';
  /** Told where opening has to wait, as long as another process brings the tables up to date. */
  readonly log?: Log;
  /** Ends that wait: opening rejects with its reason then. */
  readonly signal?: AbortSignal;
}

export interface PostgresOutbox extends Outbox {
  /** Where proxies on this database share their portal tokens: see `ProxyOptions.shareToken`. */
  readonly shareToken: (subject: TokenSubject) => TokenStore;
  /**
   * Where they share sign-outs, until the outbox is closed: see `ProxyOptions.endedSessions`.
   *
   * @param clock default: the machine's
   * @param log told while others' sign-outs cannot be looked for
   * @throws {StorageFailed}
   */
  readonly endedSessions: (clock?: Clock, log?: Log) => Promise<EndedSessions>;
}

/**
 * The outbox in PostgreSQL: the store of several machines, any number of proxies on one database.
 *
 * A lane is leased to one of them, found by `SKIP LOCKED` and fenced: whoever lost it changes nothing any more. Writes go
 * in groups, one after the other over all processes (`postgres-group-commit.ts`); reads see what is committed. A lost
 * connection is a {@link StorageFailed}, and the next call finds the database again.
 *
 * @throws {StorageFailed} when the database cannot be used, or would not keep what it took
 */
export async function openPostgresOutbox(url: string, options: PostgresOutboxOptions = {}): Promise<PostgresOutbox> {
  const { schema = DEFAULT_SCHEMA, clock = 'database', log, signal } = options;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) throw new StorageFailed(`${schema} is no name of a schema`);
  const connection = { url, schema };
  await migrate(connection, { log, signal });
  const listeners = new Set<Parameters<Outbox['subscribe']>[0]>();
  const tell = (vendor: string, elsewhere = false): void => {
    for (const listener of listeners) listener(vendor, elsewhere);
  };
  const reads = new Readers(connection);
  const writes = new PostgresGroupCommit(connection, acceptTogether, tell);
  const delivery = new PostgresDelivery(clock);
  const portalClock = new PostgresPortalClock(reads, clock);
  const news = new PostgresNews(connection, writes.sender, (vendor) => {
    tell(vendor, true);
  });
  const endings = new Set<PostgresEndedSessions>();
  news.also(endingsChannelOf(schema), (note) => {
    for (const ended of endings) ended.hear(note);
  });
  await news.listen();

  return {
    accept: (batch) => writes.submit(storableBatch(batch)),
    decide: (decision) => writes.run((transaction) => decide(transaction, storableDecision(decision))),

    receipts: (asker, ids) => receipts(reads, storableAsker(asker), ids),
    list: (asker, page) => list(reads, storableAsker(asker), page),
    revision: (vendor) => revision(reads, storable(vendor)),
    history: (vendor, page) => history(reads, storable(vendor), page),
    waiting: ({ after = 0, limit }) => waiting(reads, after, limit),
    count: () => count(reads),
    waitingBytes: () => waitingBytes(reads),
    heldLanes: () => heldLanes(reads),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    limitWaits: (now, longestMs) => writes.run((transaction) => delivery.limitWaits(transaction, now, longestMs)),
    tryOthers: (now, present) => writes.run((transaction) => delivery.tryOthers(transaction, now, present)),
    moveLanes: (laneOf, now, itemsAreIn) =>
      moveLanes(laneOf, {
        strayItems: () => strayItems(reads, laneOf),
        leave: (items) => writes.run((transaction) => leaveLanes(transaction, items)),
        enter: (items) => writes.run((transaction) => enterLanes(transaction, items, now)),
        waiting: (after, most) => waitingPlaces(reads, after, most),
        itemsAreIn,
        saidAgain: () => saidAgainPlaces(reads),
        move: (places) => writes.run((transaction) => movePlaces(transaction, places)),
      }),
    giveItems: (lane, items, now) => writes.run((transaction) => giveItems(transaction, { lane, items }, now)),
    async leaseLane(want) {
      // Nothing to do is the usual answer, and needs no transaction.
      if (!(await delivery.hasWork(reads, want))) return undefined;
      return writes.run((transaction) => delivery.leaseLane(transaction, want));
    },
    async due(lease, now, most) {
      const ended = await delivery.hasEndedPauses(reads, lease, now);
      if (ended) await writes.run((transaction) => delivery.endPauses(transaction, lease, now));
      return delivery.due(reads, lease, most);
    },
    openAttempt: (lease, edits, now) =>
      writes.run((transaction) => delivery.openAttempt(transaction, lease, edits, now)),
    settle: (lease, settlements, now, note) =>
      writes.run((transaction) => delivery.settle(transaction, lease, settlements, now, note)),
    unpark: (lease, edits, reason, now) =>
      writes.run((transaction) => delivery.unpark(transaction, lease, edits, reason, now)),
    releaseLane: (lease, state, rest) =>
      writes.run((transaction) => delivery.releaseLane(transaction, lease, state, rest)),
    nextDue: () => delivery.nextDue(reads),

    portalOffset: (now) => portalClock.read(now),
    notePortalOffset: (offset, now) => portalClock.write(offset, now),

    async prune(before) {
      const some = async (work: typeof pruneKeys, time: number): Promise<number> => {
        let rows = 0;
        for (;;) {
          const gone = await writes.run(async (transaction) => unchanged(await work(transaction, time)));
          if (gone === 0) return rows;
          rows += gone;
        }
      };
      let rows = (await some(pruneKeys, before.keys)) + (await some(pruneAttempts, before.settled));
      let pruned: Pruned | undefined = NOTHING_PRUNED;
      while (pruned !== undefined) {
        const last: Pruned = pruned;
        pruned = await writes.run(async (transaction) =>
          unchanged(await pruneEdits(transaction, before.settled, last)),
        );
        rows += (pruned ?? last).rows - last.rows;
      }
      return rows;
    },
    shareToken: (subject) => new PostgresTokenStore(reads, subject),
    async endedSessions(endedClock = systemClock, log) {
      const ended = new PostgresEndedSessions(reads, schema, endedClock, log);
      endings.add(ended);
      return ended.start();
    },
    async close() {
      listeners.clear();
      for (const ended of endings) ended.close();
      await Promise.all([writes.close(), news.close(), reads.close()]);
    },
  };
}

function storableBatch(batch: Acceptance): Acceptance {
  return {
    ...batch,
    vendor: storable(batch.vendor),
    subject: storable(batch.subject),
    name: storable(batch.name),
    lane: storable(batch.lane),
    // Like the edits, no field of its own where it is made once somebody asks.
    digest: batch.digest,
    edits: batch.edits.map((edit) => (edit.label === undefined ? edit : { ...edit, label: storable(edit.label) })),
  };
}

function storableDecision(decision: Decision): Decision {
  const { vendor, by, name } = decision;
  return { ...decision, vendor: storable(vendor), by: storable(by), name: storable(name) };
}

function storableAsker({ vendor, subject }: Asker): Asker {
  return { vendor: storable(vendor), subject: storable(subject) };
}
