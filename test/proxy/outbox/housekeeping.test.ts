import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { StorageFailed } from '../../../src/proxy/outbox/outbox.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { DeliveryFixture } from '../../support/delivery-fixture.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const DAY = 24 * 60 * 60_000;

async function deliverTwo(fixture: DeliveryFixture): Promise<void> {
  for (const available of [true, false]) {
    await fixture.post({ id: 'kayak', available });
    await fixture.clock.pass(1000);
  }
}

async function statesIn(fixture: DeliveryFixture): Promise<string[]> {
  const entries = await fixture.outbox.history('boat-tours', { limit: 9 });
  return entries.map(({ state }) => state);
}

describe('a proxy that runs for long', () => {
  it('deletes nothing too early if its clock was ahead when it started', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.clock.setWallBy(500 * DAY);
    await fixture.restart();
    fixture.clock.setWallBy(-500 * DAY);
    await deliverTwo(fixture);

    await fixture.clock.pass(60 * 60_000);

    assert.deepEqual(await statesIn(fixture), ['delivered', 'delivered']);
  });

  it('deletes nothing too early if its clock jumps ahead while it runs', async (t) => {
    const fixture = new DeliveryFixture(t);
    await deliverTwo(fixture);

    fixture.clock.setWallBy(500 * DAY);
    await fixture.clock.pass(60 * 60_000);

    assert.deepEqual(await statesIn(fixture), ['delivered', 'delivered']);
  });

  it('deletes old rows at each start, and an hour later if the storage failed, which is logged', async (t) => {
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

  it('deletes nothing after it was stopped, because its storage may be closed by then', async (t) => {
    const outbox = openMemoryOutbox();
    const prune = mock.method(outbox, 'prune');
    const { proxy, clock } = openProxy(t, { outbox });
    proxy.start();
    await clock.pass(0);

    await proxy.stop();
    await clock.pass(2 * 60 * 60_000);

    assert.equal(prune.mock.callCount(), 1);
  });

  it('knows an idempotency key for a week, and treats it as new after that', async (t) => {
    const ada = { vendor: 'boat-tours', subject: 'ada', permissions: ['edit'], expiresAt: Date.UTC(2099) } as const;
    const fixture = openProxy(t, { historyDays: 30, authenticate: () => Promise.resolve(ada) });
    fixture.proxy.start();
    const post = async (id: string): Promise<number> => {
      const { status } = await fixture.ask('POST', '/v1/inventory', {
        body: { inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }] },
        headers: { 'Idempotency-Key': 'one' },
      });
      await fixture.clock.pass(60 * 60_000);
      return status;
    };
    const statuses = [await post('kayak')];

    fixture.clock.jump(7 * DAY - 3 * 60 * 60_000);
    await fixture.clock.pass(60 * 60_000);
    statuses.push(await post('boat'));
    fixture.clock.jump(DAY);
    await fixture.clock.pass(60 * 60_000);
    statuses.push(await post('boat'));

    assert.deepEqual(statuses, [202, 422, 202]);
  });

  it('deletes settled edits after the days of history and keys after a week, but never the newest edit of an item', async (t) => {
    const fixture = openProxy(t, { historyDays: 30 });
    fixture.proxy.start();
    const token = await embedToken({ permissions: ['view', 'edit', 'history'] });
    const post = async (available: boolean, key: string): Promise<Response> =>
      fixture.ask('POST', '/v1/inventory', {
        token,
        body: { inventory: [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z', edit_id: key }] },
        headers: { 'Idempotency-Key': key },
      });
    await post(true, 'one');
    await fixture.clock.pass(1000);
    await post(false, 'two');
    await fixture.clock.pass(1000);

    fixture.clock.jump(31 * DAY);
    await fixture.clock.pass(60 * 60_000);

    const entries = await fixture.outbox.history('boat-tours', { limit: 9 });
    assert.deepEqual(
      entries.map(({ edit_id }) => edit_id as string),
      ['two'],
    );
    const count = await fixture.outbox.count();
    assert.deepEqual([count.accepted, count.pruned, count.delivered], [2, 1, 1]);
  });

  it('keeps edits as long as their keys, however few days of history are set', async (t) => {
    const fixture = openProxy(t, { historyDays: 1 });
    fixture.proxy.start();
    const token = await embedToken();
    for (const available of [true, false]) {
      const inventory = [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z' }];
      await fixture.ask('POST', '/v1/inventory', { token, body: { inventory } });
      await fixture.clock.pass(1000);
    }

    fixture.clock.jump(6 * DAY);
    await fixture.clock.pass(60 * 60_000);
    const before = (await fixture.outbox.count()).pruned;
    fixture.clock.jump(DAY);
    await fixture.clock.pass(60 * 60_000);

    assert.deepEqual([before, (await fixture.outbox.count()).pruned], [0, 1]);
  });
});
