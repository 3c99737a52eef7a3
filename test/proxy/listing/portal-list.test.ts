import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { listing, type Listing, type Receipt, receipts } from '../../../src/contract/widget.js';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import type { ProxyOptions } from '../../../src/proxy/options.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LISTING = { path: '/v1/items', paging: 'cursor', vendor: 'boat-tours' };

interface Claims {
  readonly vendor?: string;
  readonly items?: readonly string[];
}

/** A session that lasts for days: an embed token ends after minutes. */
const authenticateBySession: ProxyOptions['authenticate'] = ({ headers }) => {
  const claims = JSON.parse(atob(headers.get('Authorization')?.slice('Bearer '.length) ?? '')) as Claims;
  const permissions = new Set(['view', 'edit'] as const);
  return Promise.resolve({
    vendor: 'boat-tours',
    subject: 'ada',
    permissions,
    expiresAt: Date.UTC(2100, 0),
    ...claims,
  });
};

function sessionOf(claims: Claims = {}): string {
  return btoa(JSON.stringify(claims));
}

interface Fixture extends OpenProxy {
  /** Items found to have another value at the portal, by metric. */
  readonly drifted: () => number;
  change(id: string, available: boolean): Promise<void>;
  page(query?: string, claims?: Claims): Promise<Listing>;
  item(id: string): Promise<Listing['inventory'][number] | undefined>;
  post(id: string, available: boolean): Promise<Receipt>;
  receipt(edit: Receipt): Promise<Partial<Receipt>>;
  /** Updates and readings that the portal has seen. */
  seen(kind: 'update' | 'list'): Promise<number>;
}

/** A proxy before the sandbox portal with its list, which has these items from elsewhere. */
async function open(
  t: TestContext,
  {
    habits = {},
    profile = {},
    items = {},
    options = {},
  }: Partial<Record<'habits' | 'profile', object>> & {
    readonly items?: Readonly<Record<string, boolean>>;
    readonly options?: Partial<ProxyOptions>;
  } = {},
): Promise<Fixture> {
  let drifts = 0;
  const fixture = openProxy(t, {
    profile: portalProfile.parse({ listing: LISTING, ...profile }),
    metrics: { ...noMetrics, portalDrifted: (count) => void (drifts += count) },
    authenticate: authenticateBySession,
    ...options,
  });
  const { portal, proxy, clock, ask } = fixture;
  await portal.turn({ list: 'cursor', list_path: '/v1/items', list_page: 2, ...habits });
  for (const [id, available] of Object.entries(items)) await portal.change(id, available);
  proxy.start();
  const page: Fixture['page'] = async (query = '', claims) => {
    const response = ask('GET', `/v1/inventory${query}`, { token: sessionOf(claims) });
    return listing.parse(await (await clock.passUntil(response, 10 * SECOND)).json());
  };
  return {
    ...fixture,
    drifted: () => drifts,
    change: (id, available) => portal.change(id, available),
    page,
    item: async (id) => (await page()).inventory.find((item) => item.id === id),
    async post(id, available) {
      const inventory = [{ id, available, updated_at: '2026-11-21T08:30:00.000Z' }];
      const response = await ask('POST', '/v1/inventory', { token: sessionOf(), body: { inventory } });
      const [receipt] = receipts.parse(await response.json()).receipts;
      assert.ok(receipt);
      return receipt;
    },
    async receipt({ edit_id }) {
      const response = await ask('GET', `/v1/receipts?ids=${edit_id}`, { token: sessionOf() });
      return { ...receipts.parse(await response.json()).receipts[0] };
    },
    seen: async (kind) => (await portal.journal()).filter((entry) => entry.kind === kind).length,
  };
}

describe("the portal's own list", () => {
  it('fills the editor for a person who has changed nothing yet', async (t) => {
    const fixture = await open(t, { items: { canoe: false, kayak: true, sauna: true } });

    const { inventory } = await fixture.page();

    assert.deepEqual(
      inventory.map(({ id, available, state }) => [id, available, state]),
      [
        ['canoe', false, undefined],
        ['kayak', true, undefined],
        ['sauna', true, undefined],
      ],
    );
  });

  it('fills it page by page, without losing one between those that were changed here', async (t) => {
    const ids = Array.from({ length: 9 }, (_, at) => `item-${at}`);
    const fixture = await open(t, { items: Object.fromEntries(ids.map((id) => [id, true])) });
    for (const id of ['item-1', 'item-4', 'item-5', 'item-new']) await fixture.post(id, false);
    await fixture.clock.pass(MINUTE);

    const seen: string[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: Listing = await fixture.page(`?limit=2${next && `&cursor=${next}`}`);
      seen.push(...page.inventory.map(({ id }) => id));
      next = page.next;
    }

    assert.deepEqual(seen, [...ids, 'item-new']);
  });

  it('gives the values of items that the item catalog names', async (t) => {
    const known = [{ id: 'kayak', available: false, label: 'Kayak tour', group: 'Water' }] as const;
    const fixture = await open(t, { items: { kayak: true }, options: { itemCatalog: catalogOf(known) } });

    const [kayak] = (await fixture.page()).inventory;

    assert.deepEqual([kayak?.available, kayak?.label, kayak?.group], [true, 'Kayak tour', 'Water']);
  });

  it('is read again each minute while a page is open, and once a day when none is', async (t) => {
    const fixture = await open(t);
    await fixture.post('kayak', true);
    await fixture.page();
    await fixture.clock.pass(10 * SECOND);
    const before = await fixture.seen('list');

    await fixture.clock.pass(HOUR);
    const unwatched = (await fixture.seen('list')) - before;
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await fixture.page();
      await fixture.clock.pass(MINUTE);
    }
    const watched = (await fixture.seen('list')) - before - unwatched;
    const since = await fixture.seen('list');
    await fixture.clock.pass(49 * HOUR);
    const daily = (await fixture.seen('list')) - since;

    assert.ok(unwatched <= 2, `${unwatched} readings without a page`);
    assert.ok(watched >= 9 && watched <= 12, `${watched} readings in ten minutes with a page`);
    assert.ok(daily >= 2 && daily <= 5, `${daily} readings in two days without a page`);
  });

  it('is not read if the profile has no listing', async (t) => {
    const fixture = await open(t, { profile: { listing: undefined }, items: { kayak: true } });

    const { inventory } = await fixture.page();
    await fixture.clock.pass(HOUR);

    assert.deepEqual(inventory, []);
    assert.equal(await fixture.seen('list'), 0);
  });

  it('is read only when deliveries leave calls within the rate limit', async (t) => {
    const fixture = await open(t, { profile: { limits: { items: 1, calls_per_second: 1 } }, items: { sauna: true } });
    const edits = Array.from({ length: 30 }, (_, at) => fixture.post(`item-${at}`, true));
    await Promise.all(edits);
    const page = fixture.ask('GET', '/v1/inventory', { token: sessionOf() });

    await fixture.clock.pass(20 * SECOND);
    const [updates, readings] = [await fixture.seen('update'), await fixture.seen('list')];
    await fixture.clock.pass(MINUTE);
    await page;

    assert.ok(updates >= 18, `${updates} updates in 20 seconds`);
    // Where a worker ends its turn, one call may slip in.
    assert.ok(readings <= 1, `${readings} pages of the list in 20 seconds`);
    assert.ok((await fixture.seen('list')) > 0);
  });
});

describe('a vendor that shares its list with others', () => {
  const SHARED = { listing: { path: '/v1/items', paging: 'cursor' } };

  it('shows the items that the token names', async (t) => {
    const fixture = await open(t, { profile: SHARED, items: { 'boats-kayak': true, 'pots-vase': true } });

    const unsigned = await fixture.page();
    const signed = await fixture.page('', { items: ['boats-*'] });

    assert.deepEqual(unsigned.inventory, []);
    assert.deepEqual(
      signed.inventory.map(({ id }) => id),
      ['boats-kayak'],
    );
  });

  it('shows no item that another vendor has changed, whatever the token names', async (t) => {
    const fixture = await open(t, { profile: SHARED, items: { vase: true } });
    const body = { inventory: [{ id: 'vase', available: false, updated_at: '2026-11-21T08:30:00.000Z' }] };
    await fixture.ask('POST', '/v1/inventory', { token: sessionOf({ vendor: 'pottery' }), body });
    await fixture.clock.pass(MINUTE);

    const { inventory } = await fixture.page('', { items: ['*'] });

    assert.deepEqual(inventory, []);
  });
});

describe('an edit that the portal has only accepted', () => {
  const ACCEPTING = { taken_status: 202, applied_after: 5 * MINUTE };
  const PROFILE = { statuses: { 202: 'accepted' }, confirmation: { after_ms: SECOND } };

  it('is delivered when the list shows its value, and not before', async (t) => {
    const fixture = await open(t, { habits: ACCEPTING, profile: PROFILE, items: { kayak: false } });

    const edit = await fixture.post('kayak', true);
    await fixture.clock.pass(4 * MINUTE);
    const before = await fixture.receipt(edit);
    await fixture.clock.pass(8 * MINUTE);
    const after = await fixture.receipt(edit);

    assert.deepEqual([before.state, before.reason], ['received', 'portal_confirms']);
    assert.deepEqual([after.state, after.reason], ['delivered', undefined]);
    assert.equal(fixture.drifted(), 0);
  });

  it('is not confirmed by the value that the portal had before', async (t) => {
    const fixture = await open(t, { habits: ACCEPTING, profile: PROFILE, items: { kayak: true } });
    await fixture.post('kayak', false);
    await fixture.clock.pass(SECOND);

    // The portal shows this value all the time, and processes the one before first.
    const edit = await fixture.post('kayak', true);
    await fixture.clock.pass(4 * MINUTE);

    assert.equal((await fixture.receipt(edit)).state, 'received');
  });
});

describe('a value that was changed at the portal', () => {
  async function delivered(t: TestContext): Promise<{ readonly fixture: Fixture; readonly edit: Receipt }> {
    const fixture = await open(t);
    const edit = await fixture.post('kayak', true);
    await fixture.clock.pass(10 * SECOND);
    await fixture.page();
    await fixture.clock.pass(2 * MINUTE);
    return { fixture, edit };
  }

  /** Long enough for two readings. */
  async function watch(fixture: Fixture): Promise<void> {
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await fixture.page();
      await fixture.clock.pass(MINUTE);
    }
  }

  it('is shown as changed, is counted, and is not overwritten', async (t) => {
    const { fixture, edit } = await delivered(t);
    const before = await fixture.page();

    await fixture.change('kayak', false);
    await watch(fixture);

    const [kayak] = (await fixture.page()).inventory;
    assert.deepEqual(
      [kayak?.available, kayak?.on_portal, kayak?.state, kayak?.edit_id],
      [false, 'changed', undefined, undefined],
    );
    assert.equal(before.inventory[0]?.state, 'delivered');
    assert.equal((await fixture.receipt(edit)).state, 'delivered');
    assert.equal(fixture.drifted(), 1);
    assert.equal(await fixture.seen('update'), 1);
    assert.ok(fixture.log.some(({ event }) => event === 'the portal has other values than were delivered'));
  });

  it('is in the changes since the last revision', async (t) => {
    const { fixture } = await delivered(t);
    const { revision } = await fixture.page();

    await fixture.change('kayak', false);
    await watch(fixture);

    const { inventory } = await fixture.page(`?since=${String(revision)}`);
    assert.deepEqual(
      inventory.map(({ id, available, on_portal }) => [id, available, on_portal]),
      [['kayak', false, 'changed']],
    );
  });

  it('is not marked any more once the portal has the delivered value again', async (t) => {
    const { fixture } = await delivered(t);
    await fixture.change('kayak', false);
    await watch(fixture);

    await fixture.change('kayak', true);
    await watch(fixture);

    const [kayak] = (await fixture.page()).inventory;
    assert.deepEqual([kayak?.available, kayak?.on_portal, kayak?.state], [true, undefined, 'delivered']);
  });

  it('is replaced by the next edit of a person', async (t) => {
    const { fixture } = await delivered(t);
    await fixture.change('kayak', false);
    await watch(fixture);

    const edit = await fixture.post('kayak', true);
    const onItsWay = (await fixture.page()).inventory[0];
    await fixture.clock.pass(10 * SECOND);

    assert.deepEqual([onItsWay?.available, onItsWay?.edit_id, onItsWay?.on_portal], [true, edit.edit_id, undefined]);
    assert.equal((await fixture.receipt(edit)).state, 'delivered');
    await watch(fixture);
    assert.equal((await fixture.item('kayak'))?.state, 'delivered');
    assert.equal(fixture.drifted(), 1);
  });

  it('is forgotten when the list is no longer read', async (t) => {
    const { fixture } = await delivered(t);
    await fixture.change('kayak', false);
    await watch(fixture);

    fixture.proxy.reload(fixture.portal.account, portalProfile.parse({}));
    await fixture.clock.pass(10 * SECOND);

    assert.equal((await fixture.item('kayak'))?.state, 'delivered');
  });
});

function catalogOf(items: readonly object[]): NonNullable<ProxyOptions['itemCatalog']> {
  return {
    byVendor: false,
    itemsOf: () => Promise.resolve(items as never),
    ownerOf: () => undefined,
    isRead: () => true,
    readAgain: () => Promise.resolve(true),
    onRead: () => undefined,
    reload: () => undefined,
  };
}
