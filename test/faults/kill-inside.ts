import { openSync, writeSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * A module that is loaded into the proxy by `--import`. It kills its process with SIGKILL when a named point is reached
 * for the n-th time, and writes the name into a file just before. The product has no hooks for that: the libraries that
 * it calls (the SQLite driver, `node:http`, `node:net`) are wrapped, on each of its threads.
 *
 * The URL has the parameters: `kill-inside.ts?point=before+commit&nth=3&file=/path`.
 */
type Words = readonly unknown[];
type Go = (words?: Words) => unknown;

const asked = new URL(import.meta.url).searchParams;
const point = asked.get('point') ?? '';
const log = openSync(asked.get('file') ?? '', 'a');
let left = Number(asked.get('nth'));

const POINTS: Readonly<Record<string, () => void>> = {
  'before insert': () => onRun(/^INSERT INTO edit /, reached),
  'before commit': () => onCommitOf(/^INSERT INTO edit /, reached, never),
  'after commit before the answer': () => onCommitOf(/^INSERT INTO edit /, never, reached),
  'half an answer': cutAnswers,
  'after lease': () => onCommitOf(/\bUPDATE lane SET fence = /, never, reached),
  'after the attempt row': () => onCommitOf(/^INSERT INTO attempt /, never, reached),
  'half the upstream body': cutUpdates,
  'after 2xx before settling': () => onRun(/^UPDATE edit SET state = ended\.state/, reached),
  'in checkpoint': watchCheckpoints,
  'in migration': watchMigration,
  'in graceful stop': watchStop,
  'in pruning': watchPruning,
};

POINTS[point]?.();

function reached(): void {
  left -= 1;
  if (left === 0) kill();
}

function kill(): void {
  writeSync(log, `${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

function never(): void {
  // After the commit is another point.
}

/** Calls `change` in place of a method; `go` calls the method, with its arguments or with others. */
function around(target: object, name: string, change: (self: object, words: Words, go: Go) => unknown): void {
  const method = Reflect.get(target, name) as (...words: unknown[]) => unknown;
  Reflect.set(target, name, function (this: object, ...words: unknown[]) {
    return change(this, words, (other = words) => Reflect.apply(method, this, other));
  });
}

/** Wraps each execution of a prepared statement. */
function aroundRuns(change: (sql: string, go: () => unknown) => unknown): void {
  around(Database.prototype, 'prepare', (_, [sql], go) => {
    const statement = go() as object;
    for (const name of ['run', 'get', 'all'])
      around(statement, name, (_, __, execute) => change(String(sql).trim(), execute));
    return statement;
  });
}

function onRun(sought: RegExp, before: () => void): void {
  aroundRuns((sql, go) => {
    if (sought.test(sql)) before();
    return go();
  });
}

function onCommitOf(sought: RegExp, before: () => void, after: () => void): void {
  let holds = false;
  aroundRuns((sql, go) => {
    if (sql.startsWith('BEGIN')) holds = false;
    if (sought.test(sql)) holds = true;
    const ends = sql === 'COMMIT' && holds;
    if (ends) before();
    const result = go();
    if (ends) after();
    return result;
  });
}

/** Only the head of a 202 and half of its body are written. */
function cutAnswers(): void {
  const { prototype } = http.ServerResponse;
  const write = Reflect.get(prototype, 'write');
  for (const name of ['write', 'end']) {
    around(prototype, name, (self, words, go) => {
      const half = halfOf(words[0]);
      if (half === undefined || (self as http.ServerResponse).statusCode !== 202) return go();
      left -= 1;
      return left === 0 ? Reflect.apply(write, self as http.ServerResponse, [half, kill]) : go();
    });
  }
}

function cutUpdates(): void {
  around(net.Socket.prototype, 'write', (_, words, go) => {
    const half = halfOf(words[0]);
    if (
      half === undefined ||
      !Buffer.from(words[0] as Uint8Array)
        .toString()
        .startsWith('{"inventory"')
    )
      return go();
    left -= 1;
    return go(left === 0 ? [half, kill] : words);
  });
}

function halfOf(written: unknown): Uint8Array | undefined {
  const chunk = typeof written === 'string' ? Buffer.from(written) : written;
  return chunk instanceof Uint8Array && chunk.length > 1 ? chunk.subarray(0, chunk.length / 2) : undefined;
}

/**
 * A checkpoint runs during a commit, in one native call, so only another thread can act then. In WAL mode nothing else
 * writes to the file, so its modification time tells the thread when to act. Checkpoints are made more often than in
 * production.
 */
function watchCheckpoints(): void {
  around(Database.prototype, 'pragma', (_, [text, ...rest], go) => {
    if (!String(text).startsWith('wal_autocheckpoint')) return go();
    // Only the writing thread reaches this. The polling thread is loaded without this module.
    new Worker(new URL('kill-in-checkpoint.ts', import.meta.url), { workerData, execArgv: [] }).unref();
    return go(['wal_autocheckpoint = 8', ...rest]);
  });
  const inCommit = new Int32Array(new SharedArrayBuffer(4));
  aroundRuns((sql, go) => {
    if (sql !== 'COMMIT') return go();
    Atomics.store(inCommit, 0, 1);
    const result = go();
    Atomics.store(inCommit, 0, 0);
    return result;
  });
  const path = process.env['DATABASE_URL']?.replace(/^file:/, '');
  const workerData = { path, inCommit, log, point, nth: left };
}

/** Before and after the creation of the tables, and after each pragma; the commit comes last. */
function watchMigration(): void {
  around(Database.prototype, 'exec', (_, [sql], go) => {
    const makes = String(sql).includes('CREATE TABLE item ');
    if (makes) reached();
    const result = go();
    if (makes) reached();
    return result;
  });
  around(Database.prototype, 'pragma', (_, [text], go) => {
    const result = go();
    if (/^(application_id|user_version) =/.test(String(text))) reached();
    return result;
  });
}

/** A stop: no new connections are accepted, then the lane is released or the file is closed. */
function watchStop(): void {
  // How often the point was reached on any thread, or 0 if no stop has begun.
  if (isMainThread) setEnvironmentData('stops', new Int32Array(new SharedArrayBuffer(4)));
  const stops = getEnvironmentData('stops') as Int32Array;
  const nth = left;
  const next = (): void => {
    if (Atomics.load(stops, 0) > 0 && Atomics.add(stops, 0, 1) === nth) kill();
  };
  around(http.Server.prototype, 'close', (_, __, go) => {
    if (Atomics.compareExchange(stops, 0, 0, 1) === 0) next();
    return go();
  });
  onRun(/^UPDATE lane SET lease_until = coalesce/, next);
  around(Database.prototype, 'close', (_, __, go) => {
    next();
    return go();
  });
}

function watchPruning(): void {
  aroundRuns((sql, go) => {
    const result = go();
    if (sql.startsWith('DELETE FROM') && Array.isArray(result) && result.length > 0) reached();
    return result;
  });
}
