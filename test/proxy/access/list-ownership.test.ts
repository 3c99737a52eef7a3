import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { CatalogItem } from '../../../src/contract/widget.js';
import type { ItemId } from '../../../src/domain/item.js';
import { createItemCatalog, READ_AGAIN_MS, type ItemCatalog } from '../../../src/proxy/access/item-catalog.js';
import type { ProxyOptions } from '../../../src/proxy/options.js';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;

type Lists = Record<string, readonly string[] | undefined>;

interface Fixture extends OpenProxy {
  readonly catalog: ItemCatalog;
  readonly reassigned: readonly number[];
  post(vendor: string, available: boolean, ids?: readonly string[]): Promise<Response>;
  /** Reads the list of this vendor now. */
  read(vendor: string): Promise<void>;
}

/** Vendors that share a credential, each with a list. A vendor without one has a source that fails. */
function openFixture(t: TestContext, lists: Lists, options: Partial<ProxyOptions> = {}): Fixture {
  const clock = options.clock instanceof VirtualClock ? options.clock : new VirtualClock(Date.now());
  const catalog = createItemCatalog({
    byVendor: true,
    read: (vendor) => {
      const ids = lists[vendor];
      if (ids === undefined) return Promise.reject(new Error('the source answered 503'));
      return Promise.resolve({ items: ids.map((id): CatalogItem => ({ id: id as ItemId })) });
    },
    clock,
    log: () => undefined,
  });
  const reassigned: number[] = [];
  const fixture = openProxy(t, {
    clock,
    itemCatalog: catalog,
    metrics: { ...noMetrics, itemsReassigned: (items) => void reassigned.push(items) },
    ...options,
  });
  return {
    ...fixture,
    catalog,
    reassigned,
    async post(vendor, available, ids = ['kayak']) {
      const token = await embedToken({ vendor, subject: vendor });
      const updated_at = new Date(clock.wall()).toISOString();
      return fixture.ask('POST', '/v1/inventory', {
        token,
        body: { inventory: ids.map((id) => ({ id, available, updated_at })) },
      });
    },
    async read(vendor) {
      catalog.reload();
      await catalog.itemsOf(vendor);
      await clock.pass(0);
    },
  };
}

/** Another proxy on the same storage, which has read no list. */
function restart(t: TestContext, { outbox, clock }: Fixture, lists: Lists): Fixture {
  return openFixture(t, lists, { outbox, clock });
}

describe('where each vendor has a list and all share a credential', () => {
  it('an id of another vendor is refused before any list was read', async (t) => {
    const { post, outbox } = openFixture(t, { 'boat-tours': ['kayak'], pottery: ['jug'] });

    const answer = await post('pottery', false);

    await expectProblem(answer, 'item_unknown');
    assert.equal((await outbox.count()).accepted, 0);
  });

  it('an id that no list names is refused, and accepted once the list of the vendor names it', async (t) => {
    const lists: Lists = { 'boat-tours': ['kayak'] };
    const { clock, post } = openFixture(t, lists);
    await expectProblem(await post('boat-tours', true, ['canoe']), 'item_unknown');
    lists['boat-tours'] = ['kayak', 'canoe'];
    await clock.pass(READ_AGAIN_MS);

    const answer = await post('boat-tours', true, ['canoe']);

    assert.equal(answer.status, 202);
  });

  it('guesses at listed ids spend the budget', async (t) => {
    const { post } = openFixture(t, { pottery: ['jug'] }, { writeLimits: { edits: 3 } });
    for (const id of ['kayak', 'canoe', 'sauna'])
      await expectProblem(await post('pottery', false, [id]), 'item_unknown');

    const answer = await post('pottery', false, ['cabin']);

    await expectProblem(answer, 'budget_spent');
  });

  it('a repeated edit gets its receipt even if the list does not name its item any more', async (t) => {
    const lists: Lists = { 'boat-tours': ['kayak'] };
    const fixture = openFixture(t, lists);
    const token = await embedToken();
    const edit = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z', edit_id: 'edit-1' };
    const post = () => fixture.ask('POST', '/v1/inventory', { token, body: { inventory: [edit] } });
    assert.equal((await post()).status, 202);
    lists['boat-tours'] = [];
    await fixture.read('boat-tours');

    const again = await post();

    assert.equal(again.status, 202);
  });
});

describe('after a restart', () => {
  const BOTH: Lists = { 'boat-tours': ['kayak'], pottery: ['jug', 'kayak'] };

  it('an id in two lists stays with the vendor whose list named it first', async (t) => {
    const before = openFixture(t, BOTH);
    await before.read('boat-tours');
    await before.read('pottery');
    const after = restart(t, before, BOTH);

    const answers = [await after.post('pottery', false), await after.post('boat-tours', true)];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 202],
    );
    const shown = await after.catalog.itemsOf('pottery');
    assert.deepEqual(
      shown.map(({ id }) => id),
      ['jug'],
    );
  });

  it('the stored lists decide while the source cannot be read', async (t) => {
    const before = openFixture(t, BOTH);
    await before.read('boat-tours');
    const after = restart(t, before, {});

    const answers = [await after.post('boat-tours', true), await after.post('boat-tours', true, ['jug'])];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 404],
    );
  });

  it('a vendor whose list was never read gets items_unverifiable with Retry-After', async (t) => {
    const after = restart(t, openFixture(t, {}), {});

    const answer = await after.post('pottery', false);

    const { retryable } = await expectProblem(answer, 'items_unverifiable');
    assert.equal(retryable, true);
    assert.equal(answer.headers.get('Retry-After'), '60');
  });
});

describe('a list that names an item which another vendor has delivered', () => {
  it('has the value of the listed vendor sent again with a later timestamp, and logs an alarm', async (t) => {
    const lists: Lists = { 'boat-tours': ['kayak'], pottery: [] };
    const fixture = openFixture(t, lists);
    fixture.proxy.start();
    await fixture.post('boat-tours', true);
    await fixture.clock.pass(SECOND);
    Object.assign(lists, { 'boat-tours': [], pottery: ['kayak'] });
    for (const vendor of ['boat-tours', 'pottery']) await fixture.read(vendor);
    assert.equal((await fixture.post('pottery', false)).status, 202);
    await fixture.clock.pass(SECOND);
    assert.equal((await fixture.portal.items())[0]?.by_arrival?.available, false);
    Object.assign(lists, { 'boat-tours': ['kayak'], pottery: [] });

    for (const vendor of ['pottery', 'boat-tours']) await fixture.read(vendor);
    await fixture.clock.pass(5 * SECOND);

    const [kayak] = await fixture.portal.items();
    assert.deepEqual([kayak?.by_arrival?.available, kayak?.by_updated_at?.available], [true, true]);
    const alarms = fixture.log.filter(({ event }) => event.startsWith('items that another vendor has changed'));
    assert.deepEqual(
      alarms.map(({ vendor, items }) => [vendor, items]),
      [
        ['pottery', 1],
        ['boat-tours', 1],
      ],
    );
    assert.deepEqual(fixture.reassigned, [1, 1]);
    await expectProblem(await fixture.post('pottery', true), 'item_unknown');
  });
});
