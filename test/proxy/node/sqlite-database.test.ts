import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { StorageFailed } from '../../../src/proxy/outbox.js';
import { openSqliteOutbox } from '../../../src/proxy/node/outbox-sqlite.js';
import { openDatabase } from '../../../src/proxy/node/sqlite-database.js';
import { MIGRATIONS } from '../../../src/proxy/node/sqlite-schema.js';
import { accept, edit } from '../../support/outbox-batches.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const PAGE = 4096;

describe('the file of the outbox', () => {
  it('is written so that an answered edit survives a power cut', (t) => {
    const database = open(t, join(scratchFolder(), 'inventory.sqlite'));

    const modes = ['journal_mode', 'synchronous', 'locking_mode', 'foreign_keys'].map((name) =>
      database.pragma(name, { simple: true }),
    );

    // 2 is FULL: the log is synced before a commit returns.
    assert.deepEqual(modes, ['wal', 2, 'exclusive', 1]);
  });

  it('has tables that refuse a value of another type', (t) => {
    const database = open(t, join(scratchFolder(), 'inventory.sqlite'));

    const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE type = 'table'").all();

    const ours = tables.filter((table) => !(table as { name: string }).name.startsWith('sqlite_'));
    assert.deepEqual(
      ours.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      ['edit', 'idempotency', 'item'].map((name) => ({ name, strict: 1 })),
    );
  });

  it('says which version wrote it', (t) => {
    const database = open(t, join(scratchFolder(), 'inventory.sqlite'));

    assert.equal(database.pragma('user_version', { simple: true }), MIGRATIONS.length);
  });

  it('may be there already, and empty', async () => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    writeFileSync(path, '');

    const outbox = openSqliteOutbox(path);

    assert.equal((await accept(outbox, edit('kayak'))).length, 1);
    await outbox.close();
  });

  it('keeps what was accepted when it is opened again', async () => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    const first = openSqliteOutbox(path);
    const receipts = await accept(first, edit('kayak'), edit('boat'));
    await first.close();

    const second = openSqliteOutbox(path);

    const ids = receipts.map(({ edit_id }) => edit_id);
    assert.deepEqual(await second.receipts('boat-tours', ids), receipts);
    await second.close();
  });

  it('keeps what was accepted before a crash', async (t) => {
    const { file, log } = await crashedFile(t);

    const outbox = openSqliteOutbox(file);

    assert.ok(existsSync(log));
    assert.equal((await outbox.list('boat-tours', { limit: 1000 })).length, 301);
    await outbox.close();
  });
});

describe('a file that is refused, with one clear line', () => {
  it('is one that another process has open', async (t) => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    open(t, path);

    await expectRefusal(path, `${path} is in use by another process; one proxy per file`);
  });

  it('is one in a folder that is not there', async () => {
    const path = join(scratchFolder(), 'missing', 'inventory.sqlite');

    await expectRefusal(path, /inventory\.sqlite.*directory does not exist/);
  });

  it('is a folder', async () => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    mkdirSync(path);

    await expectRefusal(path, /cannot be opened/);
  });

  it('is one of a newer version, which stays as it is', async () => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    const newer = new Database(path);
    newer.exec('CREATE TABLE edit (id TEXT)');
    newer.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    newer.close();
    const before = readFileSync(path);

    await expectRefusal(path, /written by a newer version/);

    assert.deepEqual(readFileSync(path), before);
  });

  const damages: readonly (readonly [what: string, damage: (bytes: Buffer) => Buffer])[] = [
    ['a text', () => Buffer.from('Dear diary, today I was no database. '.repeat(200))],
    ['half of one', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2 / PAGE) * PAGE)],
    ['one with a page of noise', (bytes) => bytes.fill(0xa5, 8 * PAGE, 9 * PAGE)],
    ['one with two pages swapped', (bytes) => bytes.copyWithin(5 * PAGE, 6 * PAGE, 7 * PAGE)],
  ];

  for (const [what, damage] of damages) {
    it(`is ${what}, which stays as it is`, async (t) => {
      const { file, log } = await crashedFile(t);
      writeFileSync(file, damage(readFileSync(file)));
      const before = [readFileSync(file), readFileSync(log)];

      await expectRefusal(file, `${file} is damaged or no SQLite database; it was left as it is`);

      assert.deepEqual([readFileSync(file), readFileSync(log)], before);
    });
  }
});

function open(t: TestContext, path: string): Database.Database {
  const database = openDatabase(path);
  t.after(() => database.close());
  return database;
}

/** What a killed process leaves: the file, and beside it a log of what came last. */
async function crashedFile(t: TestContext): Promise<{ readonly file: string; readonly log: string }> {
  const folder = scratchFolder();
  const path = join(folder, 'live.sqlite');
  const before = openSqliteOutbox(path);
  await accept(before, ...Array.from({ length: 300 }, (_, at) => edit(`item-${at}`)));
  await before.close();
  const killed = openSqliteOutbox(path);
  t.after(() => killed.close());
  await accept(killed, edit('last'));
  const file = join(folder, 'inventory.sqlite');
  copyFileSync(path, file);
  copyFileSync(`${path}-wal`, `${file}-wal`);
  return { file, log: `${file}-wal` };
}

async function expectRefusal(path: string, line: string | RegExp): Promise<void> {
  const error: unknown = await Promise.resolve()
    .then(() => openSqliteOutbox(path).close())
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof StorageFailed, 'the file was opened');
  assert.doesNotMatch(error.message, /\n/);
  if (typeof line === 'string') assert.equal(error.message, line);
  else assert.match(error.message, line);
}
