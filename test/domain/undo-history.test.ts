import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UndoHistory, type Step } from '../../src/domain/undo-history.js';

function step(row: number): Step {
  return { changes: [{ itemIndex: row, shown: undefined, draft: undefined, wanted: true }] };
}

function rowOf(turn: { readonly step: Step } | undefined): number | undefined {
  return turn?.step.changes.at(-1)?.itemIndex;
}

describe('the undo history', () => {
  it('undoes and redoes steps in their order', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.record(step(2));

    assert.deepEqual([rowOf(history.undo()), rowOf(history.undo()), history.undo()], [2, 1, undefined]);
    assert.deepEqual([rowOf(history.redo()), rowOf(history.redo()), history.redo()], [1, 2, undefined]);
  });

  it('drops undone steps as soon as another step is recorded', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.undo();

    history.record(step(2));

    assert.equal(history.canRedo, false);
    assert.equal(rowOf(history.undo()), 2);
    assert.equal(history.canUndo, false);
  });

  it('distinguishes a saved step from one that only made drafts', () => {
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

  it('regards a step as unsaved that replaced an undone saved step', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.undo();

    history.record(step(2));

    assert.equal(history.undo()?.wasSaved, false);
  });

  it('keeps saved steps when the drafts are discarded', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));
    history.undo();

    history.dropUnsaved();

    assert.equal(history.canRedo, false);
    assert.equal(rowOf(history.undo()), 1);
  });

  it('undoes a saved step once the drafts after it are dropped', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));
    history.record(step(3));

    history.dropUnsaved();

    assert.equal(rowOf(history.undo()), 1);
    assert.equal(history.canUndo, false);
  });

  it('can still redo a saved step that was undone, when no draft is left to discard', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.markSaved();
    history.undo();

    history.dropUnsaved();

    assert.equal(rowOf(history.redo()), 1);
  });

  it('drops the oldest steps beyond the limit, and still knows which are saved', () => {
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

  it('drops the oldest steps if all steps together have too many rows', () => {
    const history = new UndoHistory();
    const changes = Array.from({ length: 400_000 }, (_, itemIndex) => ({
      itemIndex,
      shown: false,
      draft: undefined,
      wanted: true,
    }));
    for (let count = 0; count < 3; count += 1) history.record({ changes });

    assert.deepEqual([history.undo(), history.undo(), history.undo()].filter(Boolean).length, 2);
  });

  it('is empty for the next person', () => {
    const history = new UndoHistory();
    history.record(step(1));
    history.undo();
    history.record(step(2));

    history.forget();

    assert.deepEqual([history.canUndo, history.canRedo], [false, false]);
  });
});
