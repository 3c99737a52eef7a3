import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import { OutboxFile } from '../../../support/outbox-file.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import { describeEndedSessions } from '../../access/ended-sessions-contract.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const server = await PostgresServer.start();
after(() => server.stop());

async function openPostgres(clock: VirtualClock, schema = server.newSchema(), url = server.url) {
  const outbox = await openPostgresOutbox(url, { schema });
  return { sessions: await outbox.endedSessions(clock), close: () => outbox.close() };
}

async function eventually(look: () => boolean): Promise<void> {
  while (!look()) await sleep(20);
}

describeEndedSessions('SQLite', (clock) => {
  const file = new OutboxFile();
  const outbox = openSqliteOutbox(file.path);
  const close = async (): Promise<void> => {
    await outbox.close();
    await file.remove();
  };
  return Promise.resolve({ sessions: outbox.endedSessions(clock), close });
});
describeEndedSessions('PostgreSQL', openPostgres);

describe('a revoked token in a SQLite file', () => {
  it('stays revoked after a restart, and is stored as a hash', async () => {
    const [file, clock] = [new OutboxFile(), new VirtualClock()];
    const before = openSqliteOutbox(file.path);
    await before.endedSessions(clock).add('a-token-of-ada', clock.wall() + MINUTE);
    await before.endedSessions(clock).add('a-token-of-ben', clock.wall() + SECOND);
    const bytes = readdirSync(file.folder).map((name) => readFileSync(join(file.folder, name), 'latin1'));
    await before.close();
    clock.jump(2 * SECOND);

    const after = openSqliteOutbox(file.path);
    const sessions = after.endedSessions(clock);

    assert.deepEqual([sessions.has('a-token-of-ada'), sessions.has('a-token-of-ben')], [true, false]);
    assert.doesNotMatch(bytes.join(''), /a-token-of/);
    await after.close();
    await file.remove();
  });

  it('is revoked in this process even if it cannot be stored', async () => {
    const [file, clock] = [new OutboxFile(), new VirtualClock()];
    const outbox = openSqliteOutbox(file.path);
    const sessions = outbox.endedSessions(clock);
    await outbox.close();

    await assert.rejects(sessions.add('token-1', clock.wall() + MINUTE), StorageFailed);

    assert.equal(sessions.has('token-1'), true);
    await file.remove();
  });
});

describe('a revoked token in PostgreSQL', () => {
  it('stays revoked after a restart, and is stored as a hash', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const before = await openPostgres(clock, schema);
    await before.sessions.add('a-token-of-ada', clock.wall() + MINUTE);
    await before.close();

    const after = await openPostgres(clock, schema);

    assert.equal(after.sessions.has('a-token-of-ada'), true);
    const rows = await server.query<{ row: string }>(`SELECT t::text AS row FROM ${schema}.revoked_token AS t`);
    assert.equal(rows.length, 1);
    assert.doesNotMatch(rows[0]?.row ?? '', /a-token-of/);
    await after.close();
  });

  it('is revoked at once in the other proxies', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const [one, other] = [await openPostgres(clock, schema), await openPostgres(clock, schema)];

    await one.sessions.add('token-1', clock.wall() + MINUTE);

    // The clock of both proxies stands still, so that neither polls.
    await eventually(() => other.sessions.has('token-1'));
    assert.equal(other.sessions.has('token-2'), false);
    await Promise.all([one.close(), other.close()]);
  });

  it('is found within two seconds by a proxy that received no notification', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const [one, other] = [await openPostgres(clock, schema), await openPostgres(clock, schema)];
    await one.sessions.add('token-1', clock.wall() + MINUTE);
    await eventually(() => other.sessions.has('token-1'));
    const late = await openPostgres(clock, schema);
    await server.query(`UPDATE ${schema}.revoked_token SET recorded_at = recorded_at + 1,
      token = encode(sha256('token-2'), 'hex')`);

    await clock.pass(2 * SECOND);

    await eventually(() => other.sessions.has('token-2') && late.sessions.has('token-2'));
    assert.equal(late.sessions.has('token-1'), true);
    await Promise.all([one, other, late].map((opened) => opened.close()));
  });

  it('is found even if one that was recorded later was stored first', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const one = await openPostgres(clock, schema);
    await one.sessions.add('token-1', clock.wall() + MINUTE);
    await clock.pass(2 * SECOND);
    await clock.asleep(1);
    await server.query(`INSERT INTO ${schema}.revoked_token
      SELECT encode(sha256('token-2'), 'hex'), until, recorded_at - 10000 FROM ${schema}.revoked_token`);

    await clock.pass(2 * SECOND);

    await eventually(() => one.sessions.has('token-2'));
    await one.close();
  });

  it('is found even if the clock of the database was set back before it', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const one = await openPostgres(clock, schema);
    await one.sessions.add('token-1', clock.wall() + MINUTE);
    await server.query(`UPDATE ${schema}.revoked_token SET recorded_at = recorded_at + ${String(10 * MINUTE)}`);
    const other = await openPostgres(clock, schema);
    await one.sessions.add('told', clock.wall() + MINUTE);
    await eventually(() => other.sessions.has('told'));
    await server.query(`UPDATE ${schema}.revoked_token SET token = encode(sha256('not told'), 'hex')
      WHERE token = encode(sha256('told'), 'hex')`);

    await clock.pass(2 * SECOND);

    await eventually(() => other.sessions.has('not told'));
    await Promise.all([one.close(), other.close()]);
  });

  it('is deleted by the next one a day after its expiry on the clock of the database, and no sooner', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const one = await openPostgres(clock, schema);
    await server.query(`INSERT INTO ${schema}.revoked_token
      SELECT name, (extract(epoch FROM clock_timestamp() - ago) * 1000)::bigint, 0
      FROM (VALUES ('old', interval '25 hours'), ('late', interval '23 hours')) AS ended(name, ago)`);

    await one.sessions.add('token-1', Date.now() + MINUTE);

    const kept = await server.query<{ name: string }>(
      `SELECT token AS name FROM ${schema}.revoked_token WHERE token IN ('old', 'late')`,
    );
    assert.deepEqual(kept, [{ name: 'late' }]);
    await one.close();
  });

  it('that the database did not store is revoked in this proxy, and is stored when the database is back', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const [one, other] = [await openPostgres(clock, schema), await openPostgres(clock, schema)];
    await server.query(`ALTER TABLE ${schema}.revoked_token RENAME TO away`);
    await assert.rejects(one.sessions.add('token-1', clock.wall() + MINUTE), StorageFailed);
    const [here, there] = [one.sessions.has('token-1'), other.sessions.has('token-1')];
    await server.query(`ALTER TABLE ${schema}.away RENAME TO revoked_token`);

    await clock.pass(2 * SECOND);

    await eventually(() => other.sessions.has('token-1'));
    assert.deepEqual([here, there], [true, false]);
    await Promise.all([one.close(), other.close()]);
  });

  it('is stored once the proxy has access to the table again', async () => {
    const [schema, clock, password] = [server.newSchema(), new VirtualClock(), randomUUID()];
    await server.query(`CREATE ROLE clerk LOGIN PASSWORD '${password}'`);
    await server.query('GRANT CREATE ON DATABASE postgres TO clerk');
    const url = server.url.replace(/\/\/[^@]+@/, `//clerk:${password}@`);
    const [one, other] = [await openPostgres(clock, schema, url), await openPostgres(clock, schema, server.url)];
    await server.query(`REVOKE ALL ON ${schema}.revoked_token FROM clerk`);

    await clock.pass(2 * SECOND);
    await clock.asleep(2);
    await assert.rejects(one.sessions.add('token-2', clock.wall() + MINUTE), StorageFailed);
    await server.query(`GRANT ALL ON ${schema}.revoked_token TO clerk`);
    await clock.pass(2 * SECOND);

    await eventually(() => other.sessions.has('token-2'));
    await Promise.all([one.close(), other.close()]);
  });

  it('that cannot be read is logged once, until it can be read again', async () => {
    const [schema, clock] = [server.newSchema(), new VirtualClock()];
    const lines: string[] = [];
    const outbox = await openPostgresOutbox(server.url, { schema });
    const sessions = await outbox.endedSessions(clock, (level, event) => lines.push(`${level} ${event}`));
    await server.query(`ALTER TABLE ${schema}.revoked_token RENAME TO away`);
    for (let looks = 0; looks < 3; looks += 1) {
      await clock.pass(2 * SECOND);
      await clock.asleep(1);
    }
    await server.query(`ALTER TABLE ${schema}.away RENAME TO revoked_token`);
    await server.query(`INSERT INTO ${schema}.revoked_token
      VALUES (encode(sha256('token-2'), 'hex'), ${String(clock.wall() + MINUTE)}, 9e15)`);

    await clock.pass(2 * SECOND);
    await eventually(() => sessions.has('token-2'));

    const words = [
      'error sign-outs of other proxies are not heard of',
      'info sign-outs of other proxies are heard of again',
    ];
    await clock.asleep(1);
    assert.deepEqual(lines, words);
    await outbox.close();
  });
});
