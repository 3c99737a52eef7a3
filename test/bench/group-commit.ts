import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { openDatabase } from '../../src/proxy/node/database/sqlite/sqlite-database.js';
import { SqliteDriver } from '../../src/proxy/node/database/sqlite/sqlite-driver.js';
import type { Benchmark } from './benchmark.js';
import { newBatch } from './outbox-load.js';
import { medianOfRounds, quantile } from './rounds.js';

const CALLERS = 32;
const ROUNDS = 9;
const MEASURE_MS = 500;
const INSERT = 'INSERT INTO line (text) VALUES ($1)';
const LINE = 'an edit of some length, as it would be kept in a row';

/**
 * Each figure is a number of writes per second, one row each, which are synced before their caller continues.
 *
 * One transaction per write is SQLite with its default settings: it syncs the journal, the folder and the file. With a
 * write-ahead log, as here, a commit needs one sync, so sharing it gains at most a factor of the number of callers.
 */
export const groupCommit: Benchmark = {
  name: 'group-commit',
  title: `durable writes of ${String(CALLERS)} callers at once`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'inventory-bench-'));
    const database = openDatabase(join(folder, 'rows.sqlite'));
    const outbox = openSqliteOutbox(join(folder, 'outbox.sqlite'));
    const driver = new SqliteDriver(database);
    const usual = new Database(join(folder, 'usual.sqlite'));
    usual.pragma('synchronous = FULL');
    const write = writerOf(database);
    const alone = database.transaction(write);
    const usualAlone = usual.transaction(writerOf(usual));
    const inGroup = (): Promise<unknown> => driver.transaction((transaction) => transaction.query(INSERT, LINE));
    const byItself = async (): Promise<unknown> => Promise.resolve(alone.immediate());
    const asItComes = async (): Promise<unknown> => Promise.resolve(usualAlone.immediate());
    const accepted = (): Promise<unknown> => outbox.accept(newBatch(1));
    const waits: number[] = [];
    try {
      const rates = await medianOfRounds(ROUNDS, {
        syncs: () => Promise.resolve(syncRate(join(folder, 'plain'))),
        asItComes: () => rateOf(CALLERS, asItComes),
        byItself: () => rateOf(CALLERS, byItself),
        inGroup: () => rateOf(CALLERS, inGroup, waits),
        oneInGroup: () => rateOf(1, inGroup),
        accepted: () => rateOf(CALLERS, accepted),
        oneAccepted: () => rateOf(1, accepted),
      });
      const p99 = quantile(waits, 0.99);
      const figure = (rate: number): string => `${rate.toFixed(0)}/s`;
      return [
        {
          what: 'rows in groups by one transaction each, SQLite as it comes',
          ratio: rates.inGroup / rates.asItComes,
          target: { atLeast: 40 },
          figures: `${figure(rates.inGroup)}, ${figure(rates.asItComes)}`,
        },
        {
          what: 'the same, with the log of this file',
          ratio: rates.inGroup / rates.byItself,
          target: undefined,
          figures: figure(rates.byItself),
        },
        {
          what: 'p99 of a row in a group, in syncs of the disk',
          ratio: (p99 * rates.syncs) / 1000,
          target: { atMost: 5 },
          figures: `${p99.toFixed(2)} ms, sync ${(1000 / rates.syncs).toFixed(2)} ms`,
        },
        {
          what: 'rows of one caller by syncs of the disk',
          ratio: rates.oneInGroup / rates.syncs,
          target: { atLeast: 0.6 },
          figures: `${figure(rates.oneInGroup)}, ${figure(rates.syncs)}`,
        },
        {
          what: 'whole acceptances by one transaction for a row',
          ratio: rates.accepted / rates.byItself,
          target: undefined,
          figures: figure(rates.accepted),
        },
        {
          what: 'whole acceptances of one caller by syncs of the disk',
          ratio: rates.oneAccepted / rates.syncs,
          target: undefined,
          figures: figure(rates.oneAccepted),
        },
      ];
    } finally {
      await outbox.close();
      database.close();
      usual.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function writerOf(database: Database.Database): () => unknown {
  database.exec('CREATE TABLE line (number INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = database.prepare(INSERT);
  return () => insert.run({ 1: LINE });
}

/** The rate of callers that each write again as soon as their last write is durable. */
async function rateOf(callers: number, write: () => Promise<unknown>, waits: number[] = []): Promise<number> {
  const start = performance.now();
  let written = 0;
  const keepWriting = async (): Promise<void> => {
    // All callers start in the same turn of the event loop, as requests do.
    await new Promise((resolve) => setImmediate(resolve));
    while (performance.now() - start < MEASURE_MS) {
      const began = performance.now();
      await write();
      waits.push(performance.now() - began);
      written += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, keepWriting));
  return (written * 1000) / (performance.now() - start);
}

/** The number of syncs per second of a page at the end of a growing file, as in a log. */
function syncRate(path: string): number {
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let syncs = 0;
  while (performance.now() - start < MEASURE_MS) {
    writeSync(file, page);
    fdatasyncSync(file);
    syncs += 1;
  }
  const rate = (syncs * 1000) / (performance.now() - start);
  closeSync(file);
  return rate;
}
