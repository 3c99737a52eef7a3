import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemCounts } from '../../../src/client/editor/editor-types.js';
import type { HostItemInput } from '../../../src/contract/host-items.js';
import type { ItemId } from '../../../src/domain/item.js';
import { withDraft } from '../../../src/client/editor/row-state.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, CABIN, KAYAK, LONG_AGO } from '../support/items.js';
import { FakeScheduler } from '../support/fake-scheduler.js';
import { BEN, FakeStore } from '../support/fake-store.js';

/** A draft that makes the item available. */
function drafts(table: ItemList, itemIndex: number): void {
  const row = table.at(itemIndex);
  if (row !== undefined) table.put(itemIndex, withDraft(row, true));
}

const NOTHING: ItemCounts = {
  all: 0,
  available: 0,
  unavailable: 0,
  unknown: 0,
  changed: 0,
  waiting: 0,
  attention: 0,
  conflict: 0,
};

function open(entries: readonly unknown[], store = new FakeStore(), pace = new FakeScheduler()) {
  const warnings: string[] = [];
  const table = new ItemList(store, entries, (message) => warnings.push(message), pace);
  afterThisTest(() => {
    table.close();
  });
  return { table, store, pace, warnings };
}

/** Entries of the host that count their reads. Each read takes a microsecond. */
function countedEntries(
  length: number,
  pace: FakeScheduler,
): { entries: readonly HostItemInput[]; reads: () => number } {
  let reads = 0;
  const entries = Array.from({ length }, (_, at) => ({
    get id() {
      reads += 1;
      pace.time += 0.001;
      return `tour-${String(at)}`;
    },
    available: at % 2 === 0,
  }));
  return { entries, reads: () => reads };
}

function drawn(table: ItemList): (ItemId | undefined)[] {
  return Array.from({ length: table.order.length }, (_, viewIndex) => table.idAt(table.order.at(viewIndex) ?? -1));
}

describe('the table of items', () => {
  it('has the host’s items in their order, then the items that only the store knows', () => {
    const store = new FakeStore();
    store.learn(CABIN, { available: true });
    const { table } = open([{ id: BOAT, available: false }, { id: KAYAK }], store);

    expect(drawn(table)).to.deep.equal([BOAT, KAYAK, CABIN]);
    expect(table.complete).to.equal(true);
    expect(table.counts).to.deep.equal({ ...NOTHING, all: 3, available: 1, unavailable: 1, unknown: 1 });
  });

  it('reads no more than the first screens before it returns, at any size', () => {
    const reads = [1_000, 100_000].map((length) => {
      const pace = new FakeScheduler();
      const counted = countedEntries(length, pace);
      const { table } = open(counted.entries, undefined, pace);
      for (let viewIndex = 0; viewIndex < 20; viewIndex += 1) table.row(table.order.at(viewIndex) ?? -1);
      return counted.reads();
    });

    expect(reads[0]).to.equal(reads[1]);
    expect(reads[0]).to.be.below(600);
  });

  it('returns a row far down before the rows above it are read', () => {
    const pace = new FakeScheduler();
    const { table } = open(countedEntries(100_000, pace).entries, undefined, pace);

    const row = table.row(99_999);

    expect(row?.view).to.include({ id: 'tour-99999', available: false });
    expect(table.complete).to.equal(false);
  });

  it('reads 100,000 items in short slices', () => {
    const pace = new FakeScheduler();
    const { table } = open(countedEntries(100_000, pace).entries, undefined, pace);

    const slices = pace.runAll();

    expect(Math.max(...slices)).to.be.below(8);
    expect(slices.length).to.be.above(15);
    expect(table.complete).to.equal(true);
    expect(table.counts.all).to.equal(100_000);
  });

  it('is not complete while the proxy’s listing is read', () => {
    const store = new FakeStore();
    store.update({ complete: false });
    const { table } = open([{ id: BOAT }], store);

    expect(table.complete).to.equal(false);

    store.update({ complete: true });
    expect(table.complete).to.equal(true);
  });

  it('reads one item when the store reports its change', () => {
    const pace = new FakeScheduler();
    const counted = countedEntries(100_000, pace);
    const { table, store } = open(counted.entries, undefined, pace);
    pace.runAll();
    const before = counted.reads();
    const told: unknown[] = [];
    table.subscribe((changed) => told.push(changed));

    store.learn('tour-77777' as ItemId, { available: true, truth: 'received' });

    expect(counted.reads() - before).to.be.below(20);
    expect(told).to.deep.equal([77_777]);
    expect(table.counts).to.deep.equal({
      ...NOTHING,
      all: 100_000,
      available: 50_001,
      unavailable: 49_999,
      waiting: 1,
    });
  });

  it('leaves invalid entries out, and reports once how many and which was the first', () => {
    const { table, warnings } = open([{ id: '' }, { id: BOAT }, null, { id: KAYAK, available: 'yes' }, { id: CABIN }]);

    expect(drawn(table)).to.deep.equal([BOAT, CABIN]);
    expect(table.row(0)).to.equal(undefined);
    expect(warnings).to.deep.equal([
      '3 of its items are left out. The first: items[0]/id: expected 1 to 200 characters without control characters',
    ]);
  });

  it('keeps entries with invalid display fields, and reports each kind of repair once', () => {
    const entries = [
      { id: BOAT, available: true, image: `https://cdn.test/${'x'.repeat(2_100)}`, note: 'n'.repeat(600) },
      { id: KAYAK, available: true, group: 4, updated_at: '2026-11-21T08:30:00' },
      { id: CABIN, available: true, note: 'n'.repeat(700) },
    ];
    const { table, warnings } = open(entries);

    table.renew(structuredClone(entries));

    expect(drawn(table)).to.deep.equal([BOAT, KAYAK, CABIN]);
    expect(table.row(0)?.view).to.include({ available: true, image: undefined });
    expect(table.row(1)?.view).to.include({ group: '4', updated_at: undefined });
    expect(warnings).to.deep.equal([
      '1 of its items stay with a field that is longer than 2000 characters, left out. The first: items[0]/image',
      '2 of its items stay with a field that is longer than 500 characters, shortened. The first: items[0]/note',
      '1 of its items stay with a field that is not a time with an offset (RFC 3339), left out. The first: items[1]/updated_at',
      '1 of its items stay with a field that is a number, taken as text. The first: items[1]/group',
    ]);
  });

  it('accepts numbers as ids, also in the next array', () => {
    const { table, warnings } = open([{ id: 7, label: 'Boat' }, { id: 12 }]);

    const isRenewed = table.renew([{ id: 7, label: 'Boat', available: false }, { id: 12 }]);

    expect(drawn(table)).to.deep.equal(['7', '12']);
    expect(isRenewed).to.equal(true);
    expect(warnings).to.deep.equal([
      '2 of its items stay with a field that is a number, taken as text. The first: items[0]/id',
    ]);
  });

  it('keeps the first entry of a repeated id, and reports that once', () => {
    const { table, warnings } = open([
      { id: BOAT, label: 'first' },
      { id: KAYAK },
      { id: BOAT, label: 'second' },
      { id: BOAT, label: 'third' },
    ]);

    expect(drawn(table)).to.deep.equal([BOAT, KAYAK]);
    expect(table.row(0)?.view.label).to.equal('first');
    expect(warnings).to.deep.equal(['the first of each repeated id counts; 2 are left out: boat-tour-1']);
  });

  it('keeps the first entry of a repeated id, even if the second was rendered before', () => {
    const pace = new FakeScheduler();
    const entries = [...Array.from({ length: 1_000 }, (_, at) => ({ id: `tour-${String(at)}` })), { id: 'tour-500' }];
    const { table } = open(entries, undefined, pace);
    const early = table.row(1_000);

    pace.runAll();

    expect(early?.view.id).to.equal('tour-500');
    expect(table.row(1_000)).to.equal(undefined);
    expect(table.row(500)?.view.id).to.equal('tour-500');
    expect(table.order.length).to.equal(1_000);
  });

  it('has no row at an item index without an item, and a read has no effect', () => {
    const { table } = open([{ id: BOAT }]);

    const rows = [table.row(-1), table.row(1), table.row(99)];

    expect(rows).to.deep.equal([undefined, undefined, undefined]);
    expect(table.order).to.include({ length: 1, isEverything: true });
  });

  it('does not change when the host changes its array in place', () => {
    const entries: unknown[] = [{ id: BOAT, available: true }, { id: KAYAK }];
    const { table } = open(entries);

    entries.unshift({ id: CABIN });
    const shifted = [table.idAt(0), table.row(1)?.view.id];
    entries.fill(null);

    expect(shifted).to.deep.equal([BOAT, KAYAK]);
    expect([table.row(0)?.view.id, table.row(1)?.view.id]).to.deep.equal([BOAT, KAYAK]);
  });

  it('survives a host that changes its entries afterwards', () => {
    const entry: { id: unknown } = { id: KAYAK };
    const { table } = open([{ id: BOAT }, entry]);

    entry.id = 7;

    expect(() => table.row(1)).not.to.throw();
  });

  it('rejects an array with other items, also one that the host has changed in place', () => {
    const entries = [{ id: BOAT }, { id: KAYAK }];
    const { table } = open(entries);

    entries.reverse();

    expect(table.renew([...entries])).to.equal(false);
  });

  it('never changes the host’s array, which may be frozen', () => {
    const entries = Object.freeze([Object.freeze({ id: BOAT, available: null, updated_at: LONG_AGO, label: null })]);
    const { table, store } = open(entries);

    store.learn(BOAT, { available: true });

    expect(table.row(0)?.view).to.include({ available: true, label: undefined });
    expect(entries).to.deep.equal([{ id: BOAT, available: null, updated_at: LONG_AGO, label: null }]);
  });

  it('shows which rows wait, need attention or conflict', () => {
    const { table, store } = open([{ id: BOAT }, { id: KAYAK }, { id: CABIN }]);

    store.learn(BOAT, { available: true, truth: 'on-device' });
    store.learn(KAYAK, { available: true, truth: 'needs-attention', reason: 'unknown_item' });
    store.learn(CABIN, { available: false, truth: 'needs-attention', reason: 'conflict' });

    expect(table.counts).to.include({ waiting: 1, attention: 2, conflict: 1 });
    store.learn(BOAT, { truth: 'on-portal' });
    store.learn(CABIN, { truth: 'on-portal', reason: undefined });
    expect(table.counts).to.include({ waiting: 0, attention: 1, conflict: 0 });
  });

  it('keeps nothing of one person for the next', () => {
    const { table, store, pace } = open([{ id: BOAT, available: true }]);
    store.learn(CABIN, { available: true, truth: 'received' });
    store.learn(BOAT, { available: false, truth: 'received' });
    drafts(table, 0);

    store.turnTo(BEN);
    pace.runAll();

    expect(drawn(table)).to.deep.equal([BOAT]);
    expect(table.counts).to.deep.equal({ ...NOTHING, all: 1, available: 1 });
    expect(table.row(0)?.draft).to.equal(undefined);
  });

  it('shows an item again that the store has forgotten and learned again', () => {
    const { table, store, pace } = open([{ id: BOAT }]);
    store.learn(CABIN, { available: true });
    store.turnTo(BEN);
    pace.runAll();

    store.learn(CABIN, { available: false });

    expect(drawn(table)).to.deep.equal([BOAT, CABIN]);
    expect(table.counts).to.include({ all: 2, unavailable: 1 });
  });

  it('keeps drafts when the host sets the same items again', () => {
    const { table, store, pace } = open([
      { id: BOAT, available: false, label: 'Boat' },
      { id: KAYAK, available: false },
      { id: CABIN, available: false },
    ]);
    store.learn(CABIN, { available: false, truth: 'received' });
    drafts(table, 1);

    const isRenewed = table.renew([
      { id: BOAT, available: true, label: 'Big boat' },
      { id: KAYAK, available: false },
      { id: CABIN, available: true },
    ]);
    pace.runAll();

    expect(isRenewed).to.equal(true);
    expect(table.row(0)?.view).to.include({ available: true, label: 'Big boat' });
    expect(table.row(1)).to.deep.include({ draft: true, conflict: undefined });
    expect(table.row(2)?.view.available).to.equal(false);
    expect(table.counts).to.include({ all: 3, available: 2, unavailable: 1, changed: 1 });
  });

  it('reports a conflict of a draft with a new value of the host', () => {
    const { table, pace } = open([{ id: BOAT }]);
    drafts(table, 0);

    table.renew([{ id: BOAT, available: false }]);
    pace.runAll();

    expect(table.row(0)?.conflict).to.deep.equal({ base: undefined, mine: true, theirs: false });
  });

  it('survives an entry that is invalid in the next array', () => {
    const { table, pace } = open([{ id: BOAT, label: 'Boat' }]);

    table.renew([{ id: BOAT, available: 'yes' }]);
    pace.runAll();

    expect(table.row(0)?.view).to.include({ id: BOAT });
  });

  for (const [what, entries] of [
    ['fewer items', [{ id: BOAT }]],
    ['another order', [{ id: KAYAK }, { id: BOAT }, { id: '' }]],
    ['another item', [{ id: BOAT }, { id: CABIN }, { id: '' }]],
    ['an entry that was bad and may be good now', [{ id: BOAT }, { id: KAYAK }, { id: CABIN }]],
  ] as const) {
    it(`does not accept ${what} as the same items`, () => {
      const { table } = open([{ id: BOAT }, { id: KAYAK }, { id: '' }]);

      expect(table.renew(entries)).to.equal(false);
      expect(drawn(table)).to.deep.equal([BOAT, KAYAK]);
    });
  }

  it('continues to read when the host sets 100,000 items again before they are read', () => {
    const pace = new FakeScheduler();
    const { table } = open(countedEntries(100_000, pace).entries, undefined, pace);
    pace.runOne();

    table.renew(countedEntries(100_000, pace).entries);
    const slices = pace.runAll();

    expect(Math.max(...slices)).to.be.below(8);
    expect(table.counts.all).to.equal(100_000);
    expect(table.complete).to.equal(true);
  });

  it('behaves as a plain list of objects does, in any order of notifications, renders and reads', () => {
    const id = fc.integer({ min: 0, max: 400 }).map((number) => `item-${String(number)}` as ItemId);
    const available = fc.constantFrom(true, false, undefined);
    const entry = fc.oneof(
      { weight: 9, arbitrary: fc.record({ id, available }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('learn' as const),
        id,
        view: fc.record({
          available,
          truth: fc.constantFrom('on-device', 'received', 'on-portal', 'needs-attention', undefined),
          reason: fc.constantFrom('conflict', 'unknown_item'),
        }),
      }),
      fc.record({ kind: fc.constant('draw' as const), itemIndex: fc.nat(900) }),
      fc.record({ kind: fc.constant('slice' as const) }),
    );

    fc.assert(
      fc.property(fc.array(entry, { maxLength: 800 }), fc.array(act, { maxLength: 60 }), (entries, acts) => {
        const { table, store, pace } = open(entries);
        for (const one of acts) {
          if (one.kind === 'learn') store.learn(one.id, one.view);
          else if (one.kind === 'draw') table.row(one.itemIndex);
          else pace.runOne();
        }
        pace.runAll();

        const ids = [...new Set([...entries.flatMap((item) => (item === null ? [] : [item.id])), ...store.knownIds])];
        const views = ids.map((one) => store.view(one));
        expect(new Set(drawn(table))).to.deep.equal(new Set(ids));
        expect(table.complete).to.equal(true);
        expect(table.counts).to.deep.equal({
          ...NOTHING,
          all: ids.length,
          available: views.filter((view) => view.available === true).length,
          unavailable: views.filter((view) => view.available === false).length,
          unknown: views.filter((view) => view.available === undefined).length,
          waiting: views.filter(({ truth }) => truth === 'on-device' || truth === 'received').length,
          attention: views.filter(({ truth }) => truth === 'needs-attention').length,
          conflict: views.filter(({ truth, reason }) => truth === 'needs-attention' && reason === 'conflict').length,
        });
        for (const one of ids) expect(table.idAt(table.findItemIndex(one) ?? -1)).to.equal(one);
      }),
      { numRuns: 60 },
    );
  });
});
