import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { openSqliteOutbox } from '../../../src/proxy/node/outbox-sqlite.js';
import { openDatabase } from '../../../src/proxy/node/sqlite-database.js';
import { MIGRATIONS } from '../../../src/proxy/node/sqlite-schema.js';
import { StorageFailed } from '../../../src/proxy/outbox.js';
import { askerOf } from '../../support/asker.js';
import { expectItemsOfVendors, oldItems } from '../../support/old-items.js';
import { expectNumbered, oldRows } from '../../support/old-numbers.js';
import { batch, edit } from '../outbox-contract.js';

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

/** It is refused with one line that says why, and the file is the same as before. */
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
    `INSERT INTO item (id, vendor, lane, since, last_stamp, revision) VALUES (?, 'vendor-a', '', 1, 1, ?)`,
  );
  for (let index = 0; index < 2000; index += 1) insert.run(`item ${String(index)}`, index);
  database.close();
}

describe('opening a SQLite file', () => {
  test('sets what the promises rest on, and reads it back', (path) => {
    const database = openDatabase(path);

    const pragmas = ['journal_mode', 'synchronous', 'locking_mode', 'foreign_keys', 'user_version'].map((name) =>
      database.pragma(name, { simple: true }),
    );

    assert.deepEqual(pragmas, ['wal', 2, 'exclusive', 1, MIGRATIONS.length]);
    database.close();
  });

  test('opens its own file again', (path) => {
    filled(path);

    const database = openDatabase(path);

    assert.equal(database.prepare('SELECT count(*) FROM item').pluck().get(), 2000);
    database.close();
  });

  test('numbers the edits of an older version by vendor, and goes on from there', async (path) => {
    const old = new Database(path);
    old.exec(`${MIGRATIONS.slice(0, 2).join(';')}; ${oldRows((id) => `(SELECT key FROM item WHERE id = '${id}')`)}`);
    old.pragma('application_id = 0x566e7674');
    old.pragma('user_version = 2');
    old.close();

    const outbox = openSqliteOutbox(path);

    await expectNumbered(outbox);
    await outbox.close();
  });

  test('leaves each id of an older version with its vendor, and gives it to others where they are kept apart', async (path) => {
    const old = new Database(path);
    old.exec(`${MIGRATIONS.slice(0, 6).join(';')}; ${oldItems((id) => `(SELECT key FROM item WHERE id = '${id}')`)}`);
    old.pragma('application_id = 0x566e7674');
    old.pragma('user_version = 6');
    old.close();

    const outbox = openSqliteOutbox(path);

    await expectItemsOfVendors(outbox);
    await outbox.close();
    const after = new Database(path, { readonly: true });
    assert.deepEqual(after.pragma('foreign_key_check'), []);
    after.close();
  });

  test('unpacks what an older version packed, and knows its keys', async (path) => {
    const old = new Database(path);
    old.exec(MIGRATIONS.slice(0, 5).join(';'));
    const edits = [
      ['edit-1', 'boat', 'A boat', 1, null, '2026-06-01T08:00:00.000Z', null, 7000],
      ['edit-2', 'room', null, 0, 1, '2026-06-01T08:00:01.000Z', '2026-06-01T07:00:00.000Z', 8000],
    ];
    const who = { vendor: 'vendor-a', subject: 'person-a', name: null, lane: '', bulk: 1 };
    const parcel = { ...who, seq: 1, number: 1, accepted_at: 9000, edits };
    old.prepare('INSERT INTO parcel (content) VALUES (?)').run(JSON.stringify(parcel));
    old.exec(`INSERT INTO idempotency VALUES ('vendor-a', 'person-a', 'key', 'digest', 'edit-1,edit-2', 9000);
      UPDATE book SET seq = 2, accepted = 2, received = 2`);
    old.pragma('application_id = 0x566e7674');
    old.pragma('user_version = 5');
    old.close();

    const outbox = openSqliteOutbox(path);

    const told = await outbox.accept(batch([edit('new', true)], { idempotencyKey: 'key', digest: 'digest' }));
    assert.deepEqual(told.kind === 'accepted' && told.receipts.map(({ edit_id, id, seq }) => [edit_id, id, seq]), [
      ['edit-1', 'boat', 1],
      ['edit-2', 'room', 2],
    ]);
    const listed = await outbox.list(askerOf('vendor-a'), { limit: 9 });
    assert.deepEqual(
      listed.map(({ id, label, available, updated_at }) => [id, label, available, Date.parse(updated_at ?? '')]),
      [
        ['boat', 'A boat', true, 7000],
        ['room', undefined, false, 8000],
      ],
    );
    const [second, first] = await outbox.history('vendor-a', { limit: 9 });
    assert.deepEqual([first?.from, second?.from], [undefined, true]);
    await outbox.close();
  });

  test('refuses a file that another process has open', async (path) => {
    const holder = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        '--input-type=module',
        '--eval',
        `import { openDatabase } from './src/proxy/node/sqlite-database.js';
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

  test('refuses a file of a newer version', (path) => {
    filled(path);
    const newer = new Database(path);
    newer.pragma(`user_version = ${String(MIGRATIONS.length + 1)}`);
    newer.close();

    assertRefused(path, /written by a newer version/);
  });

  test('refuses the database of another program', (path) => {
    const other = new Database(path);
    other.exec('CREATE TABLE theirs (id INTEGER PRIMARY KEY)');
    other.close();

    assertRefused(path, /database of another program/);
  });

  test('refuses what is no database', (path) => {
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

  test('refuses a file that was cut short', (path) => {
    filled(path);
    truncateSync(path, 40_000);

    assertRefused(path, /damaged or no SQLite database; it was left as it is/);
  });

  test('refuses a folder that does not exist, and a folder in place of a file', (_, folder) => {
    mkdirSync(join(folder, 'a-folder'));

    assert.throws(
      () => openDatabase(join(folder, 'nowhere', 'inventory.sqlite')),
      /cannot be opened; .* and that its folder exists/,
    );
    assert.throws(() => openDatabase(join(folder, 'a-folder')), /cannot be opened/);
  });

  test('refuses a file that it may not write, or no other beside it', (path, folder) => {
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

  test('refuses a file that is somebody else’s', (path, folder) => {
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
