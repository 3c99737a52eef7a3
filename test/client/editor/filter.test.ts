import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { FilterName, SortName } from '../../../src/client/editor/editor-types.js';
import { foldText } from '../../../src/client/editor/fold-text.js';
import { SLICE_MS } from '../../../src/client/browser/next-frame.js';
import { ItemFilter } from '../../../src/client/editor/filter.js';
import { ItemList, MANY } from '../../../src/client/editor/item-list.js';
import type { ItemId, Timestamp } from '../../../src/domain/item.js';
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

function open(entries: readonly unknown[], store = new FakeStore(), pace = new FakeScheduler()) {
  const table = new ItemList(store, entries, () => undefined, pace);
  let changes = 0;
  const filter = new ItemFilter(
    table,
    () => {
      changes += 1;
    },
    pace,
  );
  afterThisTest(() => {
    filter.close();
    table.close();
  });
  return { table, store, pace, filter, changes: () => changes };
}

function drawn({ table, filter }: { table: ItemList; filter: ItemFilter }): (string | undefined)[] {
  return Array.from({ length: filter.order.length }, (_, viewIndex) => table.idAt(filter.order.at(viewIndex) ?? -1));
}

/** 100,000 items. Reading the texts of one takes a microsecond. */
function openMany() {
  const pace = new FakeScheduler();
  const entries = Array.from({ length: 100_000 }, (_, at) => ({
    id: `tour-${String(at)}`,
    available: at % 2 === 0,
    label: `Kayak tour n${String(at % 1000)}`,
  }));
  const model = open(entries, undefined, pace);
  const facts = model.table.facts.bind(model.table);
  model.table.facts = (itemIndex) => {
    pace.time += 0.001;
    return facts(itemIndex);
  };
  pace.runAll();
  return model;
}

describe('the filter', () => {
  for (const label of ['Room\u00a012', 'Room  12', 'Room\r\n12'])
    it(`finds a label with any white space: ${JSON.stringify(label)}`, () => {
      const model = open([{ id: KAYAK, label }]);

      model.filter.apply({ text: 'room 12' });
      model.pace.runAll();

      expect(drawn(model)).to.deep.equal([KAYAK]);
    });

  it('shows no row if nothing is found', () => {
    const model = open([{ id: KAYAK }, { id: BOAT }]);
    model.filter.apply({ text: 'kayak' });
    const before = drawn(model);

    model.filter.apply({ text: 'kayak of gold' });

    expect([before, drawn(model)]).to.deep.equal([[KAYAK], []]);
  });

  it('shows all rows in the host’s order without a query', () => {
    const model = open([{ id: KAYAK }, { id: BOAT }]);

    expect(drawn(model)).to.deep.equal([KAYAK, BOAT]);
    expect(model.filter.busy).to.equal(false);
  });

  for (const [text, found] of [
    ['kayak', [KAYAK]],
    ['KAYAK-TOUR', [KAYAK]],
    ['  hütte ', [CABIN]],
    ['HUTTE', [CABIN]],
    ['hu\u0308tte am', [CABIN]],
    ['tour', [KAYAK, BOAT]],
    ['σοφοσ', [BOAT]],
    ['no such thing', []],
    ['see cabin', [CABIN]],
    ['cabin tte', [CABIN]],
    ['lake house', [CABIN]],
    ['summer lake', [CABIN]],
    ['seecabin', []],
    ['lake kayak', []],
  ] as const) {
    it(`finds ${String(found.length)} rows for ${JSON.stringify(text)}`, () => {
      const model = open([
        { id: KAYAK, label: 'Paddling' },
        { id: BOAT, label: 'ΣΟΦΌΣ' },
        { id: CABIN, label: 'Hütte am See', group: 'Lake', note: 'House, open in summer' },
      ]);

      model.filter.apply({ text });

      expect(drawn(model)).to.deep.equal(found);
    });
  }

  it('finds a row by the label that it has now', () => {
    const model = open([{ id: KAYAK }, { id: BOAT }]);
    model.filter.apply({ text: 'paddling' });
    const before = drawn(model);

    model.store.learn(KAYAK, { label: 'Paddling' });
    model.filter.apply({ text: 'paddling' });

    expect(before).to.deep.equal([]);
    expect(drawn(model)).to.deep.equal([KAYAK]);
  });

  it('finds a row by a new label of the host', () => {
    const model = open([{ id: KAYAK, label: 'Paddling' }]);
    model.filter.apply({ text: 'rowing' });

    model.table.renew([{ id: KAYAK, label: 'Rowing' }]);
    model.pace.runAll();

    expect(drawn(model)).to.deep.equal([KAYAK]);
  });

  for (const wanted of [{ filter: 'available' }, { text: 'tour', filter: 'available' }, { sort: 'state' }] as const) {
    it(`finds rows by new values of the host: ${JSON.stringify(wanted)}`, () => {
      const entries = (...values: boolean[]) =>
        values.map((available, at) => ({ id: `tour-${String(at)}`, available }));
      const model = open(entries(true, false));
      model.pace.runAll();
      model.filter.apply(wanted);
      const before = drawn(model)[0];

      model.table.renew(entries(false, true));
      model.pace.runAll();

      const [isAvailable, isNot] = 'sort' in wanted ? [1, 0] : [0, 1];
      expect([before, drawn(model)[0]]).to.deep.equal([`tour-${String(isAvailable)}`, `tour-${String(isNot)}`]);
    });
  }

  it('finds a row whose entry was not read yet', () => {
    const model = open(Array.from({ length: 1_000 }, (_, at) => ({ id: `tour-${String(at)}` })));

    model.filter.apply({ text: 'tour-999' });

    expect(drawn(model)).to.deep.equal(['tour-999']);
  });

  it('finds rows that were added during the search', () => {
    const store = new FakeStore();
    store.update({ complete: false });
    const model = open([{ id: KAYAK }], store);
    model.filter.apply({ text: 'tour' });
    store.learn(BOAT, { available: true });

    store.update({ complete: true });

    expect(drawn(model)).to.deep.equal([KAYAK, BOAT]);
  });

  it('leaves a row in its place when it no longer matches, and reports a stale order', () => {
    const model = open([
      { id: KAYAK, available: true },
      { id: BOAT, available: true },
    ]);
    model.filter.apply({ filter: 'available' });

    model.store.learn(KAYAK, { available: false });

    expect(drawn(model)).to.deep.equal([KAYAK, BOAT]);
    expect(model.filter.stale).to.equal(true);
    model.filter.apply({ filter: 'available' });
    expect(drawn(model)).to.deep.equal([BOAT]);
    expect(model.filter.stale).to.equal(false);
  });

  for (const wanted of [{ text: 'tour' }, { sort: 'label' }] as const) {
    it(`reports a stale order when a row is added later to a query by ${Object.keys(wanted).join()}`, () => {
      const model = open([{ id: KAYAK, available: true }]);
      model.filter.apply(wanted);

      model.store.learn(BOAT, { available: true });

      expect([drawn(model), model.filter.stale]).to.deep.equal([[KAYAK], true]);
      model.filter.apply(wanted);
      expect([drawn(model).sort(), model.filter.stale]).to.deep.equal([[BOAT, KAYAK], false]);
    });
  }

  it('reports a stale order after a bulk change', () => {
    const model = open([{ id: KAYAK, available: false }, { id: BOAT }]);
    model.filter.apply({ filter: 'changed' });

    drafts(model.table, 0);
    model.table.notify(undefined);

    expect(model.filter.stale).to.equal(true);
  });

  for (const wanted of [{ filter: 'changed', text: 'tour' }, { sort: 'state' }] as const) {
    it(`reports it for a query by ${Object.keys(wanted).join(' and ')}, too`, () => {
      const model = open([{ id: KAYAK, available: false }, { id: BOAT }]);
      model.filter.apply(wanted);

      drafts(model.table, 0);
      model.table.notify(MANY);

      expect(model.filter.stale).to.equal(true);
    });
  }

  it('shows nothing of one person to the next', () => {
    const model = open([{ id: KAYAK, label: 'Kayak tour' }]);
    model.store.learn(BOAT, { available: true, label: 'secret tour' });
    model.filter.apply({ text: 'tour' });

    model.store.turnTo(BEN);
    model.pace.runAll();

    expect(drawn(model)).to.deep.equal([KAYAK]);
  });

  it('sorts numbers in labels by value, and items without a label by id', () => {
    const labels = ['Room 10', 'room 9', 'Äpfel', undefined, 'room 09', 'Zimmer'];
    const model = open(labels.map((label, at) => ({ id: `m-${String(at)}`, label })));

    model.filter.apply({ sort: 'label' });
    model.pace.runAll();

    expect(drawn(model)).to.deep.equal(['m-2', 'm-3', 'm-1', 'm-4', 'm-0', 'm-5']);
  });

  it('sorts rows that need attention to the top', () => {
    const model = open(['on', 'off', 'unknown', 'waits', 'changed', 'refused', 'conflict'].map((id) => ({ id })));
    const learn = model.store.learn.bind(model.store);
    learn('on' as ItemId, { available: true });
    learn('off' as ItemId, { available: false });
    learn('waits' as ItemId, { available: true, truth: 'received' });
    learn('refused' as ItemId, { available: true, truth: 'needs-attention', reason: 'unknown_item' });
    learn('conflict' as ItemId, { available: true, truth: 'needs-attention', reason: 'conflict' });
    drafts(model.table, 4);

    model.filter.apply({ sort: 'state' });
    model.pace.runAll();

    expect(drawn(model)).to.deep.equal(['conflict', 'refused', 'changed', 'waits', 'unknown', 'off', 'on']);
  });

  it('sorts the last change to the top, and rows without a time to the end', () => {
    const model = open([{ id: 'never' }, { id: 'first' }, { id: 'last' }]);
    model.store.learn('first' as ItemId, { available: true });
    model.store.learn('last' as ItemId, { available: true });

    model.filter.apply({ sort: 'changed-at' });
    model.pace.runAll();

    expect(drawn(model)).to.deep.equal(['last', 'first', 'never']);
  });

  it('sorts the last delivery to the top, even if its change is older', () => {
    const model = open([{ id: 'late' }, { id: 'soon' }]);
    const [first, second, third] = ['08:00', '09:00', '10:00'].map((at) => `2026-06-01T${at}:00.000Z` as Timestamp);
    model.store.learn('late' as ItemId, { available: true, updated_at: first, settled_at: third });
    model.store.learn('soon' as ItemId, { available: true, updated_at: second, settled_at: second });

    model.filter.apply({ sort: 'changed-at' });
    model.pace.runAll();

    expect(drawn(model)).to.deep.equal(['late', 'soon']);
  });

  it('finds all words in any order in name, id, group and note', () => {
    const model = open([
      { id: KAYAK, label: 'Red kayak', group: 'Harbour', note: 'two seats' },
      { id: BOAT, label: 'Red boat', group: 'Harbour', note: 'four seats' },
    ]);

    model.filter.apply({ text: 'TWO harbour kayak-tour red' });

    expect(drawn(model)).to.deep.equal([KAYAK]);
  });

  it('shows a screenful of 100,000 rows on return, and the rest in short slices', () => {
    const model = openMany();
    const start = model.pace.time;

    model.filter.apply({ text: 'kayak tour n7' });
    const atOnce = model.pace.time - start;
    const first = model.filter.order.length;
    const busy = model.filter.busy;
    const slices = model.pace.runAll();

    expect(atOnce).to.be.below(SLICE_MS + 1);
    expect(first).to.be.above(100);
    expect(busy).to.equal(true);
    expect(Math.max(...slices)).to.be.below(SLICE_MS + 1);
    expect(model.filter.busy).to.equal(false);
    expect(model.filter.order.length).to.equal(11_100);
  });

  it('reads no label again for the next key', () => {
    const model = openMany();
    model.filter.apply({ text: 'kayak tour n99' });
    model.pace.runAll();
    const start = model.pace.time;

    model.filter.apply({ text: 'kayak tour n999' });
    model.pace.runAll();

    expect(model.pace.time - start).to.equal(0);
    expect(model.filter.order.length).to.equal(100);
  });

  it('reads no label for the first key if it had time to prepare', () => {
    const model = openMany();
    model.filter.prepare(model.pace);
    const slices = model.pace.runAll();
    const start = model.pace.time;

    model.filter.apply({ text: 'kayak tour n999' });
    model.pace.runAll();

    expect(Math.max(...slices)).to.be.below(SLICE_MS + 1);
    expect(model.pace.time - start).to.equal(0);
    expect(model.filter.order.length).to.equal(100);
  });

  it('finds the current text of a row that has changed since the search was prepared', () => {
    const model = open([{ id: KAYAK }, { id: BOAT }]);
    model.filter.prepare(model.pace);
    model.pace.runAll();

    model.store.learn(KAYAK, { label: 'Paddling' });
    model.filter.apply({ text: 'paddl' });

    expect(drawn(model)).to.deep.equal([KAYAK]);
  });

  it('frees the texts after a search, and still finds rows the next time', () => {
    const model = openMany();
    model.filter.apply({ text: 'kayak tour n99' });
    model.pace.runAll();
    model.filter.apply({ text: '' });
    model.filter.release();
    const start = model.pace.time;

    model.filter.apply({ text: 'kayak tour n999' });
    model.pace.runAll();

    expect(model.pace.time).to.be.above(start);
    expect(model.filter.order.length).to.equal(100);
  });

  it('cancels the unfinished search of an earlier key', () => {
    const model = openMany();
    model.filter.apply({ text: 'kayak' });

    model.filter.apply({ text: 'tour n5' });
    model.pace.runAll();

    expect(model.filter.order.length).to.equal(11_100);
  });

  it('shows the previous order while 100,000 rows are sorted in slices', () => {
    const model = openMany();
    model.filter.apply({ text: 'tour n12' });
    model.pace.runAll();
    const before = drawn(model).slice(0, 3);

    model.filter.apply({ text: 'tour n12', sort: 'label' });
    const meanwhile = drawn(model).slice(0, 3);
    const slices = model.pace.runAll();

    expect(meanwhile).to.deep.equal(before);
    expect(Math.max(...slices)).to.be.below(SLICE_MS + 1);
    expect(drawn(model).slice(0, 2)).to.deep.equal(['tour-12', 'tour-1012']);
  });

  it('behaves as a plain list of objects does, for any searches, filters and orders', () => {
    const word = fc.constantFrom('Kayak', 'boat', 'Über', 'uber', '2', '10', 'İstanbul', '한국', ' ', '\u0301', '\n');
    const label = fc.option(
      fc.array(word, { maxLength: 4 }).map((words) => words.join('')),
      { nil: undefined },
    );
    const entry = fc.record({ label, available: fc.constantFrom(true, false, undefined) });
    const wanted = fc.record({
      text: fc.array(word, { maxLength: 2 }).map((words) => words.join('')),
      filter: fc.constantFrom<FilterName>('all', 'available', 'unavailable', 'unknown', 'waiting'),
      sort: fc.constantFrom<SortName>('given', 'id', 'changed-at'),
    });
    const act = fc.record({
      wanted,
      told: fc.array(fc.record({ at: fc.nat(600), available: fc.boolean() }), { maxLength: 4 }),
      finish: fc.boolean(),
    });

    fc.assert(
      fc.property(fc.array(entry, { maxLength: 600 }), fc.array(act, { minLength: 1, maxLength: 5 }), (some, acts) => {
        const entries = some.map((item, at) => ({ ...item, id: `item ${String(at * 7)}` }));
        const model = open(entries);
        for (const one of acts) {
          for (const { at, available } of one.told) {
            model.store.learn(`item ${String(at * 7)}` as ItemId, { available, truth: 'received' });
          }
          model.filter.apply(one.wanted);
          if (one.finish) model.pace.runAll();
        }
        const last = acts.at(-1)?.wanted ?? { text: '', filter: 'all', sort: 'given' };
        model.filter.apply(last);
        model.pace.runAll();

        const ids = [...new Set([...entries.map(({ id }) => id), ...model.store.knownIds])];
        const words = foldText(last.text).split(/\s+/);
        const rows = ids
          .map((id) => model.store.view(id as ItemId))
          .filter((view) => {
            const texts = [view.id as string, (view.label ?? '').replaceAll('\n', ' ')];
            const isWanted = {
              available: view.available === true,
              unavailable: view.available === false,
              unknown: view.available === undefined,
              waiting: view.truth === 'received',
            };
            const isKept = last.filter === 'all' || isWanted[last.filter as keyof typeof isWanted];
            return isKept && words.every((word) => texts.some((text) => foldText(text).includes(word)));
          });
        const number = (id: string): number => Number(id.slice(5));
        if (last.sort === 'id') rows.sort((a, b) => number(a.id) - number(b.id));
        if (last.sort === 'changed-at') {
          rows.sort((a, b) => (Date.parse(b.updated_at ?? '') || 0) - (Date.parse(a.updated_at ?? '') || 0));
        }
        expect(drawn(model)).to.deep.equal(rows.map(({ id }) => id));
      }),
      { numRuns: 150 },
    );
  });
});
