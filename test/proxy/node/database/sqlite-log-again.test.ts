import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { storageFailed } from '../../../../src/proxy/node/database/sqlite/sqlite-database.js';
import { writeLogAgain } from '../../../../src/proxy/node/database/sqlite/sqlite-log-again.js';

function test(title: string, body: (database: string) => void): void {
  it(title, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqlite-log-'));
    try {
      const database = join(folder, 'inventory.sqlite');
      writeFileSync(database, '');
      body(database);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

// The simulated power cut of the fault campaign shows that the bytes reach a disk that had dropped them.
describe('the write-ahead log of an earlier process', () => {
  test('is rewritten with the same bytes', (database) => {
    const log = `${database}-wal`;
    const content = Buffer.from(Array.from({ length: 700_001 }, (_, at) => at % 251));
    writeFileSync(log, content);
    utimesSync(log, 1, 1);

    writeLogAgain(database);

    assert.ok(readFileSync(log).equals(content));
    assert.ok(statSync(log).mtimeMs > 1000, 'it was written');
  });

  test('is rewritten if the path of the database is a symbolic link', (database) => {
    const log = `${database}-wal`;
    writeFileSync(log, 'content');
    utimesSync(log, 1, 1);
    const link = join(dirname(database), 'link.sqlite');
    symlinkSync(database, link);

    writeLogAgain(link);

    assert.ok(statSync(log).mtimeMs > 1000, 'it was written');
  });

  test('is rewritten completely if writes are partial', (database) => {
    const log = `${database}-wal`;
    const content = Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251));
    writeFileSync(log, content);

    writeLogAgain(database, (file, block, length, at) => {
      const taken = block.subarray(0, Math.ceil(length / 2));
      return writeSync(file, taken, 0, taken.length, at);
    });

    assert.ok(readFileSync(log).equals(content));
  });

  test('is kept unchanged, with an error, if the disk accepts no bytes', (database) => {
    const log = `${database}-wal`;
    writeFileSync(log, 'content');

    assert.throws(
      () => {
        writeLogAgain(database, () => 0);
      },
      { code: 'SQLITE_FULL' },
    );

    assert.equal(readFileSync(log, 'utf8'), 'content');
  });

  test('is not created if there is none, and stays empty if it is empty', (database) => {
    writeLogAgain(database);
    assert.equal(existsSync(`${database}-wal`), false);

    writeFileSync(`${database}-wal`, '');
    writeLogAgain(database);
    assert.equal(statSync(`${database}-wal`).size, 0);
  });
});

it('ENOSPC is reported like a full disk of SQLite', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

  assert.equal(storageFailed('inventory.sqlite', full).message, 'no space left for inventory.sqlite');
});
