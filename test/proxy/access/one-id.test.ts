import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inventoryUpdate } from '../../../src/contract/portal.js';
import { history } from '../../../src/contract/history.js';
import { listing, PERMISSIONS, receipts } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { UnreliablePortal } from '../../support/unreliable-portal.js';

const APART = portalProfile.parse({ update: { path: '/v1/vendors/{vendor}/inventory' } });
const TOGETHER = portalProfile.parse({});

interface Fixture extends OpenProxy {
  /** What the portal was told, under whose path. */
  readonly told: readonly string[];
}

/** A proxy before a portal that has an inventory of each vendor's. */
function openFixture(t: TestContext): Fixture {
  const clock = new VirtualClock(Date.now());
  const portal = new UnreliablePortal(clock);
  const told: string[] = [];
  const byVendor: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const vendor = /^\/v1\/vendors\/([^/]+)\/inventory$/.exec(new URL(request.url).pathname)?.[1];
    if (vendor === undefined) return portal.fetch(input, init);
    const { inventory } = inventoryUpdate.parse(await request.json());
    for (const { id, available } of inventory) told.push(`${vendor}: ${id} ${String(available)}`);
    return new Response(null, { status: 204 });
  };
  const fixture = openProxy(t, { clock, portal: portal.account, profile: APART, fetch: byVendor });
  return { ...fixture, portal, told };
}

describe('two vendors with the vendor in the portal’s path', () => {
  it('may have an item of the same id, each with its own value, list and history', async (t) => {
    const fixture = openFixture(t);
    fixture.proxy.start();

    const answers = [await post(fixture, 'boat-tours', true), await post(fixture, 'weavers', false)];
    await fixture.clock.pass(10_000);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202],
    );
    assert.deepEqual([...fixture.told].sort(), ['boat-tours: kayak true', 'weavers: kayak false']);
    assert.deepEqual(
      [await seenBy(fixture, 'boat-tours'), await seenBy(fixture, 'weavers')],
      [
        { listed: [['kayak', true, 'delivered', undefined]], entries: [true] },
        { listed: [['kayak', false, 'delivered', undefined]], entries: [false] },
      ],
    );
  });

  it('keep the id with the first vendor when the path does not name the vendor any more, and the edit of the other is refused', async (t) => {
    const fixture = openFixture(t);
    await post(fixture, 'boat-tours', true);
    const { receipts: made } = receipts.parse(await (await post(fixture, 'weavers', false)).json());

    fixture.proxy.reload(fixture.portal.account, TOGETHER);
    await fixture.clock.pass(1000);
    fixture.proxy.start();
    await fixture.clock.pass(10_000);

    assert.deepEqual(
      [await seenBy(fixture, 'boat-tours'), await seenBy(fixture, 'weavers')],
      [
        { listed: [['kayak', true, 'delivered', undefined]], entries: [true] },
        { listed: [['kayak', false, 'refused', 'item_unknown']], entries: [false] },
      ],
    );
    const held = await fixture.portal.items();
    assert.deepEqual(
      held.map(({ id, by_arrival }) => [id, by_arrival.available]),
      [['kayak', true]],
    );
    await expectProblem(await post(fixture, 'weavers', false), 'item_unknown');
    const retry = `/v1/edits/${made[0]?.edit_id ?? ''}/retry`;
    const token = await tokenOf('weavers');
    await expectProblem(await fixture.ask('POST', retry, { token, body: {} }), 'item_unknown');
  });

  for (const how of ['are read again', 'are those of a new start'] as const) {
    it(`keep the id with its owner until the lanes match the settings, which ${how}`, async (t) => {
      const fixture = openFixture(t);
      await post(fixture, 'boat-tours', true);
      const move = fixture.outbox.moveLanes.bind(fixture.outbox);
      let letGo = (): void => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      mock.method(fixture.outbox, 'moveLanes', (...words: Parameters<typeof move>) => held.then(() => move(...words)));
      const options = { ...fixture, portal: fixture.portal.account, fetch: fixture.portal.fetch, profile: TOGETHER };
      const next =
        how === 'are read again' ? fixture : { ...fixture, ...openProxy(t, { ...options, log: () => undefined }) };

      if (next === fixture) fixture.proxy.reload(fixture.portal.account, TOGETHER);
      else next.proxy.start();
      const answers = Promise.all([post(next, 'weavers', false), post(next, 'boat-tours', false)]);
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();
      letGo();

      const [ofOther, ofOwner] = await answers;
      // Ends what delivery has begun. The two proxies share the storage, which is closed when the first one stops.
      await fixture.clock.pass(10_000);
      await expectProblem(ofOther, 'item_unknown');
      assert.equal(ofOwner.status, 202);
    });
  }
});

function tokenOf(vendor: string): Promise<string> {
  return embedToken({ vendor, permissions: [...PERMISSIONS] });
}

async function post(fixture: Fixture, vendor: string, available: boolean): Promise<Response> {
  const body = { inventory: [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z' }] };
  return fixture.ask('POST', '/v1/inventory', { token: await tokenOf(vendor), body });
}

async function seenBy(fixture: Fixture, vendor: string) {
  const token = await tokenOf(vendor);
  const { inventory } = listing.parse(await (await fixture.ask('GET', '/v1/inventory', { token })).json());
  const told = history.parse(await (await fixture.ask('GET', '/v1/history?item=kayak', { token })).json());
  return {
    listed: inventory.map((item) => [item.id, item.available, item.state, 'reason' in item ? item.reason : undefined]),
    entries: told.history.map(({ to }) => to),
  };
}
