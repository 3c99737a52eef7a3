import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { StorageFailed } from '../../../src/proxy/outbox/outbox.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { DeliveryStand } from '../../support/delivery-stand.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const DAY = 24 * 60 * 60_000;

async function deliverTwo(stand: DeliveryStand): Promise<void> {
  for (const available of [true, false]) {
    await stand.post({ id: 'kayak', available });
    await stand.clock.pass(1000);
  }
}

async function statesIn(stand: DeliveryStand): Promise<string[]> {
  const entries = await stand.outbox.history('boat-tours', { limit: 9 });
  return entries.map(({ state }) => state);
}

describe('a proxy that runs for long', () => {
  it('forgets nothing early because its clock was ahead when it started', async (t) => {
    const stand = new DeliveryStand(t);
    stand.clock.setWallBy(500 * DAY);
    await stand.restart();
    stand.clock.setWallBy(-500 * DAY);
    await deliverTwo(stand);

    await stand.clock.pass(60 * 60_000);

    assert.deepEqual(await statesIn(stand), ['delivered', 'delivered']);
  });

  it('forgets nothing early because its clock goes ahead while it runs', async (t) => {
    const stand = new DeliveryStand(t);
    await deliverTwo(stand);

    stand.clock.setWallBy(500 * DAY);
    await stand.clock.pass(60 * 60_000);

    assert.deepEqual(await statesIn(stand), ['delivered', 'delivered']);
  });

  it('forgets what is old at each start, and an hour later where the storage refused, which the log says', async (t) => {
    const outbox = openMemoryOutbox();
    const prune = mock.method(outbox, 'prune', () => Promise.reject(new StorageFailed('the disk is full')));
    const { proxy, clock, log } = openProxy(t, { outbox });

    proxy.start();
    await clock.pass(0);
    const times = [prune.mock.callCount()];
    await clock.pass(60 * 60_000);
    times.push(prune.mock.callCount());

    assert.deepEqual(times, [1, 2]);
    assert.equal(log.filter(({ event }) => event === 'old rows could not be deleted').length, 2);
  });

  it('forgets nothing more once it was told to stop: its storage may be closed by then', async (t) => {
    const outbox = openMemoryOutbox();
    const prune = mock.method(outbox, 'prune');
    const { proxy, clock } = openProxy(t, { outbox });
    proxy.start();
    await clock.pass(0);

    await proxy.stop();
    await clock.pass(2 * 60 * 60_000);

    assert.equal(prune.mock.callCount(), 1);
  });

  it('knows a key for a week, and takes it for a new one after that', async (t) => {
    const ada = { vendor: 'boat-tours', subject: 'ada', permissions: ['edit'], expiresAt: Date.UTC(2099) } as const;
    const stand = openProxy(t, { historyDays: 30, authenticate: () => Promise.resolve(ada) });
    stand.proxy.start();
    const post = async (id: string): Promise<number> => {
      const { status } = await stand.ask('POST', '/v1/inventory', {
        body: { inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }] },
        headers: { 'Idempotency-Key': 'one' },
      });
      await stand.clock.pass(60 * 60_000);
      return status;
    };
    const statuses = [await post('kayak')];

    stand.clock.jump(7 * DAY - 3 * 60 * 60_000);
    await stand.clock.pass(60 * 60_000);
    statuses.push(await post('boat'));
    stand.clock.jump(DAY);
    await stand.clock.pass(60 * 60_000);
    statuses.push(await post('boat'));

    assert.deepEqual(statuses, [202, 422, 202]);
  });

  it('forgets settled edits after the days of history, and keys after a week, but never an item’s newest edit', async (t) => {
    const stand = openProxy(t, { historyDays: 30 });
    stand.proxy.start();
    const token = await embedToken({ permissions: ['view', 'edit', 'history'] });
    const post = async (available: boolean, key: string): Promise<Response> =>
      stand.ask('POST', '/v1/inventory', {
        token,
        body: { inventory: [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z', edit_id: key }] },
        headers: { 'Idempotency-Key': key },
      });
    await post(true, 'one');
    await stand.clock.pass(1000);
    await post(false, 'two');
    await stand.clock.pass(1000);

    stand.clock.jump(31 * DAY);
    await stand.clock.pass(60 * 60_000);

    const entries = await stand.outbox.history('boat-tours', { limit: 9 });
    assert.deepEqual(
      entries.map(({ edit_id }) => edit_id as string),
      ['two'],
    );
    const count = await stand.outbox.count();
    assert.deepEqual([count.accepted, count.pruned, count.delivered], [2, 1, 1]);
  });

  it('keeps edits as long as their keys, however few days of history it was given', async (t) => {
    const stand = openProxy(t, { historyDays: 1 });
    stand.proxy.start();
    const token = await embedToken();
    for (const available of [true, false]) {
      const inventory = [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z' }];
      await stand.ask('POST', '/v1/inventory', { token, body: { inventory } });
      await stand.clock.pass(1000);
    }

    stand.clock.jump(6 * DAY);
    await stand.clock.pass(60 * 60_000);
    const before = (await stand.outbox.count()).pruned;
    stand.clock.jump(DAY);
    await stand.clock.pass(60 * 60_000);

    assert.deepEqual([before, (await stand.outbox.count()).pruned], [0, 1]);
  });
});
