import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase } from '../../../../src/proxy/node/database/sqlite/sqlite-database.js';
import { StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import { SCHEMA_VERSION } from '../../../../src/proxy/outbox/sql/tables/schema.js';

function test(title: string, body: (path: string, folder: string) => Promise<void> | void): void {
  it(title, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
    try {
      await body(join(folder, 'inventory.sqlite'), folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** Asserts that opening fails with one line that says why, and leaves the file unchanged. */
function assertRefused(path: string, why: RegExp): void {
  const before = readFileSync(path);
  assert.throws(
    () => openDatabase(path),
    (error) => {
      assert.ok(error instanceof StorageFailed);
      assert.match(error.message, why);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
  assert.ok(readFileSync(path).equals(before), 'the file is left as it is');
}

function filled(path: string): void {
  const database = openDatabase(path);
  const insert = database.prepare(
    `INSERT INTO item (id, vendor, lane, last_stamp, revision) VALUES (?, 'vendor-a', '', 1, ?)`,
  );
  database.transaction(() => {
    for (let index = 0; index < 2000; index += 1) insert.run(`item ${String(index)}`, index);
  })();
  database.close();
}

describe('opening a SQLite file', () => {
  test('sets the pragmas for durability and exclusive access', (path) => {
    const database = openDatabase(path);

    const pragmas = ['journal_mode', 'synchronous', 'locking_mode', 'foreign_keys', 'user_version'].map((name) =>
      database.pragma(name, { simple: true }),
    );

    assert.deepEqual(pragmas, ['wal', 2, 'exclusive', 1, SCHEMA_VERSION]);
    database.close();
  });

  test('opens its own file again', (path) => {
    filled(path);

    const database = openDatabase(path);

    assert.equal(database.prepare('SELECT count(*) FROM item').pluck().get(), 2000);
    database.close();
  });

  test('refuses a file that another process has open', async (path) => {
    const holder = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        '--input-type=module',
        '--eval',
        `import { openDatabase } from './src/proxy/node/database/sqlite/sqlite-database.js';
         openDatabase(${JSON.stringify(path)});
         console.log('open');
         setInterval(() => {}, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      await once(holder.stdout, 'data');

      assert.throws(() => openDatabase(path), /in use by another process; one proxy per file/);
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    openDatabase(path).close();
  });

  for (const [age, version] of [
    ['a newer', SCHEMA_VERSION + 1],
    ['an older', SCHEMA_VERSION - 1],
    ['an older', 1],
  ] as const) {
    test(`refuses a file of ${age} version: ${String(version)}`, (path) => {
      filled(path);
      const other = new Database(path);
      other.pragma(`user_version = ${String(version)}`);
      other.close();

      assertRefused(path, new RegExp(`written by ${age} version; start that version, or use another file`));
    });
  }

  test('refuses the database of another program', (path) => {
    const other = new Database(path);
    other.exec('CREATE TABLE theirs (id INTEGER PRIMARY KEY)');
    other.close();

    assertRefused(path, /database of another program/);
  });

  test('refuses a file that is no SQLite database', (path) => {
    writeFileSync(path, 'vendor,item,available\n'.repeat(400));

    assertRefused(path, /damaged or no SQLite database; it was left as it is/);
  });

  test('refuses a damaged file', (path) => {
    filled(path);
    const bytes = readFileSync(path);
    bytes.fill(0x5a, bytes.length - 40_000, bytes.length - 20_000);
    writeFileSync(path, bytes);

    assertRefused(path, /damaged or no SQLite database; it was left as it is/);
  });

  test('refuses a truncated file', (path) => {
    filled(path);
    truncateSync(path, 40_000);

    assertRefused(path, /damaged or no SQLite database; it was left as it is/);
  });

  test('refuses a path without a folder, and a folder as the file', (_, folder) => {
    mkdirSync(join(folder, 'a-folder'));

    assert.throws(
      () => openDatabase(join(folder, 'nowhere', 'inventory.sqlite')),
      /cannot be opened; .* and that its folder exists/,
    );
    assert.throws(() => openDatabase(join(folder, 'a-folder')), /cannot be opened/);
  });

  test('refuses a file or a folder without write access', (path, folder) => {
    filled(path);
    const root = process.geteuid?.() === 0;
    for (const [ofFolder, ofFile] of [
      [0o755, 0o444],
      [0o555, 0o666],
    ] as const) {
      chmodSync(folder, ofFolder);
      chmodSync(path, ofFile);
      // Root may write everything.
      if (root) process.seteuid?.(65_534);
      try {
        assertRefused(path, /cannot be written; check its owner and mode, and those of its folder/);
      } finally {
        if (root) process.seteuid?.(0);
        chmodSync(folder, 0o755);
      }
    }
  });

  test('refuses a file without read access', (path, folder) => {
    filled(path);
    chmodSync(folder, 0o755);
    chmodSync(path, 0);
    const root = process.geteuid?.() === 0;
    if (root) process.seteuid?.(65_534);
    try {
      assert.throws(() => openDatabase(path), /cannot be opened; check its owner and mode/);
    } finally {
      if (root) process.seteuid?.(0);
    }
  });
});
