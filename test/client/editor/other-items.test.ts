import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { ItemFilter } from '../../../src/client/editor/filter.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import { replaceItems } from '../../../src/client/editor/other-items.js';
import type { ItemId } from '../../../src/domain/item.js';
import { withDraft } from '../../../src/client/editor/row-state.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { FakeScheduler } from '../support/fake-scheduler.js';
import { BEN, FakeStore } from '../support/fake-store.js';

/** A draft that makes the item available. */
function drafts(table: ItemList, itemIndex: number): void {
  const row = table.at(itemIndex);
  if (row !== undefined) table.put(itemIndex, withDraft(row, true));
}

function open(entries: readonly unknown[], store = new FakeStore()) {
  const warnings: string[] = [];
  const pace = new FakeScheduler();
  const table = new ItemList(store, entries, (message) => warnings.push(message), pace);
  afterThisTest(() => {
    table.close();
  });
  pace.runAll();
  return { table, store, pace, warnings };
}

function take({ table, pace }: ReturnType<typeof open>, entries: readonly unknown[]): boolean {
  const isTaken = table.renew(entries) || replaceItems(table, entries, () => undefined);
  pace.runAll();
  return isTaken;
}

function drawn(table: ItemList): (ItemId | undefined)[] {
  return Array.from(
    { length: table.order.length },
    (_, viewIndex) => table.row(table.order.at(viewIndex) ?? -1)?.view.id,
  );
}

describe('a table whose items are replaced', () => {
  it('keeps each item at its index', () => {
    const list = open([{ id: BOAT, available: true }, { id: KAYAK }]);

    const isTaken = take(list, [
      { id: CABIN, label: 'Cabin' },
      { id: KAYAK, available: false, label: 'Kayak' },
    ]);

    const { table } = list;
    expect(isTaken).to.equal(true);
    expect(drawn(table)).to.deep.equal([CABIN, KAYAK]);
    expect(table.row(1)?.view).to.include({ id: KAYAK, available: false, label: 'Kayak' });
    expect(table.row(table.findItemIndex(CABIN) ?? -1)?.view.label).to.equal('Cabin');
    expect([table.row(0), table.counts.all, table.counts.unavailable]).to.deep.equal([undefined, 2, 1]);
  });

  it('puts an item that returns at its earlier index', () => {
    const list = open([{ id: BOAT }, { id: KAYAK }]);
    take(list, [{ id: KAYAK }]);

    take(list, [{ id: KAYAK }, { id: BOAT, label: 'Boat' }]);

    expect(list.table.findItemIndex(BOAT)).to.equal(0);
    expect(list.table.row(0)?.view.label).to.equal('Boat');
    expect(drawn(list.table)).to.deep.equal([KAYAK, BOAT]);
  });

  it('is not changed if a draft would be lost with its item', () => {
    const list = open([{ id: BOAT, available: false }, { id: KAYAK }]);
    drafts(list.table, 0);

    expect(take(list, [{ id: KAYAK }])).to.equal(false);
    expect(drawn(list.table)).to.deep.equal([BOAT, KAYAK]);
  });

  it('is not changed if it would have more unused indexes than items', () => {
    const list = open(Array.from({ length: 3_000 }, (_, at) => ({ id: `tour-${String(at)}` })));

    expect(take(list, [{ id: KAYAK }])).to.equal(false);
  });

  it('shows a removed item once the store knows it, but not to the next person', () => {
    const list = open([{ id: BOAT }, { id: KAYAK }]);
    take(list, [{ id: KAYAK }]);

    list.store.learn(BOAT, { available: true });
    const known = drawn(list.table);
    list.store.turnTo(BEN);
    list.pace.runAll();

    expect([known, drawn(list.table)]).to.deep.equal([[KAYAK, BOAT], [KAYAK]]);
  });

  it('reports the faults of the new entries once', () => {
    const list = open([{ id: BOAT }]);

    take(list, [{ id: BOAT }, { id: '' }]);
    take(list, [{ id: KAYAK }, { id: BOAT }]);

    expect(list.warnings).to.have.length(1);
    expect(list.warnings[0]).to.include('1 of its items are left out');
  });

  it('behaves as a new table does, for any arrays and notifications', () => {
    const id = fc.integer({ min: 0, max: 12 }).map((number) => `tour ${String(number)}`);
    const entry = fc.oneof(
      { weight: 9, arbitrary: fc.record({ id, available: fc.constantFrom(true, false, undefined) }) },
      { weight: 1, arbitrary: fc.constantFrom(null, { id: 7 }, { id: '' }, undefined) },
    );
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ give: fc.array(entry, { maxLength: 12 }), reads: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ learn: id, available: fc.boolean() }) },
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.array(step, { maxLength: 8 }), (first, steps) => {
        const list = open(first);
        const { table, store, pace } = list;
        let last: readonly unknown[] = first;
        for (const one of steps) {
          if ('learn' in one) store.learn(one.learn as ItemId, { available: one.available, truth: 'received' });
          else if (table.renew(one.give) || replaceItems(table, one.give, () => undefined)) last = one.give;
          if ('reads' in one && one.reads) pace.runAll();
        }
        pace.runAll();
        const own = open(last, store).table;
        const hosts =
          own.order.length - [...store.knownIds].filter((known) => own.findItemIndex(known) !== undefined).length;

        expect(table.counts).to.deep.equal(own.counts);
        expect([...drawn(table)].sort()).to.deep.equal([...drawn(own)].sort());
        expect(drawn(table).slice(0, hosts)).to.deep.equal(drawn(own).slice(0, hosts));
        for (const known of drawn(own)) {
          const [ours, theirs] = [table, own].map((one) => one.row(one.findItemIndex(known as ItemId) ?? -1)?.view);
          expect(ours).to.deep.equal(theirs);
        }
        const filters = [table, own].map((one) => new ItemFilter(one, () => undefined, pace));
        const found = filters.map((filter, at) => {
          filter.apply({ text: 'tour 1', sort: 'id' });
          pace.runAll();
          const order = Array.from({ length: filter.order.length }, (_, viewIndex) => filter.order.at(viewIndex) ?? -1);
          filter.close();
          return order.map((itemIndex) => (at === 0 ? table : own).idAt(itemIndex));
        });
        expect(found[0]).to.deep.equal(found[1]);
        own.close();
        table.close();
      }),
      { numRuns: 300 },
    );
  });
});
