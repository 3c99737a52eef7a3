import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { ItemIndex, ViewIndex } from '../../../src/client/editor/editor-types.js';
import { ItemFilter } from '../../../src/client/editor/filter.js';
import { ItemSelection } from '../../../src/client/editor/selection.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { FakeScheduler } from '../support/fake-scheduler.js';
import { BEN, FakeStore } from '../support/fake-store.js';

function open(length: number) {
  const store = new FakeStore();
  const pace = new FakeScheduler();
  const entries = Array.from({ length }, (_, at) => ({ id: `tour-${String(at)}`, available: at % 3 === 0 }));
  const table = new ItemList(store, entries, () => undefined, pace);
  const filter = new ItemFilter(table, () => undefined, pace);
  const selection = new ItemSelection(table);
  afterThisTest(() => {
    selection.close();
    filter.close();
    table.close();
  });
  pace.runAll();
  return { store, pace, table, filter, selection };
}

function selected(selection: ItemSelection): ItemIndex[] {
  return [...selection.rows()];
}

describe('the selection', () => {
  it('extends from the row of the last click to the row of a Shift click, in the rendered order', () => {
    const { table, filter, selection } = open(10);
    filter.apply({ filter: 'unavailable' });
    selection.toggle(filter.order, 1);

    selection.extendTo(filter.order, 3);

    expect(selected(selection)).to.deep.equal([2, 4, 5]);
    expect(selection.state(filter.order)).to.equal('some');
    expect(selection.state(table.order)).to.equal('some');
  });

  it('extends upwards too, and deselects rows if the range began by deselecting one', () => {
    const { table, selection } = open(10);
    selection.selectAll(table.order);
    selection.toggle(table.order, 7);

    selection.extendTo(table.order, 4);

    expect(selected(selection)).to.deep.equal([0, 1, 2, 3, 8, 9]);
  });

  it('deselects rows that a range no longer covers when its end moves', () => {
    const { table, selection } = open(10);
    selection.toggle(table.order, 3);
    selection.extendTo(table.order, 8);

    selection.extendTo(table.order, 5);
    const shrunk = selected(selection);
    selection.extendTo(table.order, 1);

    expect(shrunk).to.deep.equal([3, 4, 5]);
    expect(selected(selection)).to.deep.equal([1, 2, 3]);
  });

  it('starts a new range if the row of the last click is no longer rendered', () => {
    const { table, filter, selection } = open(10);
    selection.toggle(table.order, 0);
    filter.apply({ filter: 'unavailable' });

    selection.extendTo(filter.order, 2);

    expect(selected(selection)).to.deep.equal([0, 4]);
  });

  it('has all of 100,000 rows without reading one, including those that are not read yet', () => {
    const { store, table, selection } = open(100_000);
    store.update({ complete: false });

    selection.selectAll(table.order);
    const before = selection.count;
    store.learn('late' as ItemId, { available: true });
    store.update({ complete: true });

    expect(before).to.equal(100_000);
    expect(selection.count).to.equal(100_001);
    expect(selection.state(table.order)).to.equal('all');
    selection.toggle(table.order, 5);
    expect([selection.count, selection.has(5), selection.state(table.order)]).to.deep.equal([100_000, false, 'some']);
  });

  it('does not include rows that are added after all were selected', () => {
    const { store, table, selection } = open(3);
    selection.selectAll(table.order);

    store.learn('late' as ItemId, { available: true });

    expect(selected(selection)).to.deep.equal([0, 1, 2]);
    expect([selection.count, selection.state(table.order)]).to.deep.equal([3, 'some']);
    selection.selectAll(table.order);
    expect([selection.count, selection.state(table.order)]).to.deep.equal([4, 'all']);
  });

  it('keeps rows that a range adds after all were selected', () => {
    const { table, selection } = open(6);
    selection.selectAll(table.order);

    selection.extendTo(table.order, 1);

    expect([selection.count, selection.has(1)]).to.deep.equal([6, true]);
  });

  it('deselects all matching rows, and no hidden row', () => {
    const { filter, selection } = open(30);
    filter.apply({ text: 'tour-1' });
    selection.toggle({ length: 1, at: () => 2 }, 0);
    selection.selectAll(filter.order);

    selection.selectAll(filter.order, false);

    expect(selected(selection)).to.deep.equal([2]);
  });

  it('selects all that match and keeps them while the filter changes', () => {
    const { filter, selection } = open(1_000);
    filter.apply({ text: 'tour-99' });

    selection.selectAll(filter.order);
    const all = selection.state(filter.order);
    filter.apply({ text: 'tour-1' });

    expect(all).to.equal('all');
    expect(selection.count).to.equal(11);
    expect(selection.state(filter.order)).to.equal('none');
    filter.apply({});
    expect(selected(selection)).to.deep.equal([99, 990, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
  });

  it('does not include matching rows that are added later', () => {
    const { store, filter, selection } = open(3);
    filter.apply({ text: 'tour' });
    selection.selectAll(filter.order);

    store.learn('tour-late' as ItemId, { available: true });

    expect(selection.count).to.equal(3);
  });

  it('does not include an item index without a row', () => {
    const { table, selection } = open(2);

    selection.toggle(table.order, 7);
    selection.extendTo(table.order, -1);

    expect(selection.count).to.equal(0);
  });

  it('passes nothing from one person to the next', () => {
    const { store, table, selection } = open(5);
    selection.selectAll(table.order);

    store.turnTo(BEN);

    expect(selection.count).to.equal(0);
  });

  it('behaves as a plain set of item indexes does, for any clicks', () => {
    const viewIndex = fc.nat(45);
    const act = fc.oneof(
      fc.record({ kind: fc.constantFrom('toggle' as const, 'extend' as const), viewIndex }),
      fc.record({ kind: fc.constantFrom('all' as const, 'clear' as const), viewIndex }),
      fc.record({ kind: fc.constantFrom('everything' as const, 'some' as const), viewIndex }),
    );

    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const { table, filter, selection } = open(40);
        const plain = new Set<ItemIndex>();
        let anchor: ItemIndex | undefined;
        let reach: ItemIndex | undefined;
        const turn = (itemIndex: ItemIndex, isIn: boolean): void => {
          if (isIn) plain.add(itemIndex);
          else plain.delete(itemIndex);
        };
        for (const { kind, viewIndex: at } of acts) {
          const { order } = filter;
          const rows = Array.from({ length: order.length }, (_, one) => order.at(one) ?? -1);
          const click = (row: ViewIndex): void => {
            const itemIndex = rows[row];
            if (itemIndex === undefined) return;
            turn(itemIndex, !plain.has(itemIndex));
            anchor = reach = itemIndex;
          };
          const turnAll = (from: ViewIndex, to: ViewIndex, isIn: boolean): void => {
            for (const itemIndex of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) turn(itemIndex, isIn);
          };
          switch (kind) {
            case 'toggle':
              selection.toggle(order, at);
              click(at);
              break;
            case 'extend': {
              selection.extendTo(order, at);
              const start = anchor === undefined ? -1 : rows.indexOf(anchor);
              if (start < 0 || anchor === undefined) {
                if (!plain.has(rows[at] ?? -1)) click(at);
              } else {
                const isIn = plain.has(anchor);
                const before = reach === undefined ? -1 : rows.indexOf(reach);
                if (isIn && before >= 0) turnAll(start, before, false);
                turnAll(start, at, isIn);
                reach = rows[at];
              }
              break;
            }
            case 'all':
              selection.selectAll(order);
              for (const itemIndex of rows) plain.add(itemIndex);
              anchor = undefined;
              break;
            case 'clear':
              selection.clear();
              plain.clear();
              anchor = undefined;
              break;
            case 'everything':
              filter.apply({});
              break;
            case 'some':
              filter.apply({ filter: 'unavailable', text: String(at % 10) });
          }
          expect(selection.count).to.equal(plain.size);
        }
        expect(selected(selection)).to.deep.equal([...plain].sort((a, b) => a - b));
        for (let itemIndex = 0; itemIndex < table.size; itemIndex += 1) {
          expect(selection.has(itemIndex)).to.equal(plain.has(itemIndex));
        }
      }),
    );
  });
});
