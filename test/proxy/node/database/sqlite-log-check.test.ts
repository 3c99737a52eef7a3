import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { findLogDamage } from '../../../../src/proxy/node/database/sqlite/sqlite-log-check.js';
import { StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import { batch, edit } from '../../../support/outbox-batches.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const COMMITS = 20;
const HEADER = 32;

interface CrashedFile {
  readonly path: string;
  readonly log: string;
  /** The size of a frame of the log, in bytes. */
  readonly frame: number;
}

/** The file of a proxy that was killed: all commits are in its log. */
async function crashed(): Promise<CrashedFile> {
  const [from, path] = [join(scratchFolder(), 'running.sqlite'), join(scratchFolder(), 'crashed.sqlite')];
  const outbox = openSqliteOutbox(from);
  for (let at = 0; at < COMMITS; at += 1) await outbox.accept(batch([edit(`boat-${String(at)}`)]));
  copyFileSync(from, path);
  copyFileSync(`${from}-wal`, `${path}-wal`);
  await outbox.close();
  return { path, log: `${path}-wal`, frame: 24 + readFileSync(`${path}-wal`).readUInt32BE(8) };
}

/** The offsets of the frames that end a commit. */
function commitsOf({ log, frame }: CrashedFile): number[] {
  const bytes = readFileSync(log);
  const starts: number[] = [];
  for (let at = HEADER; at + frame <= bytes.length; at += frame) if (bytes.readUInt32BE(at + 4) !== 0) starts.push(at);
  return starts;
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

async function accepted(path: string): Promise<number> {
  const outbox = openSqliteOutbox(path);
  const { accepted: count } = await outbox.count();
  await outbox.close();
  return count;
}

describe('a write-ahead log of SQLite', () => {
  it('that is complete after a crash is read to its end', async () => {
    const { path } = await crashed();

    assert.equal(findLogDamage(path), undefined);
    assert.equal(await accepted(path), COMMITS);
  });

  for (const [what, cut] of [
    ['ends within a frame', ({ log }: CrashedFile, last: number) => truncateSync(log, last + 100)],
    [
      'has a last commit that did not reach the disk whole',
      ({ log }: CrashedFile, last: number) => flip(log, last + 100),
    ],
  ] as const) {
    it(`that ${what}, as after a crash, is read up to there`, async () => {
      const file = await crashed();
      cut(file, commitsOf(file).at(-1) ?? 0);

      assert.equal(findLogDamage(file.path), undefined);
      assert.equal(await accepted(file.path), COMMITS - 1);
    });
  }

  for (const [what, place] of [
    ['a frame in the middle', (starts: readonly number[]) => (starts[4] ?? 0) + 500],
    ['the checksum of a frame', (starts: readonly number[]) => (starts[4] ?? 0) + 17],
    ['the header', () => 20],
  ] as const) {
    it(`that is damaged in ${what} is rejected at the start, and kept unchanged`, async () => {
      const file = await crashed();
      flip(file.log, place(commitsOf(file)));
      const before = readFileSync(file.log);

      assert.throws(
        () => openSqliteOutbox(file.path),
        (error) => error instanceof StorageFailed && /-wal is damaged at byte \d+: \d+ commits/.test(error.message),
      );
      assert.deepEqual(readFileSync(file.log), before);
    });
  }

  it('that is damaged is cut off at the damage with acceptLogDamage, and a copy is kept', async () => {
    const file = await crashed();
    flip(file.log, (commitsOf(file)[4] ?? 0) + 500);
    const before = readFileSync(file.log);

    const outbox = openSqliteOutbox(file.path, { acceptLogDamage: true });
    const { accepted: count } = await outbox.count();
    await outbox.close();

    // The first commit creates the tables.
    assert.equal(count, 3);
    assert.deepEqual(readFileSync(`${file.log}.damaged`), before);
    assert.equal(existsSync(file.log), false);
  });
});
