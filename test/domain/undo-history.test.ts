import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UndoHistory, type Step } from '../../src/domain/undo-history.js';

function step(row: number): Step {
  return { changes: [{ position: row, shown: undefined, draft: undefined, wanted: true }] };
}

function rowOf(turn: { readonly step: Step } | undefined): number | undefined {
  return turn?.step.changes.at(-1)?.position;
}

describe('the history of a draft', () => {
  it('takes steps back and makes them again in their order', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.record(step(2));

    assert.deepEqual([rowOf(history.undo()), rowOf(history.undo()), history.undo()], [2, 1, undefined]);
    assert.deepEqual([rowOf(history.redo()), rowOf(history.redo()), history.redo()], [1, 2, undefined]);
  });

  it('forgets what was undone as soon as something else is done', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.undo();

    history.record(step(2));

    assert.equal(history.canRedo, false);
    assert.equal(rowOf(history.undo()), 2);
    assert.equal(history.canUndo, false);
  });

  it('tells a step that is saved from one that only made wishes', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));

    const turns = [history.undo(), history.undo(), history.redo(), history.redo()];

    assert.deepEqual(
      turns.map((turn) => [rowOf(turn), turn?.wasSaved]),
      [
        [2, false],
        [1, true],
        [1, true],
        [2, false],
      ],
    );
  });

  it('calls a step unsaved that took the place of a saved one that was undone', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.undo();

    history.record(step(2));

    assert.equal(history.undo()?.wasSaved, false);
  });

  it('keeps what is saved when the wishes are discarded', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));
    history.undo();

    history.dropUnsaved();

    assert.equal(history.canRedo, false);
    assert.equal(rowOf(history.undo()), 1);
  });

  it('takes back what is saved, once the wishes after it are dropped', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));
    history.record(step(3));

    history.dropUnsaved();

    assert.equal(rowOf(history.undo()), 1);
    assert.equal(history.canUndo, false);
  });

  it('can still make a saved step again that was undone when nothing is left to discard', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.undo();

    history.dropUnsaved();

    assert.equal(rowOf(history.redo()), 1);
  });

  it('forgets the oldest of very many steps, and never mixes up which are saved', () => {
    const history = new UndoHistory();
    for (let row = 0; row < 150; row += 1) history.record(step(row));
    history.markSaved();
    for (let row = 150; row < 250; row += 1) history.record(step(row));

    const turns = Array.from({ length: 200 }, () => history.undo());

    assert.deepEqual(
      turns.map(rowOf),
      Array.from({ length: 200 }, (_, at) => 249 - at),
    );
    assert.deepEqual(
      turns.findIndex((turn) => turn?.wasSaved === true),
      100,
    );
    assert.equal(history.canUndo, false);
  });

  it('forgets the oldest steps where all of them together are about very many rows', () => {
    const history = new UndoHistory();
    const changes = Array.from({ length: 400_000 }, (_, position) => ({
      position,
      shown: false,
      draft: undefined,
      wanted: true,
    }));
    for (let count = 0; count < 3; count += 1) history.record({ changes });

    assert.deepEqual([history.undo(), history.undo(), history.undo()].filter(Boolean).length, 2);
  });

  it('has nothing for the next person', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.undo();
    history.record(step(2));

    history.forget();

    assert.deepEqual([history.canUndo, history.canRedo], [false, false]);
  });
});
