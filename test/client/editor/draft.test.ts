import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { SLICE_MS } from '../../../src/client/browser/next-frame.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemSelection } from '../../../src/client/editor/selection.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { NO_HOST } from '../support/no-host.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { FakeScheduler } from '../support/fake-scheduler.js';
import { BEN, FakeStore } from '../support/fake-store.js';

function idAt(itemIndex: number): ItemId {
  return `tour-${String(itemIndex)}` as ItemId;
}

/** The editor's model with unavailable items. */
function open(length: number, mode: 'manual' | 'auto' = 'manual', confirmChange = NO_HOST.confirmChange) {
  const store = new FakeStore();
  const pace = new FakeScheduler();
  const entries = Array.from({ length }, (_, at) => ({ id: idAt(at), available: false }));
  const table = new ItemList(store, entries, () => undefined, pace);
  const selection = new ItemSelection(table);
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode, confirmChange });
  afterThisTest(() => {
    draft.close();
    selection.close();
    table.close();
  });
  pace.runAll();
  return { store, pace, table, selection, draft };
}

/** The items of a host's page that copies each draft into them. */
function asTheyStand(table: ItemList): { id: ItemId; available: boolean | undefined }[] {
  return Array.from({ length: table.size }, (_, itemIndex) => {
    const row = table.row(itemIndex);
    return { id: idAt(itemIndex), available: row?.draft ?? row?.view.available };
  });
}

function sent({ store }: { store: FakeStore }): [string, boolean][] {
  return store.sent.map(({ id, available }) => [id, available]);
}

/** A draft of 600 items whose save was cancelled after 500. */
async function openCancelled(): Promise<ReturnType<typeof open>> {
  const model = open(600);
  model.selection.selectAll(model.table.order);
  await model.draft.setSelected(model.selection, true);
  const cancel = new AbortController();
  await model.draft.save(() => {
    cancel.abort();
  }, cancel.signal);
  return model;
}

describe('a draft', () => {
  it('shows the new value, is counted and sends nothing', async () => {
    const model = open(3);

    await model.draft.set(1, true);

    expect(model.table.row(1)).to.deep.include({ draft: true, conflict: undefined });
    expect(model.table.row(1)?.view.available).to.equal(false);
    expect(model.table.counts.changed).to.equal(1);
    expect(sent(model)).to.deep.equal([]);
  });

  it('is removed when a row is switched on and off again', async () => {
    const model = open(3);

    await model.draft.set(1, true);
    await model.draft.set(1, false);
    const result = await model.draft.save();

    expect(model.table.counts.changed).to.equal(0);
    expect(result).to.deep.equal({ saved: 0, left: 0, held: 0 });
    expect(sent(model)).to.deep.equal([]);
  });

  it('stays removed after a row was switched back, whatever value another person sets then', async () => {
    const model = open(1);
    await model.draft.set(0, true);
    await model.draft.set(0, false);

    model.store.learn(idAt(0), { available: true, by: 'Ben' });

    expect(model.table.counts.changed).to.equal(0);
    expect(model.table.row(0)).to.deep.include({ draft: undefined, conflict: undefined });
  });

  it('sends only the changed rows when it is saved, and is removed then', async () => {
    const model = open(5);
    await model.draft.set(3, true);
    await model.draft.set(1, true);

    const result = await model.draft.save();

    expect(result).to.deep.equal({ saved: 2, left: 0, held: 0 });
    expect(sent(model)).to.deep.equal([
      ['tour-1', true],
      ['tour-3', true],
    ]);
    expect(model.table.counts).to.include({ changed: 0, available: 2, waiting: 2 });
  });

  it('is saved in one change set with the other rows of its bulk change, and without one as a single choice', async () => {
    const model = open(6);
    const select = (...itemIndexes: number[]) => ({ rows: () => itemIndexes });
    await model.draft.setSelected(select(0, 1, 2), true);
    await model.draft.setSelected(select(3, 4), true);
    await model.draft.set(5, true);
    // The last act that changed a row has it.
    await model.draft.set(2, false);
    await model.draft.set(2, true);

    await model.draft.save();
    await model.draft.undo();
    await model.draft.undo();
    await model.draft.undo();
    await model.draft.undo();

    const sets = model.store.sent.map(({ changeSet }) => changeSet);
    const [first, , , second] = sets;
    expect(first).to.match(/^[0-9a-f]{32}$/);
    expect(sets.slice(0, 6)).to.deep.equal([first, first, undefined, second, second, undefined]);
    expect(second).not.to.equal(first);
    const undone = sets.slice(-2);
    expect(undone[0]).to.match(/^[0-9a-f]{32}$/);
    expect(undone).to.deep.equal([undone[0], undone[0]]);
    expect([first, second]).not.to.include(undone[0]);
  });

  it('is sent in one change set with the other rows of its bulk change in auto mode, and without one as a single choice', async () => {
    const model = open(3, 'auto');

    await model.draft.setSelected({ rows: () => [0, 1] }, true);
    await model.draft.set(2, true);

    const [first, ...others] = model.store.sent.map(({ changeSet }) => changeSet);
    expect(first).to.match(/^[0-9a-f]{32}$/);
    expect(others).to.deep.equal([first, undefined]);
  });

  it('can be undone and redone step by step', async () => {
    const model = open(4);
    await model.draft.set(0, true);
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);

    expect(await model.draft.undo()).to.deep.equal({ changed: 3, skipped: 0 });
    expect(model.table.counts.changed).to.equal(1);
    await model.draft.undo();
    expect([model.table.counts.changed, model.draft.canUndo, model.draft.canRedo]).to.deep.equal([0, false, true]);
    await model.draft.redo();
    await model.draft.redo();
    expect([model.table.counts.changed, model.draft.canRedo]).to.deep.equal([4, false]);
    expect(sent(model)).to.deep.equal([]);
  });

  it('previews how many rows a bulk change would change, which have the value already and which are locked', async () => {
    const model = open(10);
    model.store.locked.add(idAt(1)).add(idAt(3));
    for (const itemIndex of [0, 2, 6, 9]) await model.draft.set(itemIndex, true);
    model.selection.selectAll(model.table.order);

    expect(model.draft.preview(model.selection, true)).to.deep.equal({ change: 4, same: 4, locked: 2 });
    expect(model.draft.preview(model.selection, false)).to.deep.equal({ change: 4, same: 6, locked: 0 });
  });

  it('applies a bulk change to the current rows, also if they have changed since the preview', async () => {
    const model = open(70);
    model.selection.selectAll(model.table.order);
    model.draft.preview(model.selection, true);

    await model.draft.set(2, true);
    expect(model.draft.preview(model.selection, true)).to.deep.equal({ change: 69, same: 1, locked: 0 });
    model.store.learn(idAt(4), { available: true, by: 'Ben' });
    expect(model.draft.preview(model.selection, true)).to.deep.equal({ change: 68, same: 2, locked: 0 });
    model.selection.toggle(model.table.order, 6);
    expect(model.draft.preview(model.selection, true)).to.deep.equal({ change: 67, same: 2, locked: 0 });
    model.draft.preview(model.selection, false);
    const done = await model.draft.setSelected(model.selection, true);

    expect(done).to.deep.equal({ change: 67, same: 2, locked: 0 });
    expect(model.table.counts).to.include({ changed: 68, available: 69, unavailable: 1 });
    expect([4, 6, 7].map((itemIndex) => model.table.row(itemIndex)?.draft)).to.deep.equal([undefined, undefined, true]);
  });

  it('is based on the value that the person saw, also after an earlier draft of the row was removed', async () => {
    const model = open(70);
    for (const available of [true, false]) await model.draft.set(5, available);
    model.store.learn(idAt(5), { available: false, by: 'Ben' });
    model.selection.selectAll(model.table.order);

    await model.draft.setSelected(model.selection, true);
    model.pace.runAll();

    const stamp = Date.parse(model.store.view(idAt(5)).updated_at ?? '');
    expect(model.draft.changes.baseOf(5)).to.deep.equal({ base: false, stamp });
    expect(model.table.row(5)?.conflict).to.equal(undefined);
  });

  it('reports what a bulk change did, and leaves locked rows as they are', async () => {
    const model = open(4);
    model.store.locked.add(idAt(2));
    await model.draft.set(0, true);
    model.selection.selectAll(model.table.order);

    const done = await model.draft.setSelected(model.selection, true);

    expect(done).to.deep.equal({ change: 2, same: 1, locked: 1 });
    expect(model.table.row(2)?.draft).to.equal(undefined);
  });

  it('is still a change, and is sent, after the host’s page has copied its value', async () => {
    const model = open(3);
    await model.draft.set(1, true);

    model.table.renew(asTheyStand(model.table));
    model.pace.runAll();

    expect(model.table.row(1)).to.deep.include({ draft: true, conflict: undefined });
    expect(model.table.counts.changed).to.equal(1);
    await model.draft.save();
    expect(sent(model)).to.deep.equal([['tour-1', true]]);
  });

  it('can be switched, discarded and made again after the host’s page has copied its value', async () => {
    const model = open(1);
    const repeat = (): void => {
      model.table.renew(asTheyStand(model.table));
      model.pace.runAll();
    };
    await model.draft.set(0, true);
    repeat();
    await model.draft.set(0, false);
    repeat();
    const turned = model.table.row(0)?.draft;
    model.draft.discard();
    const discarded = model.table.row(0)?.draft;
    await model.draft.set(0, false);
    await model.draft.save();

    expect([turned, discarded]).to.deep.equal([false, undefined]);
    expect(sent(model)).to.deep.equal([['tour-0', false]]);
  });

  it('does not conflict if the host’s page copies its value and then returns to the earlier one', async () => {
    const model = open(1);
    await model.draft.set(0, true);

    for (const entries of [asTheyStand(model.table), [{ id: idAt(0), available: false }]]) {
      model.table.renew(entries);
      model.pace.runAll();
    }

    expect(model.table.row(0)).to.deep.include({ draft: true, conflict: undefined });
    expect(await model.draft.save()).to.deep.include({ saved: 1, held: 0 });
  });

  it('stays removed after a row was switched back, whatever value the host’s page has then', async () => {
    const model = open(2);
    await model.draft.set(0, true);
    await model.draft.set(0, false);

    model.table.renew([
      { id: idAt(0), available: true },
      { id: idAt(1), available: false },
    ]);
    model.pace.runAll();

    expect(model.table.counts).to.include({ changed: 0, available: 1, unavailable: 1 });
  });

  it('changes no item that the person may not edit', async () => {
    const model = open(2);
    model.store.update({ canEdit: false });

    await model.draft.set(0, true);

    expect([model.table.counts.changed, model.draft.canUndo]).to.deep.equal([0, false]);
  });

  it('is removed when it is discarded, with the undo steps that only made drafts', async () => {
    const model = open(3);
    await model.draft.set(0, true);
    await model.draft.save();
    await model.draft.set(1, true);

    model.draft.discard();

    expect(model.table.counts.changed).to.equal(0);
    expect(model.draft.canRedo).to.equal(false);
    expect(await model.draft.undo()).to.deep.equal({ changed: 1, skipped: 0 });
    expect(sent(model)).to.deep.equal([
      ['tour-0', true],
      ['tour-0', false],
    ]);
  });

  it('undoes saved changes with new edits at once, except for rows that another person has changed since', async () => {
    const model = open(4);
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);
    await model.draft.save();
    model.store.learn(idAt(1), { available: false, by: 'Ben' });
    model.store.learn(idAt(2), { available: true, by: 'Ben' });

    const result = await model.draft.undo();

    expect(result).to.deep.equal({ changed: 2, skipped: 2 });
    expect(sent(model).slice(4)).to.deep.equal([
      ['tour-0', false],
      ['tour-3', false],
    ]);
    expect(model.table.counts.changed).to.equal(0);
  });

  it('cannot make a saved value unknown again', async () => {
    const model = open(1);
    model.store.learn(idAt(0), { available: undefined });
    await model.draft.set(0, true);
    await model.draft.save();

    expect(await model.draft.undo()).to.deep.equal({ changed: 0, skipped: 1 });
  });

  it('asks the host before it undoes saved changes, once for each value with all its items', async () => {
    const asked: [ItemId[], ItemId, boolean][] = [];
    const model = open(4, 'auto', (ids, first, available) => {
      asked.push([[...ids], first, available]);
      return !available;
    });
    await model.draft.set(0, true);
    await model.draft.set(1, true);
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);
    const before = sent(model).length;

    expect(await model.draft.undo()).to.deep.equal({ changed: 2, skipped: 0 });
    expect(await model.draft.redo()).to.deep.equal({ changed: 0, skipped: 2 });

    expect(asked).to.deep.equal([
      [[idAt(2), idAt(3)], idAt(2), false],
      [[idAt(2), idAt(3)], idAt(2), true],
    ]);
    expect(sent(model).slice(before)).to.deep.equal([
      [idAt(2), false],
      [idAt(3), false],
    ]);
  });

  it('redoes a saved step that was undone', async () => {
    const model = open(1);
    await model.draft.set(0, true);
    await model.draft.save();
    await model.draft.undo();

    expect(await model.draft.redo()).to.deep.equal({ changed: 1, skipped: 0 });
    expect(sent(model).map(([, available]) => available)).to.deep.equal([true, false, true]);
  });

  it('shows its base and both values when another person changes the row, and is held back', async () => {
    const model = open(3);
    model.store.learn(idAt(0), { available: undefined });
    await model.draft.set(0, true);
    await model.draft.set(1, true);

    model.store.learn(idAt(0), { available: false, by: 'Ben' });

    expect(model.table.row(0)?.conflict).to.deep.equal({ base: undefined, mine: true, theirs: false });
    expect(model.table.counts).to.include({ conflict: 1, attention: 1 });
    expect(await model.draft.save()).to.deep.equal({ saved: 1, left: 0, held: 1 });
    expect(sent(model)).to.deep.equal([['tour-1', true]]);
  });

  it('is held back when another person sets the same value again', async () => {
    const model = open(2);
    await model.draft.set(0, true);

    model.store.learn(idAt(0), { available: false, by: 'Ben' });

    expect(model.table.row(0)?.conflict).to.deep.equal({ base: false, mine: true, theirs: false });
  });

  it('does not conflict with the delivery of the person’s own edit', async () => {
    const model = open(2);
    model.store.learn(idAt(0), { available: false, truth: 'received' });
    await model.draft.set(0, true);

    model.store.learn(idAt(0), { available: false, truth: 'on-portal' });

    expect(model.table.row(0)?.conflict).to.equal(undefined);
  });

  it('does not conflict with old values in the proxy’s listing', async () => {
    const model = open(2);
    model.store.update({ complete: false });
    await model.draft.set(0, true);

    model.store.learn(idAt(0), { available: false, by: 'Ben' });
    model.store.update({ complete: true });
    const met = model.table.row(0)?.conflict;
    model.store.learn(idAt(0), { available: false, by: 'Ben' });

    expect(met).to.equal(undefined);
    expect(model.table.row(0)?.conflict).to.deep.equal({ base: false, mine: true, theirs: false });
  });

  it('is sent once the person keeps it in a conflict, and removed once the other value is kept', async () => {
    const model = open(3);
    await model.draft.set(0, true);
    await model.draft.set(1, true);
    model.store.learn(idAt(0), { available: false, by: 'Ben' });
    model.store.learn(idAt(1), { available: false, by: 'Ben' });

    model.draft.resolve(0, 'mine');
    model.draft.resolve(1, 'theirs');

    expect(model.table.row(0)?.conflict).to.equal(undefined);
    expect(model.table.counts).to.include({ changed: 1, conflict: 0, attention: 0 });
    await model.draft.save();
    expect(sent(model)).to.deep.equal([['tour-0', true]]);
  });

  it('stays for rows that a cancelled save did not reach', async () => {
    const model = open(1_200);
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);
    const cancel = new AbortController();
    const progress: string[] = [];

    const result = await model.draft.save(({ saved, of }) => {
      progress.push(`${String(saved)} of ${String(of)}`);
      if (saved === 1_000) cancel.abort();
    }, cancel.signal);

    expect(progress).to.deep.equal(['500 of 1200', '1000 of 1200']);
    expect(result).to.deep.equal({ saved: 1_000, left: 200, held: 0 });
    expect(model.table.counts.changed).to.equal(200);
    expect(model.store.sent.length).to.equal(1_000);
  });

  it('undoes a cancelled save row by row: saved rows with edits, the others as drafts', async () => {
    const model = await openCancelled();

    expect(await model.draft.undo()).to.deep.equal({ changed: 600, skipped: 0 });
    expect(model.table.counts).to.include({ changed: 0, unavailable: 600 });
    expect(model.store.sent.length).to.equal(1_000);
  });

  it('is restored as a draft when a redo reaches rows that a cancelled save did not send', async () => {
    const model = await openCancelled();
    await model.draft.undo();
    model.store.sent.length = 0;

    expect(await model.draft.redo()).to.deep.equal({ changed: 600, skipped: 0 });
    expect(model.store.sent.length).to.equal(500);
    expect(model.table.counts).to.include({ changed: 100, available: 600 });
    await model.draft.save();
    expect(model.store.sent.length).to.equal(600);
    expect(await model.draft.undo()).to.deep.equal({ changed: 600, skipped: 0 });
    await model.draft.redo();
    expect(model.store.sent.length).to.equal(1_800);
  });

  it('is restored as a draft when a redo reaches rows that were discarded after a cancelled save', async () => {
    const model = await openCancelled();
    model.draft.discard();
    model.store.sent.length = 0;

    expect(await model.draft.undo()).to.deep.equal({ changed: 500, skipped: 100 });
    await model.draft.redo();

    expect(model.store.sent.length).to.equal(1_000);
    expect(model.table.counts).to.include({ changed: 100, available: 600 });
  });

  it('does not count as held back if the person removes it during the save', async () => {
    const model = open(1_200);
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);
    model.store.learn(idAt(1_199), { available: false, by: 'Ben' });
    let undone: Promise<unknown> | undefined;

    const result = await model.draft.save(() => (undone ??= model.draft.undo()));

    expect(result).to.deep.equal({ saved: 500, left: 0, held: 0 });
    expect(await undone).to.deep.equal({ changed: 1_200, skipped: 0 });
    expect(model.table.counts).to.include({ changed: 0, unavailable: 1_200 });
  });

  it('stays if the person changes it during the save', async () => {
    const model = open(2);
    await model.draft.set(0, true);
    const saving = model.draft.save();
    await model.draft.set(0, false);

    await saving;

    expect(model.table.row(0)?.draft).to.equal(false);
    expect(sent(model)).to.deep.equal([['tour-0', true]]);
  });

  it('is saved once, however often save is pressed', async () => {
    const model = open(2);
    await model.draft.set(0, true);

    await Promise.all([model.draft.save(), model.draft.save()]);

    expect(model.store.sent.length).to.equal(1);
  });

  it('does not pass to the next person, and neither does the undo history', async () => {
    const model = open(2);
    await model.draft.set(0, true);

    model.store.turnTo(BEN);
    model.pace.runAll();

    expect([model.table.counts.changed, model.draft.canUndo]).to.deep.equal([0, false]);
    expect(await model.draft.save()).to.deep.equal({ saved: 0, left: 0, held: 0 });
  });

  it('saves each click at once in auto mode, with the same undo', async () => {
    const model = open(3, 'auto');

    await model.draft.set(0, true);
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);
    await model.draft.undo();

    expect(sent(model)).to.deep.equal([
      ['tour-0', true],
      ['tour-1', true],
      ['tour-2', true],
      ['tour-1', false],
      ['tour-2', false],
    ]);
    expect(model.table.counts.changed).to.equal(0);
  });

  it('undoes steps in the order of the key presses, whatever else the person does in between', async () => {
    const model = open(3, 'auto');
    await model.draft.set(0, true);
    await model.draft.set(1, true);

    const undone = [model.draft.undo(), model.draft.undo()];
    await model.draft.set(2, true);

    expect(await Promise.all(undone)).to.deep.equal(Array(2).fill({ changed: 1, skipped: 0 }));
    expect([0, 1, 2].map((row) => model.table.row(row)?.view.available)).to.deep.equal([false, false, true]);
    expect(await model.draft.undo()).to.deep.equal({ changed: 1, skipped: 0 });
    expect(model.table.row(2)?.view.available).to.equal(false);
  });

  it('drops an undo that waits for another one when another person signs in', async () => {
    const model = open(2, 'auto');
    await model.draft.set(0, true);
    await model.draft.set(1, true);

    const undone = [model.draft.undo(), model.draft.undo()];
    model.store.turnTo(BEN);
    model.store.learn(idAt(0), { available: true });
    await Promise.all(undone);

    expect(sent(model).slice(2)).to.deep.equal([['tour-1', false]]);
  });

  it('undoes a large bulk change as a whole, after all of it was stored', async () => {
    const asked: number[] = [];
    const model = open(3_000, 'auto', (ids) => asked.push([...ids].length) > 0);
    model.selection.selectAll(model.table.order);

    const done = model.draft.setSelected(model.selection, true);
    const undone = model.draft.undo();
    await done;

    expect(await undone).to.deep.equal({ changed: 3_000, skipped: 0 });
    expect(asked).to.deep.equal([3_000]);
    expect(model.table.counts.available).to.equal(0);
  });

  it('stores a large bulk change after an undo that is running, and not for another person', async () => {
    const model = open(3_000, 'auto');
    model.selection.selectAll(model.table.order);
    await model.draft.setSelected(model.selection, true);

    const undone = model.draft.undo();
    model.selection.clear();
    model.selection.toggle(model.table.order, 0);
    const done = model.draft.setSelected(model.selection, true);
    model.store.turnTo(BEN);
    await Promise.all([undone, done]);

    expect(model.store.sent.slice(3_000).filter(({ available }) => available)).to.deep.equal([]);
  });

  it('stops a large bulk change when another person signs in while it is stored', async () => {
    const model = open(3_000, 'auto');
    const { store } = model;
    const setSome = store.setSome.bind(store);
    store.setSome = async (requests) => {
      await setSome(requests);
      store.turnTo(BEN);
    };
    model.selection.selectAll(model.table.order);

    await model.draft.setSelected(model.selection, true);

    expect(store.sent.length).to.equal(1_000);
  });

  it('stops a large bulk change that began before the person was known when a second person signs in', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const model = open(3_000, 'auto');
    const { store } = model;
    store.turnTo(tab);
    model.pace.runAll();
    const setSome = store.setSome.bind(store);
    store.setSome = async (edits) => {
      await setSome(edits);
      store.turnTo(store.snapshot.owner === tab ? anna : ben);
    };
    model.selection.selectAll(model.table.order);

    await model.draft.setSelected(model.selection, true);

    expect(store.sent.length).to.equal(2_000);
  });

  for (const truth of ['received', 'on-portal'] as const) {
    it(`does not reappear with the next value after another person has set its value: ${truth}`, async () => {
      const model = open(2);
      await model.draft.set(0, true);
      model.store.learn(idAt(0), { available: true, truth });
      const counted = model.table.counts.changed;

      model.store.learn(idAt(0), { available: false, truth });
      await model.draft.set(1, true);
      await model.draft.save();

      expect([counted, model.table.row(0)?.draft]).to.deep.equal([0, undefined]);
      expect(sent(model)).to.deep.equal([['tour-1', true]]);
    });
  }

  it('reappears if the edit with its value is withdrawn before it was sent', async () => {
    const model = open(2);
    await model.draft.set(0, true);
    model.store.learn(idAt(0), { available: true, truth: 'on-device' });

    model.store.learn(idAt(0), { available: false, truth: undefined });

    expect(model.table.row(0)?.draft).to.equal(true);
  });

  it('changes 100,000 rows without reading their views, and reads these later in short slices', async () => {
    const model = open(100_000);
    model.selection.selectAll(model.table.order);
    const view = model.store.view.bind(model.store);
    model.store.view = (id) => {
      model.pace.time += 0.002;
      return view(id);
    };

    await model.draft.setSelected(model.selection, true);
    const atOnce = model.pace.time;
    const slices = model.pace.runAll();

    expect(atOnce).to.equal(0);
    expect(model.table.counts.changed).to.equal(100_000);
    expect(Math.max(...slices)).to.be.below(SLICE_MS + 1);
    await model.draft.undo();
    expect(model.table.counts.changed).to.equal(0);
  });

  it('behaves as a model of plain objects does, and never sends an untouched item', async () => {
    const row = fc.nat(19);
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), row, available: fc.boolean() }) },
      fc.record({ kind: fc.constant('bulk' as const), rows: fc.array(row, { maxLength: 8 }), available: fc.boolean() }),
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const) }) },
      fc.record({ kind: fc.constantFrom('save' as const, 'discard' as const) }),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
        const model = open(20);
        const touched = new Set<string>();
        /** What each row shows, before and after each step. */
        let steps: boolean[][] = [Array.from({ length: 20 }, () => false)];
        let cursor = 0;
        let saved = 0;
        const step = (change: (shown: boolean[]) => void): void => {
          const shown = [...(steps[cursor] ?? [])];
          change(shown);
          if (shown.every((available, at) => available === steps[cursor]?.[at])) return;
          steps = [...steps.slice(0, cursor + 1), shown];
          saved = Math.min(saved, cursor);
          cursor += 1;
        };
        for (const one of acts) {
          switch (one.kind) {
            case 'set':
              touched.add(idAt(one.row));
              await model.draft.set(one.row, one.available);
              step((shown) => (shown[one.row] = one.available));
              break;
            case 'bulk':
              model.selection.clear();
              for (const at of new Set(one.rows)) model.selection.toggle(model.table.order, at);
              for (const at of one.rows) touched.add(idAt(at));
              await model.draft.setSelected(model.selection, one.available);
              step((shown) => {
                for (const at of one.rows) shown[at] = one.available;
              });
              break;
            case 'undo':
              await model.draft.undo();
              cursor = Math.max(cursor - 1, 0);
              break;
            case 'redo':
              await model.draft.redo();
              cursor = Math.min(cursor + 1, steps.length - 1);
              break;
            case 'save':
              await model.draft.save();
              saved = cursor;
              break;
            case 'discard':
              model.draft.discard();
              if (cursor < saved) break;
              steps = steps.slice(0, saved + 1);
              cursor = saved;
          }
          const shown = Array.from({ length: 20 }, (_, at) => {
            const item = model.table.row(at);
            return item?.draft ?? item?.view.available ?? false;
          });
          expect(shown).to.deep.equal(steps[cursor]);
          expect([model.draft.canUndo, model.draft.canRedo]).to.deep.equal([cursor > 0, cursor < steps.length - 1]);
        }
        await model.draft.save();
        const values = Array.from({ length: 20 }, (_, at) => model.store.view(idAt(at)).available);
        expect(values).to.deep.equal(steps[cursor]);
        expect(model.table.counts.changed).to.equal(0);
        expect(model.store.sent.filter(({ id }) => !touched.has(id))).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });
});
