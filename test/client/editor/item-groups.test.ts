import { expect } from '@open-wc/testing';
import { ItemFilter } from '../../../src/client/editor/filter.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import { GroupedOrder, isHeading } from '../../../src/client/editor/view/grouped-order.js';
import { ItemGroups } from '../../../src/client/editor/view/item-groups.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { FakeScheduler } from '../support/fake-scheduler.js';
import { BEN, FakeStore } from '../support/fake-store.js';

const ITEMS = [
  { id: 'a', group: 'Tours', available: true },
  { id: 'b', group: 'Rooms', available: true },
  { id: 'c', available: true },
  { id: 'd', group: 'tours', available: false },
  { id: 'e', group: ' Tours ', available: false },
];

function open(entries: readonly unknown[] = ITEMS, store = new FakeStore()) {
  const pace = new FakeScheduler();
  const table = new ItemList(store, entries, () => undefined, pace);
  const filter = new ItemFilter(table, () => undefined, pace);
  const groups = new ItemGroups(table, () => undefined, pace);
  const grouped = new GroupedOrder(groups);
  pace.runAll();
  afterThisTest(() => {
    filter.close();
    groups.close();
    table.close();
  });
  return { store, pace, table, filter, groups, grouped };
}

type Model = ReturnType<typeof open>;

/** The rendered order: ids, and names of groups in brackets. */
function drawn({ table, filter, grouped, pace }: Model, isReversed = false): string {
  filter.apply({ sort: 'group', isReversed });
  pace.runAll();
  const order = grouped.of(filter.order);
  return Array.from({ length: order.length }, (_, viewIndex) => {
    const itemIndex = order.at(viewIndex) ?? -1;
    return isHeading(itemIndex) ? `[${grouped.nameOf(itemIndex)}]` : table.idAt(itemIndex);
  }).join(' ');
}

describe('the groups of a list', () => {
  it('are sorted by name, and items without a group come last in both directions', () => {
    const model = open();

    expect(drawn(model)).to.equal('[Rooms] b [Tours] a e [tours] d [] c');
    expect(drawn(model, true)).to.equal('[tours] d [Tours] a e [Rooms] b [] c');
  });

  it('count the shown values, after each change of a row', () => {
    const { store, groups } = open();
    const before = groups.countsOf('Tours').available;

    store.learn('e' as ItemId, { available: true });
    const opened = groups.countsOf('Tours').available;
    store.learn('a' as ItemId, { available: false });
    store.learn('e' as ItemId, { available: false });

    expect([before, opened, groups.countsOf('Tours').available]).to.deep.equal([1, 2, 0]);
    expect(groups.countsOf('Tours').all).to.equal(2);
  });

  it('count an item in its current group', () => {
    const { store, groups, pace } = open([
      { id: 'a', available: true },
      { id: 'b', group: 'Rooms' },
    ]);
    groups.countsOf('Rooms');

    store.learn('a' as ItemId, { group: 'Rooms', available: true });
    pace.runAll();

    expect([groups.names, groups.countsOf('Rooms').available]).to.deep.equal([['Rooms'], 1]);
  });

  it('count nothing of an earlier person', () => {
    const { store, groups, pace } = open([{ id: 'a', group: 'Rooms' }]);
    store.learn('a' as ItemId, { available: true });
    const before = groups.countsOf('Rooms').available;

    store.turnTo(BEN);
    pace.runAll();

    expect([before, groups.countsOf('Rooms').available]).to.deep.equal([1, 0]);
  });

  it('are put into the list once for each order, and not at each read', () => {
    const model = open();
    drawn(model);
    let looks = 0;
    const nameAt = model.groups.nameAt.bind(model.groups);
    model.groups.nameAt = (itemIndex) => {
      looks += 1;
      return nameAt(itemIndex);
    };
    const { order } = model.filter;

    const [first, again] = [model.grouped.of(order), model.grouped.of(order)];
    model.grouped.toggle('Rooms');
    model.grouped.of(order);

    expect(again).to.equal(first);
    expect(looks).to.equal(ITEMS.length);
    expect(drawn(model)).to.equal('[Rooms] [Tours] a e [tours] d [] c');
  });
});
