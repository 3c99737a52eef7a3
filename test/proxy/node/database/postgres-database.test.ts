import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { connect, LOCK_MS, Readers } from '../../../../src/proxy/node/database/postgres/postgres-connection.js';
import { StorageFailed, type Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { SCHEMA_VERSION } from '../../../../src/proxy/outbox/sql/tables/schema.js';
import { freePort } from '../../../journeys/free-port.js';
import { viewerOf } from '../../../support/viewer.js';
import { settingFile } from '../../../support/minimal-settings.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { batch, edit } from '../../outbox/outbox-contract.js';

const server = await PostgresServer.start();
after(() => server.stop());

async function refused(why: RegExp, url = server.url, schema = server.newSchema()): Promise<void> {
  await assert.rejects(openPostgresOutbox(url, { schema }), (error) => {
    assert.ok(error instanceof StorageFailed);
    assert.match(error.message, why);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}

/** Resolves when a connection has waited that long for an advisory lock. */
async function waitingFor(milliseconds: number): Promise<void> {
  for (;;) {
    const waits = await server.query(
      `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND NOT granted
        AND query_start < clock_timestamp() - interval '${String(milliseconds)} milliseconds'`,
    );
    if (waits.length > 0) return;
    await sleep(50);
  }
}

/** Calls `ask` until its answer satisfies `isIt`. */
async function until(ask: () => Promise<string>, isIt: (words: string) => boolean): Promise<string> {
  for (;;) {
    const words = await ask();
    if (isIt(words)) return words;
    await sleep(10);
  }
}

describe('opening a PostgreSQL database', () => {
  it('creates the tables once, however many proxies start at the same time', async () => {
    const schema = server.newSchema();

    const outboxes = await Promise.all(Array.from({ length: 4 }, () => openPostgresOutbox(server.url, { schema })));

    const versions = await server.query<{ version: number }>(`SELECT version FROM ${schema}.migration`);
    assert.deepEqual(
      versions.map(({ version }) => version),
      [SCHEMA_VERSION],
    );
    await Promise.all(outboxes.map((outbox) => outbox.close()));
  });

  it('waits for a process that creates them for longer than the lock timeout', async () => {
    const schema = server.newSchema();
    const other = new Client(server.url);
    await other.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('migrate ${schema}', 0))`);
    const said: string[] = [];
    let opened: Outbox | undefined;
    try {
      const opening = openPostgresOutbox(server.url, { schema, log: (_level, event) => said.push(event) });
      await Promise.race([opening, waitingFor(LOCK_MS + 500)]);
      await other.query('COMMIT');
      opened = await opening;

      assert.deepEqual(await opened.receipts(viewerOf('vendor-a'), []), []);
      assert.deepEqual(said, ['another process creates the tables; waiting for it']);
    } finally {
      await opened?.close();
      await other.end();
    }
  });

  it('waits for it even if the role has a shorter statement timeout', async () => {
    const schema = server.newSchema();
    const other = new Client(server.url);
    await other.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('migrate ${schema}', 0))`);
    await server.query(`ALTER ROLE postgres SET statement_timeout = 500`);
    let opened: Outbox | undefined;
    try {
      const opening = openPostgresOutbox(server.url, { schema });
      await Promise.race([opening, waitingFor(1_000)]);
      await other.query('COMMIT');
      opened = await opening;

      assert.deepEqual(await opened.receipts(viewerOf('vendor-a'), []), []);
    } finally {
      await server.query(`ALTER ROLE postgres RESET statement_timeout`);
      await opened?.close();
      await other.end();
    }
  });

  it('stops waiting when its signal aborts, and leaves no table behind', async () => {
    const schema = server.newSchema();
    const other = new Client(server.url);
    await other.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('migrate ${schema}', 0))`);
    const stopping = new AbortController();
    const enough = new Error('enough');

    const opening = openPostgresOutbox(server.url, { schema, signal: stopping.signal });
    await Promise.race([opening, waitingFor(0)]);
    stopping.abort(enough);

    await assert.rejects(opening, enough);
    await other.end();
    assert.deepEqual(await server.query(`SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`), []);
    await assert.rejects(openPostgresOutbox(server.url, { schema, signal: stopping.signal }), enough);
  });

  it('logs nothing about other processes if there are none', async () => {
    const said: string[] = [];

    const outbox = await openPostgresOutbox(server.url, {
      schema: server.newSchema(),
      log: (_level, event) => said.push(event),
    });

    assert.deepEqual(said, []);
    await outbox.close();
  });

  it('finds the earlier edits, and continues the revisions', async () => {
    const schema = server.newSchema();
    const before = await openPostgresOutbox(server.url, { schema });
    const request = batch([edit('a', true), edit('b', true)]);
    const answer = await before.accept(request);
    const revision = await before.revision('vendor-a');
    await before.close();

    const after = await openPostgresOutbox(server.url, { schema });

    assert.deepEqual(await after.accept(request), answer);
    await after.accept(batch([edit('c', true)]));
    assert.equal(await after.revision('vendor-a'), revision + 1);
    await after.close();
  });

  it('names the missing permissions of the role', async () => {
    const schema = server.newSchema();
    const password = randomUUID();
    await server.query(`CREATE ROLE clerk LOGIN PASSWORD '${password}'`);
    const url = server.url.replace(/\/\/[^@]+@/, `//clerk:${password}@`);
    const why = /the role needs CREATE on the database, or a schema of that name that is its own$/;

    await refused(why, url, schema);
    await server.query(`CREATE SCHEMA ${schema}`);
    await refused(why, url, schema);
    await server.query(`GRANT USAGE ON SCHEMA ${schema} TO clerk`);
    await refused(why, url, schema);
  });

  for (const [age, version] of [
    ['a newer', SCHEMA_VERSION + 1],
    ['an older', 9],
  ] as const) {
    it(`refuses tables of ${age} version, and leaves them alone`, async () => {
      const schema = server.newSchema();
      const outbox = await openPostgresOutbox(server.url, { schema });
      await outbox.close();
      await server.query(`UPDATE ${schema}.migration SET version = ${String(version)}`);

      await refused(new RegExp(`written by ${age} version; start that version`), server.url, schema);
    });
  }

  const weak = [
    ['synchronous_commit', 'off', /synchronous_commit = off: a crash would lose/],
    ['default_transaction_read_only', 'on', /transaction_read_only = on: nothing could be written/],
  ] as const;
  for (const [setting, value, why] of weak) {
    it(`rejects a database with ${setting} = ${value}`, async () => {
      await server.query(`ALTER ROLE postgres SET ${setting} = ${value}`);
      try {
        await refused(why);
      } finally {
        await server.query(`BEGIN READ WRITE; ALTER ROLE postgres RESET ${setting}; COMMIT`);
      }
    });
  }

  it('rejects a database with fsync = off', async () => {
    const careless = await PostgresServer.start('-c', 'fsync=off');
    try {
      await refused(/fsync = off: a power cut would damage/, careless.url);
    } finally {
      await careless.stop();
    }
  });

  it('rejects a database that cannot be reached or denies access', async () => {
    const [nowhere, stranger] = [new URL(server.url), new URL(server.url)];
    nowhere.port = String(await freePort());
    stranger.password = 'wrong';

    await refused(/PostgreSQL: .*ECONNREFUSED/, nowhere.href);
    await refused(/PostgreSQL: password authentication failed/, stranger.href);
  });

  it('rejects an address with missing certificates or an invalid encoding', async () => {
    await refused(/PostgreSQL: ENOENT.*ca\.pem/, `${server.url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`);
    await refused(/PostgreSQL: URI malformed/, server.url.replace(/postgres$/, '100%'));
  });

  it('fails calls while the certificates are missing, and succeeds again when they are back', async () => {
    const certificate = settingFile('');
    const schema = server.newSchema();
    const outbox = await openPostgresOutbox(`${server.url}?sslmode=disable&sslrootcert=${certificate}`, { schema });
    rmSync(certificate);
    await server.cutConnections();

    await assert.rejects(outbox.accept(batch([edit('boat', true)])), StorageFailed);
    await assert.rejects(outbox.count(), StorageFailed);
    writeFileSync(certificate, '');

    assert.equal((await outbox.accept(batch([edit('boat', true)]))).kind, 'accepted');
    await outbox.close();
  });

  it('rejects an invalid schema name', async () => {
    await refused(/no name of a schema/, server.url, 'x; DROP TABLE edit');
  });

  it('accepts no edit while synchronous_commit is off, and accepts again after that', async (t) => {
    const outbox = await openPostgresOutbox(await server.newDatabase());
    t.after(() => outbox.close());
    const setTo = async (change: string): Promise<void> => {
      await server.query(`ALTER SYSTEM ${change}`);
      await server.query('SELECT pg_reload_conf()');
    };
    t.after(() => setTo('RESET synchronous_commit'));
    const said = async (): Promise<string> =>
      outbox.accept(batch([edit(randomUUID(), true)])).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof StorageFailed ? error.message : String(error)),
      );
    assert.equal(await said(), 'accepted');

    await setTo('SET synchronous_commit = off');
    // Each connection applies a reloaded setting before its next statement.
    const refused = await until(said, (words) => words !== 'accepted');
    await setTo('RESET synchronous_commit');
    await until(said, (words) => words === 'accepted');

    assert.match(refused, /synchronous_commit = off: a crash would lose/);
  });

  it('accepts no edit if synchronous_commit is off after a reconnection', async () => {
    const database = await server.newDatabase();
    const outbox = await openPostgresOutbox(database);
    await outbox.accept(batch([edit('kayak', true)]));
    await server.query(`ALTER DATABASE ${new URL(database).pathname.slice(1)} SET synchronous_commit = off`);
    await server.cutConnections();

    await assert.rejects(outbox.accept(batch([edit('boat', true)])), (error) => {
      assert.ok(error instanceof StorageFailed);
      assert.match(error.message, /synchronous_commit = off: a crash would lose/);
      return true;
    });

    await outbox.close();
  });

  it('limits the time for which a frozen process holds a lock, and for which another waits for it', async () => {
    const client = await connect({ url: server.url, schema: server.newSchema() });

    // A test of the effect would take as long as the timeouts.
    const { rows } = await client.query<{ name: string; milliseconds: number }>(
      `SELECT name, setting::integer AS milliseconds FROM pg_settings
       WHERE name IN ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout') ORDER BY name`,
    );

    assert.deepEqual(
      rows.map(({ milliseconds }) => milliseconds),
      [LOCK_MS + 5_000, LOCK_MS, LOCK_MS + 5_000],
    );
    await client.end();
  });

  it('explains an error by a pooler that is not in session mode', async () => {
    const readers = new Readers({ url: server.url, schema: server.newSchema() });
    const prepare = (note: string): Promise<unknown> => readers.query(`PREPARE ours AS SELECT 1 /* ${note} */`);
    await prepare('first');

    for (const [asked, why] of [
      [() => prepare('second'), /"ours" already exists; a pooler before it .+ has to be in session mode$/],
      [() => readers.query('EXECUTE theirs'), /"theirs" does not exist; a pooler before it/],
    ] as const) {
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof StorageFailed);
        assert.match(error.message, why);
        return true;
      });
    }

    await readers.close();
  });

  it('explains an error by tables that are missing', async () => {
    const schema = server.newSchema();
    const outbox = await openPostgresOutbox(server.url, { schema });
    await server.query(`DROP SCHEMA ${schema} CASCADE`);

    await assert.rejects(outbox.accept(batch([edit('boat', true)])), (error) => {
      assert.ok(error instanceof StorageFailed);
      assert.match(
        error.message,
        /relation "\w+" does not exist; is it the right database, .+ makes the tables again$/,
      );
      return true;
    });

    await outbox.close();
  });
});
