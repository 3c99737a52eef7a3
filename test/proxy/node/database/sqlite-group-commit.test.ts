import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import Database from 'better-sqlite3';
import { GroupCommit } from '../../../../src/proxy/node/database/group-commit.js';
import { SqliteDriver } from '../../../../src/proxy/node/database/sqlite/sqlite-driver.js';
import { LeaseLost, StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import type { Transaction } from '../../../../src/proxy/outbox/sql/tables/database.js';

interface Fixture {
  readonly database: Database.Database;
  readonly group: { run: SqliteDriver['transaction'] };
  /** A job that writes one row. */
  insert(note: string): (transaction: Transaction) => Promise<number>;
  notes(): string[];
  commits(): number;
}

function test(title: string, body: (fixture: Fixture) => Promise<void>): void {
  it(title, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'group-commit-'));
    let commits = 0;
    const database = new Database(join(folder, 'notes.sqlite'), {
      verbose: (sql) => {
        if (sql === 'COMMIT') commits += 1;
      },
    });
    database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, note TEXT NOT NULL UNIQUE) STRICT');
    const driver = new SqliteDriver(database);
    try {
      await body({
        database,
        group: { run: (work, about) => driver.transaction(work, about) },
        insert: (note) => async (transaction) => {
          const [row] = await transaction.query<{ id: number }>(
            'INSERT INTO note (note) VALUES ($1) RETURNING id',
            note,
          );
          return row?.id ?? 0;
        },
        notes: () => database.prepare<[], string>('SELECT note FROM note ORDER BY id').pluck().all(),
        commits: () => commits,
      });
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
    }
  });
}

const kinds = (results: readonly PromiseSettledResult<unknown>[]): string[] => results.map(({ status }) => status);

describe('a group of writes', () => {
  test('has one commit, and runs in the order of the calls', async ({ group, insert, notes, commits }) => {
    const texts = Array.from({ length: 32 }, (_, index) => `note ${String(index).padStart(2, '0')}`);

    const ids = await Promise.all(texts.map((text) => group.run(insert(text))));

    assert.equal(commits(), 1);
    assert.deepEqual(
      ids,
      texts.map((_, index) => index + 1),
    );
    assert.deepEqual(notes(), texts);
  });

  test('is split into two if it has very many edits', async ({ group, insert, notes, commits }) => {
    const texts = Array.from({ length: 32 }, (_, index) => `note ${String(index).padStart(2, '0')}`);

    await Promise.all(texts.map((text) => group.run(insert(text), { edits: 100 })));

    assert.equal(commits(), 2);
    assert.deepEqual(notes(), texts);
  });

  test('does not wait for a timer', async ({ group, insert, commits }) => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    try {
      await Promise.all([group.run(insert('first')), group.run(insert('second'))]);
    } finally {
      mock.timers.reset();
    }

    assert.equal(commits(), 1);
  });

  test('does not include a job that comes later', async ({ group, insert, commits }) => {
    await group.run(insert('first'));
    await Promise.all([group.run(insert('second')), group.run(insert('third'))]);

    assert.equal(commits(), 2);
  });

  test('lets a job read what an earlier one of the group has written', async ({ group, insert, notes }) => {
    const [, seen] = await Promise.all([group.run(insert('first')), group.run(() => Promise.resolve(notes()))]);

    assert.deepEqual(seen, ['first']);
  });

  test('returns no result before the commit', async ({ database, group, insert }) => {
    let inTransaction: boolean | undefined;

    await group.run(insert('first')).then(() => {
      inTransaction = database.inTransaction;
    });

    assert.equal(inTransaction, false);
  });

  test('does not let a job that fails at once affect the others', async ({ group, insert, notes, commits }) => {
    const fails = (): never => {
      throw new TypeError('wrong from the start');
    };

    const results = await Promise.allSettled([insert('first'), fails, insert('second')].map((job) => group.run(job)));

    assert.deepEqual(kinds(results), ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual(notes(), ['first', 'second']);
    assert.equal(commits(), 1);
  });

  test('reverts a job that fails halfway, and only that one', async ({ group, insert, notes }) => {
    const fails = (text: string) => async (transaction: Transaction) => {
      await insert(text)(transaction);
      throw new TypeError('wrong halfway');
    };
    const jobs = [insert('first'), fails('half'), insert('second'), fails('other half'), insert('third')];

    const results = await Promise.allSettled(jobs.map((job) => group.run(job)));

    assert.deepEqual(kinds(results), ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual(notes(), ['first', 'second', 'third']);
  });

  test('rejects only the job that violates a constraint', async ({ group, insert, notes }) => {
    const results = await Promise.allSettled(
      [insert('first'), insert('first'), insert('second')].map((job) => group.run(job)),
    );

    assert.deepEqual(kinds(results), ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual(notes(), ['first', 'second']);
  });

  test('stores nothing and rejects every job when the disk is full, and continues when there is space', async (fixture) => {
    const { database, group, insert, notes } = fixture;
    await group.run(insert('before'));
    const pages = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${String(pages)}`);

    const results = await Promise.allSettled(
      ['small', 'large '.repeat(10_000), 'small too'].map((text) => group.run(insert(text))),
    );

    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && result.reason instanceof StorageFailed),
      [true, true, true],
    );
    assert.deepEqual(notes(), ['before']);
    database.pragma('max_page_count = 1000000');
    await group.run(insert('after'));
    assert.deepEqual(notes(), ['before', 'after']);
  });

  test('fails a transaction that lost its lease alone, and does not repeat it with the others', async (fixture) => {
    const { group, insert, notes, commits } = fixture;
    let times = 0;
    const lost = (): never => {
      times += 1;
      throw new LeaseLost('lane');
    };

    const results = await Promise.allSettled([insert('first'), lost, insert('second')].map((job) => group.run(job)));

    assert.deepEqual(kinds(results), ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual([notes(), times, commits()], [['first', 'second'], 1, 1]);
  });

  test('is not visible to a reader before the commit', async ({ database, group, insert }) => {
    const driver = new SqliteDriver(database);
    let seen: Promise<unknown[]> | undefined;

    const written = driver.transaction(async (transaction) => {
      await insert('first')(transaction);
      seen = driver.query('SELECT note FROM note');
      await Promise.resolve();
      throw new TypeError('wrong halfway');
    });

    await assert.rejects(written, TypeError);
    assert.deepEqual(await seen, []);
    await group.run(insert('second'));
  });

  it('continues with the next group if it cannot be rolled back', async () => {
    let begun = 0;
    const group = new GroupCommit(
      () => {
        begun += 1;
        return Promise.resolve({
          transaction: { changed: new Set<string>() } as unknown as Transaction,
          commit: () => Promise.resolve(),
          rollback: () => Promise.reject(new Error('nothing can be read')),
        });
      },
      () => undefined,
    );

    // As many edits as fill a group.
    const results = await Promise.allSettled([
      group.run(() => Promise.reject(new TypeError('wrong')), { edits: 2_000 }),
      group.run(() => Promise.resolve('the next one')),
    ]);

    assert.deepEqual([kinds(results), begun], [['rejected', 'fulfilled'], 2]);
  });

  test('refuses work once the database is closed', async ({ database, group, insert }) => {
    database.close();

    await assert.rejects(group.run(insert('late')), StorageFailed);
  });
});
