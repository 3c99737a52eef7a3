import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../../src/proxy/runtime/clock.js';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { PostgresNotifications } from '../../../../src/proxy/node/database/postgres/postgres-notify.js';
import type { Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { openProxy } from '../../../support/open-proxy.js';
import { accept, edit } from '../../../support/outbox-batches.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { SilentRelay } from '../../../support/silent-relay.js';

/** Without a notification a proxy polls once a minute. On this clock that minute never ends. */
const withoutPolling: Clock = {
  ...systemClock,
  after: (milliseconds, callback) =>
    milliseconds < 60_000 ? systemClock.after(milliseconds, callback) : () => undefined,
};

const server = await PostgresServer.start();
after(() => server.stop());

async function delivered(outbox: Outbox, edits: number): Promise<void> {
  while ((await outbox.count()).delivered < edits) await sleep(20);
}

describe('a proxy on a shared PostgreSQL', () => {
  it('delivers an edit that another process has accepted as soon as it is notified', async (t) => {
    const schema = server.newSchema();
    const open = (): Promise<Outbox> => openPostgresOutbox(server.url, { schema });
    const [own, other] = [await open(), await open()];
    t.after(() => other.close());
    const { proxy, portal } = openProxy(t, { outbox: own, clock: withoutPolling });
    await accept(own, edit('first'));
    proxy.start();
    await delivered(own, 1);

    await accept(other, edit('kayak'));
    await delivered(own, 2);

    assert.deepEqual(
      (await portal.items()).map(({ id }) => id),
      ['first', 'kayak'],
    );
  });

  it('notices within seconds that the network drops its notifications, logs it, and listens on a new connection', async (t) => {
    const schema = server.newSchema();
    const relay = await SilentRelay.to(server.url);
    t.after(() => relay.close());
    const said: string[] = [];
    const own = await openPostgresOutbox(relay.url, { schema, log: (level, event) => said.push(`${level} ${event}`) });
    t.after(() => own.close());
    const other = await openPostgresOutbox(server.url, { schema });
    t.after(() => other.close());
    const heard: string[] = [];
    own.subscribe((vendor) => heard.push(vendor));

    relay.fallSilent();
    while (said.length < 2) await sleep(20);
    await accept(other, edit('kayak'));
    while (heard.length === 0) await sleep(20);

    assert.deepEqual(said, [
      'warn changes by other proxies are not heard of',
      'info changes by other proxies are heard of again',
    ]);
    assert.equal(heard.length, 1);
  });

  it('closes a connection on which it could not start to listen', async () => {
    const schema = server.newSchema();
    const connections = async (): Promise<number> => {
      const [found] = await server.query<{ open: string }>(
        'SELECT count(*) AS open FROM pg_stat_activity WHERE query LIKE $1',
        `LISTEN ${schema};%`,
      );
      return Number(found?.open);
    };
    const notifications = new PostgresNotifications({ url: server.url, schema }, 'self', () => undefined);
    notifications.also('no channel', () => undefined);

    // The proxy retries again and again.
    for (let tries = 0; tries < 3; tries += 1) await notifications.listen();

    while ((await connections()) > 0) await sleep(20);
    await notifications.close();
  });
});
