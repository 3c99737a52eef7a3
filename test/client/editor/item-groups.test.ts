import { expect } from '@open-wc/testing';
import { ItemFilter } from '../../../src/client/editor/filter.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import { GroupedOrder, isHeading } from '../../../src/client/editor/view/grouped-order.js';
import { ItemGroups } from '../../../src/client/editor/view/item-groups.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { PretendPace } from '../support/pretend-pace.js';
import { BEN, PretendStore } from '../support/pretend-store.js';

const ITEMS = [
  { id: 'a', group: 'Tours', available: true },
  { id: 'b', group: 'Rooms', available: true },
  { id: 'c', available: true },
  { id: 'd', group: 'tours', available: false },
  { id: 'e', group: ' Tours ', available: false },
];

function open(entries: readonly unknown[] = ITEMS, store = new PretendStore()) {
  const pace = new PretendPace();
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

/** What is drawn: ids, and names of groups in brackets. */
function drawn({ table, filter, grouped, pace }: Model, isReversed = false): string {
  filter.apply({ sort: 'group', isReversed });
  pace.runAll();
  const order = grouped.of(filter.order);
  return Array.from({ length: order.length }, (_, place) => {
    const position = order.at(place) ?? -1;
    return isHeading(position) ? `[${grouped.nameOf(position)}]` : table.idAt(position);
  }).join(' ');
}

describe('the groups of a list', () => {
  it('are in the order of people, and what has no group comes last, in either direction', () => {
    const model = open();

    expect(drawn(model)).to.equal('[Rooms] b [Tours] a e [tours] d [] c');
    expect(drawn(model, true)).to.equal('[tours] d [Tours] a e [Rooms] b [] c');
  });

  it('count what their rows show, after each change of one of them', () => {
    const { store, groups } = open();
    const before = groups.countsOf('Tours').available;

    store.learn('e' as ItemId, { available: true });
    const opened = groups.countsOf('Tours').available;
    store.learn('a' as ItemId, { available: false });
    store.learn('e' as ItemId, { available: false });

    expect([before, opened, groups.countsOf('Tours').available]).to.deep.equal([1, 2, 0]);
    expect(groups.countsOf('Tours').all).to.equal(2);
  });

  it('count an item in the group that it has now', () => {
    const { store, groups, pace } = open([
      { id: 'a', available: true },
      { id: 'b', group: 'Rooms' },
    ]);
    groups.countsOf('Rooms');

    store.learn('a' as ItemId, { group: 'Rooms', available: true });
    pace.runAll();

    expect([groups.names, groups.countsOf('Rooms').available]).to.deep.equal([['Rooms'], 1]);
  });

  it('count nothing of what an earlier person has seen', () => {
    const { store, groups, pace } = open([{ id: 'a', group: 'Rooms' }]);
    store.learn('a' as ItemId, { available: true });
    const before = groups.countsOf('Rooms').available;

    store.turnTo(BEN);
    pace.runAll();

    expect([before, groups.countsOf('Rooms').available]).to.deep.equal([1, 0]);
  });

  it('are put into the list once for each order, and not for each look at it', () => {
    const model = open();
    drawn(model);
    let looks = 0;
    const nameAt = model.groups.nameAt.bind(model.groups);
    model.groups.nameAt = (position) => {
      looks += 1;
      return nameAt(position);
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
