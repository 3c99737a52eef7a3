import assert from 'node:assert/strict';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type CatalogItem, listing, type Listing, type Receipt, receipts } from '../../../src/contract/widget.js';
import type { ItemId } from '../../../src/domain/item.js';
import { createItemCatalog, REFRESH_MS, RETRY_MS, type ItemCatalog } from '../../../src/proxy/access/item-catalog.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { readCatalog } from '../../../src/proxy/node/item-catalog-reader.js';
import { openProxy, type LogLine, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { expectProblem } from '../../support/expect-problem.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const UPDATED_AT = '2026-11-21T08:30:00.000Z';

interface Fixture extends OpenProxy {
  readonly source: ItemCatalog;
  readonly sourceLog: readonly LogLine[];
  /** Writes a vendor's list, with a time of its own. */
  write(vendor: string, list: unknown): void;
  remove(vendor: string): void;
}

/** A proxy whose operator keeps a file of items for each vendor. */
function openFixture(t: TestContext, profile = portalProfile.parse({})): Fixture {
  const clock = new VirtualClock(Date.now());
  const folder = scratchFolder();
  const sourceLog: LogLine[] = [];
  let written = 0;
  const source = createItemCatalog({
    byVendor: true,
    read: (vendor, version) =>
      clock.during(
        readCatalog({ kind: 'file', location: join(folder, '{vendor}.json'), byVendor: true }, vendor, version),
      ),
    clock,
    log: (_, event, fields) => void sourceLog.push({ event, ...fields }),
  });
  const fixture = openProxy(t, { itemCatalog: source, clock, profile });
  return {
    ...fixture,
    clock,
    source,
    sourceLog,
    write(vendor, list) {
      const path = join(folder, `${vendor}.json`);
      writeFileSync(path, typeof list === 'string' ? list : JSON.stringify(list));
      written += 1;
      utimesSync(path, written, written);
    },
    remove: (vendor) => rmSync(join(folder, `${vendor}.json`)),
  };
}

describe('the listing of a vendor with an item catalog', () => {
  for (const limit of [1, 2, 3, 7, 1000]) {
    it(`has the edited items and the catalog items in order, ${limit} per page`, async (t) => {
      const fixture = openFixture(t);
      const listed = ['a', 'c', 'e', 'é', '\uffee', '\u{1f6f6}'];
      fixture.write(
        'boat-tours',
        [...listed, 'b', 'z', '中'].map((id) => ({ id })),
      );
      await post(fixture, ['b', 'c', 'z', '中']);
      fixture.write(
        'boat-tours',
        listed.map((id) => ({ id })),
      );
      fixture.source.reload();
      await askTwice(fixture);

      const ids = (await readToTheEnd(fixture, limit)).map(({ id }) => id);

      assert.deepEqual(ids, ['a', 'b', 'c', 'e', 'z', 'é', '中', '\uffee', '\u{1f6f6}']);
    });
  }

  it('takes the value of an edited item from the edit, and that of another item from the catalog', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', {
      inventory: [
        { id: 'kayak', available: false, label: 'Kayak tour', group: 'Water', price: 12 },
        { id: 'sauna', available: false, updated_at: UPDATED_AT, label: 'Sauna' },
        { id: 'cabin', available: null },
      ],
    });
    await post(fixture, ['kayak']);

    const items = await readToTheEnd(fixture, 100);

    const shown = items.map(({ id, available, label, group, state }) => ({ id, available, label, group, state }));
    assert.deepEqual(shown, [
      { id: 'cabin', available: undefined, label: undefined, group: undefined, state: undefined },
      { id: 'kayak', available: true, label: 'Kayak tour', group: 'Water', state: 'received' },
      { id: 'sauna', available: false, label: 'Sauna', group: undefined, state: undefined },
    ]);
  });

  it('takes all fields from the catalog again after the only edit was discarded', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak', available: false, label: 'Kayak tour' }]);
    const [receipt] = await post(fixture, ['kayak']);
    const token = await embedToken();
    await fixture.ask('POST', `/v1/edits/${receipt?.edit_id ?? ''}/discard`, { token, body: {} });

    for (const query of ['', '?since=1']) {
      const answer = await fixture.ask('GET', `/v1/inventory${query}`, { token });
      const { inventory } = listing.parse(await answer.json());
      assert.deepEqual(inventory, [{ id: 'kayak', available: false, label: 'Kayak tour' }], query);
    }
  });

  it('has only the items that a restricted session may see', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak-1' }, { id: 'sauna' }, { id: 'kayak-2' }]);

    const items = await readToTheEnd(fixture, 1, await embedToken({ items: ['kayak-*'] }));

    assert.deepEqual(
      items.map(({ id }) => id),
      ['kayak-1', 'kayak-2'],
    );
  });

  it('has an item once that the catalog names twice, with its first entry', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak', label: 'Kayak' }, { id: 'boat' }, { id: 'kayak', label: 'Canoe' }]);

    const items = await readToTheEnd(fixture, 10);

    assert.deepEqual(items, [{ id: 'boat' }, { id: 'kayak', label: 'Kayak' }]);
  });

  it('has no item of another vendor’s catalog', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    fixture.write('pottery', [{ id: 'jug' }]);

    const items = await readToTheEnd(fixture, 100, await embedToken({ vendor: 'pottery' }));

    assert.deepEqual(
      items.map(({ id }) => id),
      ['jug'],
    );
  });

  it('has only the edited items of a vendor without a catalog, and the log says so', async (t) => {
    const fixture = openFixture(t, portalProfile.parse({ update: { path: '/v1/vendors/{vendor}/inventory' } }));
    await post(fixture, ['kayak']);

    const items = await readToTheEnd(fixture, 100);

    assert.deepEqual(
      items.map(({ id }) => id),
      ['kayak'],
    );
    assert.equal(fixture.sourceLog[0]?.vendor, 'boat-tours');
    assert.match(fixture.sourceLog[0].error ?? '', /ENOENT/);
  });
});

describe('an id in the catalog of a vendor', () => {
  it('cannot be edited by another vendor, even before its first edit', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    fixture.write('pottery', [{ id: 'jug' }]);
    await readToTheEnd(fixture, 100);

    const body = { inventory: [{ id: 'kayak', available: true, updated_at: UPDATED_AT }] };
    const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken({ vendor: 'pottery' }), body });

    await expectProblem(answer, 'item_unknown');
    assert.equal((await fixture.outbox.count()).accepted, 0);
  });

  it('can be neither edited nor retried by another vendor that used it before', async (t) => {
    const fixture = openFixture(t);
    const token = await embedToken({ vendor: 'pottery' });
    const edit = (id: string, available: boolean) => ({ inventory: [{ id, available, updated_at: UPDATED_AT }] });
    fixture.proxy.start();
    fixture.write('pottery', [{ id: 'jug' }, { id: 'kayak' }]);
    await fixture.ask('POST', '/v1/inventory', { token, body: edit('jug', true) });
    await fixture.clock.pass(1000);
    await fixture.portal.misbehave({ refuse_items: ['kayak'] });
    const answer = await fixture.ask('POST', '/v1/inventory', { token, body: edit('kayak', true) });
    const [refused] = receipts.parse(await answer.json()).receipts;
    await fixture.clock.pass(1000);
    fixture.write('pottery', [{ id: 'jug' }]);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    fixture.source.reload();
    await readToTheEnd(fixture, 100, token);
    await fixture.clock.pass(0);
    await readToTheEnd(fixture, 100);

    const again = await fixture.ask('POST', '/v1/inventory', { token, body: edit('kayak', false) });
    const retried = await fixture.ask('POST', `/v1/edits/${refused?.edit_id ?? ''}/retry`, { token, body: {} });

    await expectProblem(again, 'item_unknown');
    await expectProblem(retried, 'item_unknown');
    const discarded = await fixture.ask('POST', `/v1/edits/${refused?.edit_id ?? ''}/discard`, { token, body: {} });
    assert.equal(discarded.status, 200);
  });

  it('cannot be edited by a session that is restricted to other items', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    await readToTheEnd(fixture, 100);

    const token = await embedToken({ items: ['sauna'] });
    const body = { inventory: [{ id: 'kayak', available: true, updated_at: UPDATED_AT }] };

    await expectProblem(await fixture.ask('POST', '/v1/inventory', { token, body }), 'item_unknown');
  });

  it('and of another vendor belongs to the one whose catalog was read first, and the log says so', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    fixture.write('pottery', [{ id: 'jug' }, { id: 'kayak' }]);
    await fixture.source.itemsOf('boat-tours');

    const items = await fixture.source.itemsOf('pottery');

    assert.deepEqual(items, [{ id: 'jug' }]);
    assert.equal(fixture.sourceLog.length, 1);
  });
});

describe('an id in the catalogs of two vendors', () => {
  it('stays with the first vendor when its catalog is read again, and passes to the other once the first does not name it', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    fixture.write('pottery', [{ id: 'jug' }, { id: 'kayak' }]);
    for (const vendor of ['boat-tours', 'pottery']) await fixture.source.itemsOf(vendor);
    const read = async (list: readonly object[]) => {
      fixture.write('boat-tours', list);
      fixture.source.reload();
      await fixture.source.itemsOf('boat-tours');
      await fixture.clock.pass(0);
      return [fixture.source.ownerOf('kayak' as never), (await fixture.source.itemsOf('pottery')).map(({ id }) => id)];
    };

    const told = [await read([{ id: 'kayak' }, { id: 'canoe' }]), await read([{ id: 'canoe' }])];

    assert.deepEqual(told, [
      ['boat-tours', ['jug']],
      ['pottery', ['jug', 'kayak']],
    ]);
  });
});

describe('an id in the catalogs of two vendors with separate paths at the portal', () => {
  it('is a separate item of each vendor', async (t) => {
    const fixture = openFixture(t, portalProfile.parse({ update: { path: '/v1/vendors/{vendor}/inventory' } }));
    fixture.write('boat-tours', [{ id: 'kayak', label: 'Kayak tour' }]);
    fixture.write('pottery', [{ id: 'jug' }, { id: 'kayak', label: 'Kayak of clay' }]);
    const token = await embedToken({ vendor: 'pottery' });
    await readToTheEnd(fixture, 100);
    const items = await readToTheEnd(fixture, 100, token);

    const body = { inventory: [{ id: 'kayak', available: true, updated_at: UPDATED_AT }] };
    const answer = await fixture.ask('POST', '/v1/inventory', { token, body });

    assert.deepEqual(items, [{ id: 'jug' }, { id: 'kayak', label: 'Kayak of clay' }]);
    assert.equal(answer.status, 202);
    assert.deepEqual(fixture.sourceLog, []);
  });

  it('belongs to the first vendor while they share a path, and to each vendor while they do not', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    fixture.write('pottery', [{ id: 'jug' }, { id: 'kayak' }]);
    const apart = (): boolean => true;
    for (const vendor of ['boat-tours', 'pottery']) await fixture.source.itemsOf(vendor, apart);

    const together = await fixture.source.itemsOf('pottery');
    const again = await fixture.source.itemsOf('pottery', apart);

    assert.deepEqual(
      [together, again].map((items) => items.map(({ id }) => id)),
      [['jug'], ['jug', 'kayak']],
    );
    const owners = [undefined, apart, (vendor: string) => vendor === 'boat-tours'].map((separates) =>
      fixture.source.ownerOf('kayak' as never, separates),
    );
    assert.deepEqual(owners, ['boat-tours', undefined, 'pottery']);
  });
});

describe('a catalog that is long or has many readers', () => {
  /** Lists of so many items each, and who was read so far. */
  function keep(lengths: Readonly<Record<string, number>>) {
    const clock = new VirtualClock();
    const read: string[] = [];
    const source = createItemCatalog({
      byVendor: true,
      read: (vendor) => {
        read.push(vendor);
        const items = Array.from({ length: lengths[vendor] ?? 0 }, (_, at) => ({ id: `${vendor}-${String(at)}` }));
        return Promise.resolve({ items: items as unknown as CatalogItem[] });
      },
      clock,
      log: () => undefined,
    });
    return { source, clock, read };
  }

  it('is read once for concurrent requests', async () => {
    const { source, read } = keep({ boats: 1 });

    await Promise.all([source.itemsOf('boats'), source.itemsOf('boats'), source.itemsOf('boats')]);

    assert.deepEqual(read, ['boats']);
  });

  it('is evicted when all catalogs exceed half a million items, the one read longest ago first', async () => {
    const { source, read } = keep({ boats: 300_000, cabins: 1, pottery: 200_000, tents: 1 });
    for (const vendor of ['cabins', 'boats', 'pottery', 'tents']) await source.itemsOf(vendor);
    const owners = ['cabins-0', 'boats-0', 'pottery-0'].map((id) => source.ownerOf(id as ItemId));

    for (const vendor of ['pottery', 'tents', 'cabins', 'boats']) await source.itemsOf(vendor);

    assert.deepEqual(owners, [undefined, undefined, 'pottery']);
    assert.deepEqual(read.slice(4), ['cabins', 'boats']);
  });

  it('that is read again counts once, and is evicted last', async () => {
    const { source, clock } = keep({ boats: 300_000, cabins: 1, pottery: 200_000 });
    for (const vendor of ['boats', 'cabins']) await source.itemsOf(vendor);
    source.reload();
    await source.itemsOf('boats');
    await clock.pass(0);
    const before = source.ownerOf('cabins-0' as ItemId);

    await source.itemsOf('pottery');

    const after = ['cabins-0', 'boats-0'].map((id) => source.ownerOf(id as ItemId));
    assert.deepEqual([before, ...after], ['cabins', undefined, 'boats']);
  });

  it('is kept whole even if it alone exceeds the limit', async () => {
    const { source, read } = keep({ boats: 500_001 });

    const lengths = [(await source.itemsOf('boats')).length, (await source.itemsOf('boats')).length];

    assert.deepEqual([lengths, read], [[500_001, 500_001], ['boats']]);
  });
});

describe('a catalog that changes', () => {
  it('is read again after five minutes, in the background of the next request', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    await fixture.source.itemsOf('boat-tours');
    fixture.write('boat-tours', [{ id: 'sauna' }]);

    fixture.clock.jump(REFRESH_MS - 1);
    const before = await askTwice(fixture);
    fixture.clock.jump(1);
    const after = await askTwice(fixture);

    assert.deepEqual([before, after], [[{ id: 'kayak' }], [{ id: 'sauna' }]]);
    assert.equal(fixture.source.ownerOf('kayak' as never), undefined);
  });

  it('is read again after a reload', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    await fixture.source.itemsOf('boat-tours');
    fixture.write('boat-tours', [{ id: 'sauna' }]);

    fixture.source.reload();

    assert.deepEqual(await askTwice(fixture), [{ id: 'sauna' }]);
  });

  it('is read once more if the reload comes during a reading', async () => {
    const clock = new VirtualClock();
    const readings: ((id: string) => void)[] = [];
    const source = createItemCatalog({
      byVendor: false,
      read: () =>
        new Promise((resolve) => readings.push((id) => resolve({ items: [{ id }] as unknown as CatalogItem[] }))),
      clock,
      log: () => undefined,
    });
    const first = source.itemsOf('boat-tours');

    source.reload();
    readings[0]?.('kayak');
    const before = await first;
    await source.itemsOf('boat-tours');
    readings[1]?.('sauna');
    await clock.pass(0);

    assert.deepEqual([before, await source.itemsOf('boat-tours')], [[{ id: 'kayak' }], [{ id: 'sauna' }]]);
    assert.equal(readings.length, 2);
  });

  for (const [what, list] of [
    ['is no JSON', '{"inventory":['],
    ['is of another shape', { inventory: [{ id: 7 }] }],
    ['is nothing but a word', '"items"'],
  ] as const) {
    it(`is kept if the new one ${what}, and is read again after a minute`, async (t) => {
      const fixture = openFixture(t);
      fixture.write('boat-tours', [{ id: 'kayak' }]);
      await fixture.source.itemsOf('boat-tours');
      fixture.write('boat-tours', list);

      fixture.source.reload();
      const kept = await askTwice(fixture);
      fixture.write('boat-tours', [{ id: 'sauna' }]);
      fixture.clock.jump(RETRY_MS);
      const mended = await askTwice(fixture);

      assert.deepEqual([kept, mended], [[{ id: 'kayak' }], [{ id: 'sauna' }]]);
      assert.equal(fixture.sourceLog.length, 1);
      assert.match(fixture.sourceLog[0]?.error ?? '', /^the list is /);
    });
  }

  it('is kept if its file is deleted', async (t) => {
    const fixture = openFixture(t);
    fixture.write('boat-tours', [{ id: 'kayak' }]);
    await fixture.source.itemsOf('boat-tours');
    fixture.remove('boat-tours');

    fixture.source.reload();

    assert.deepEqual(await askTwice(fixture), [{ id: 'kayak' }]);
  });
});

/** The first who asks after the time starts the reading, and does not wait for it. */
async function askTwice({ source, clock }: Fixture): Promise<unknown> {
  await source.itemsOf('boat-tours');
  await clock.pass(0);
  return source.itemsOf('boat-tours');
}

async function post(fixture: OpenProxy, ids: readonly string[]): Promise<readonly Receipt[]> {
  const body = { inventory: ids.map((id) => ({ id, available: true, updated_at: UPDATED_AT })) };
  const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body });
  assert.equal(answer.status, 202);
  return receipts.parse(await answer.json()).receipts;
}

async function readToTheEnd(fixture: OpenProxy, limit: number, token?: string): Promise<Listing['inventory']> {
  const items: Listing['inventory'] = [];
  const by = token ?? (await embedToken());
  for (let next: string | undefined = ''; next !== undefined;) {
    const cursor = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
    const answer = await fixture.ask('GET', `/v1/inventory?limit=${limit}${cursor}`, { token: by });
    const page = listing.parse(await answer.json());
    assert.ok(page.inventory.length <= limit);
    items.push(...page.inventory);
    next = page.next;
  }
  return items;
}
