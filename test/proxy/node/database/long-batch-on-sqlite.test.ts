import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { problem } from '../../../../src/contract/problem.js';
import { receipts } from '../../../../src/contract/widget.js';
import type { ItemId } from '../../../../src/domain/item.js';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { LONG_INVENTORY as INVENTORY } from '../../../support/long-inventory.js';
import { openProxy, type OpenProxy } from '../../../support/open-proxy.js';
import { embedToken } from '../../../support/page-request.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const MANY = INVENTORY.length;

async function post(
  fixture: OpenProxy,
  inventory: readonly object[],
  headers?: Record<string, string>,
): Promise<Response> {
  const token = await fixture.clock.during(embedToken());
  const answer = fixture.ask('POST', '/v1/inventory', { token, body: { inventory }, ...(headers && { headers }) });
  return fixture.clock.during(answer);
}

describe('a long batch on the SQLite outbox', () => {
  function fixtureOn(t: TestContext): OpenProxy {
    const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    return openProxy(t, { outbox, writeLimits: { edits: 10 * MANY } });
  }

  it('gets the same receipts as on the outbox in memory, also when it is repeated', async (t) => {
    const [there, here] = [fixtureOn(t), openProxy(t)];
    const key = { 'Idempotency-Key': 'the-same' };
    const [first, again, usual] = [
      await post(there, INVENTORY, key),
      await post(there, INVENTORY, key),
      await post(here, INVENTORY, key),
    ];

    const [told, toldAgain, expected] = await Promise.all(
      [first, again, usual].map(async (answer) => receipts.parse(await answer.json()).receipts),
    );
    assert.deepEqual([first.status, again.status], [202, 202]);
    assert.deepEqual(toldAgain, told);
    const withoutTime = (list: typeof told = []): unknown[] => list.map((one) => ({ ...one, updated_at: '' }));
    assert.deepEqual(withoutTime(told), withoutTime(expected));
    assert.equal((await there.outbox.count()).received, MANY);
  });

  it('is rejected as a whole with a repeated item, or with the key of another batch', async (t) => {
    const fixture = fixtureOn(t);
    const twice = await post(fixture, [...INVENTORY, { ...INVENTORY[7], edit_id: 'another' }]);
    const key = { 'Idempotency-Key': 'the-same' };
    await post(fixture, INVENTORY, key);
    const other = await post(
      fixture,
      INVENTORY.map((one) => ({ ...one, edit_id: `${one.edit_id}-b` })),
      key,
    );

    const refused = problem.parse(await twice.json());
    assert.deepEqual([twice.status, refused.code], [422, 'duplicate_item']);
    assert.equal(problem.parse(await other.json()).code, 'idempotency_key_reused');
    assert.equal((await fixture.outbox.count()).received, MANY);
  });

  it('is delivered with its values, whatever was accepted before', async (t) => {
    const fixture = fixtureOn(t);
    await post(fixture, [{ ...INVENTORY[1], available: true, edit_id: 'the-first' }]);
    await post(fixture, INVENTORY);
    fixture.proxy.start();
    while ((await fixture.outbox.count()).received > 0) await fixture.clock.pass(1_000);

    const items = new Map((await fixture.portal.items()).map((item) => [item.id, item.by_arrival.available]));
    assert.deepEqual(items, new Map(INVENTORY.map(({ id, available }) => [id as ItemId, available])));
  });
});
