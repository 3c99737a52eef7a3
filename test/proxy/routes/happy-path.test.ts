import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { listing, type Receipt, receipts } from '../../../src/contract/widget.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const MINUTE = 60_000;
const CLICKED_AT = '1999-12-31T23:59:59.000Z';
const KAYAK = {
  id: 'kayak',
  available: false,
  updated_at: CLICKED_AT,
  base: '1999-12-30T00:00:00Z',
  edit_id: 'edit-1',
  label: 'Kayak tour',
};
const SAUNA = { id: 'sauna', available: true, updated_at: CLICKED_AT };

// What a browser and what stands before the proxy may add: none of it is the portal's business.
const OF_THE_BROWSER = { Cookie: 'host-session=1', 'X-Forwarded-For': '203.0.113.7', 'User-Agent': 'Browser/1.0' };

describe('a batch of edits', () => {
  it('gets a receipt for each edit, in the order of the batch', async (t) => {
    const fixture = openProxy(t);

    const answer = await post(fixture, [KAYAK, SAUNA]);

    assert.equal(answer.status, 202);
    const [first, second, ...more] = receipts.parse(await answer.json()).receipts;
    const updated_at = new Date(fixture.clock.wall()).toISOString();
    assert.deepEqual(first, { edit_id: 'edit-1', id: 'kayak', seq: 1, state: 'received', updated_at });
    assert.match(second?.edit_id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual({ ...second, edit_id: '' }, { edit_id: '', id: 'sauna', seq: 2, state: 'received', updated_at });
    assert.deepEqual(more, []);
  });

  it('is shown as delivered by the receipts and the list once delivery runs', async (t) => {
    const fixture = await deliver(t);

    const told = await read(fixture, '/v1/receipts?ids=edit-1');
    const listed = await read(fixture, '/v1/inventory');

    const [receipt] = receipts.parse(told).receipts;
    assert.equal(receipt?.state, 'delivered');
    assert.equal(receipt.reason, undefined);
    const { updated_at, settled_at } = receipt;
    const delivered = { updated_at, state: 'delivered', settled_at };
    assert.deepEqual(listing.parse(listed), {
      inventory: [
        { id: 'kayak', available: false, ...delivered, edit_id: 'edit-1', label: 'Kayak tour' },
        { id: 'sauna', available: true, ...delivered, edit_id: fixture.sauna.edit_id },
      ],
      revision: 4,
    });
  });

  it('is sent to the portal with exactly the three documented fields of each item', async (t) => {
    const fixture = await deliver(t);

    const [update, ...more] = await fixture.portal.updates();

    assert.deepEqual(update?.inventory, [
      { id: 'kayak', available: false, updated_at: fixture.kayak.updated_at },
      { id: 'sauna', available: true, updated_at: fixture.sauna.updated_at },
    ]);
    assert.equal(update.applied, true);
    assert.equal(update.content_type, 'application/json');
    assert.deepEqual(update.headers, ['accept', 'authorization', 'content-type']);
    assert.deepEqual(more, []);
  });

  it('is preceded by one token request with exactly the three documented fields', async (t) => {
    const fixture = await deliver(t);

    const requests = (await fixture.portal.journal()).filter(({ kind }) => kind === 'token');

    assert.equal(requests.length, 1);
    assert.deepEqual(requests[0]?.fields, ['client_id', 'client_secret', 'grant_type']);
    assert.equal(requests[0].content_type, 'application/json');
    assert.deepEqual(requests[0].headers, ['accept', 'content-type']);
  });

  it('is stamped with the time of the proxy, not with that of the browser', async (t) => {
    const fixture = await deliver(t);

    assert.equal(fixture.kayak.updated_at, new Date(fixture.clock.wall()).toISOString());
  });

  it('has the time of its delivery as settled_at, however late that is', async (t) => {
    const fixture = openProxy(t);
    fixture.portal.networkFault = 'unreachable';
    fixture.proxy.start();
    await post(fixture, [KAYAK]);
    const accepted = fixture.clock.wall();
    await fixture.clock.pass(5 * MINUTE);
    const before = receipts.parse(await read(fixture, '/v1/receipts?ids=edit-1')).receipts[0];
    const cleared = fixture.clock.wall();

    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(5 * MINUTE);

    const after = receipts.parse(await read(fixture, '/v1/receipts?ids=edit-1')).receipts[0];
    const [item] = listing.parse(await read(fixture, '/v1/inventory')).inventory;
    assert.deepEqual([before?.state, before?.settled_at], ['received', undefined]);
    assert.equal(after?.updated_at, new Date(accepted).toISOString());
    const settled = Date.parse(after.settled_at ?? '');
    assert.ok(settled > cleared && settled <= fixture.clock.wall(), `${settled - accepted} ms after acceptance`);
    assert.equal(item?.settled_at, after.settled_at);
  });

  it('is delivered at once if delivery is idle', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();
    await fixture.clock.everybodySleeps();

    await post(fixture, [SAUNA]);
    await fixture.clock.everybodySleeps();

    assert.equal((await fixture.portal.items())[0]?.id, 'sauna');
  });
});

async function post(fixture: OpenProxy, inventory: readonly object[]): Promise<Response> {
  return fixture.ask('POST', '/v1/inventory', {
    token: await embedToken(),
    body: { inventory },
    headers: OF_THE_BROWSER,
  });
}

async function read(fixture: OpenProxy, path: string): Promise<unknown> {
  return (await fixture.ask('GET', path, { token: await embedToken() })).json();
}

async function deliver(t: TestContext): Promise<OpenProxy & { kayak: Receipt; sauna: Receipt }> {
  const fixture = openProxy(t);
  const answer = await post(fixture, [KAYAK, SAUNA]);
  const [kayak, sauna] = receipts.parse(await answer.json()).receipts;
  assert.ok(kayak !== undefined && sauna !== undefined);
  fixture.proxy.start();
  await fixture.clock.everybodySleeps();
  return { ...fixture, kayak, sauna };
}
