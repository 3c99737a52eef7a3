import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { StorageFailed, type Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { batch, edit } from '../../outbox/outbox-contract.js';

const WAITING = `FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;

const server = await PostgresServer.start();
after(() => server.stop());

describe('the PostgreSQL outbox without its synchronous standby', () => {
  it('does not confirm a repeated batch before the standby has it', async (t) => {
    const outbox = await openOutbox(t);
    const request = batch([edit('a', true)]);
    await nameStandby('standby');
    const lost = assert.rejects(outbox.accept(request), StorageFailed);
    await seeWaiting();
    await server.restart();
    await lost;

    const again = outbox.accept(request);

    await seeWaiting();
    await nameStandby('');
    assert.equal((await again).kind, 'accepted');
  });

  it('rejects a batch whose wait for the standby is cancelled', async (t) => {
    const outbox = await openOutbox(t);
    await nameStandby('standby');
    const cancelled = assert.rejects(outbox.accept(batch([edit('a', true)])), StorageFailed);
    await seeWaiting();

    await server.query(`SELECT pg_cancel_backend(pid) ${WAITING}`);

    await cancelled;
    await nameStandby('');
  });
});

async function openOutbox(t: TestContext): Promise<Outbox> {
  const outbox = await openPostgresOutbox(server.url, { schema: server.newSchema() });
  t.after(async () => {
    await nameStandby('');
    await outbox.close();
  });
  return outbox;
}

async function nameStandby(name: string): Promise<void> {
  await server.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await server.query('SELECT pg_reload_conf()');
  const shown = async (): Promise<unknown> => (await server.query('SHOW synchronous_standby_names'))[0];
  while (JSON.stringify(await shown()) !== JSON.stringify({ synchronous_standby_names: name })) await sleep(10);
}

async function seeWaiting(): Promise<void> {
  while ((await server.query(`SELECT 1 ${WAITING}`)).length === 0) await sleep(10);
}
