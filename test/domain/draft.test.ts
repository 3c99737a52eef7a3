import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listOf } from '../../src/domain/bit-set.js';
import { DraftHistory, ofRow, perRow, type Step } from '../../src/domain/draft.js';
import { availableOf, codeOf, isChanged, NONE, OFF, ON, shownIn, valueIn, wishIn } from '../../src/domain/stand.js';

function step(row: number): Step {
  return { rows: Uint32Array.of(row), before: NONE, after: ON };
}

function rowOf(turn: { readonly step: Step } | undefined): number | undefined {
  return turn && listOf(turn.step.rows).at(-1);
}

describe('the history of a draft', () => {
  it('takes steps back and makes them again in their order', () => {
    const history = new DraftHistory();
    history.record(step(1));
    history.record(step(2));

    assert.deepEqual([rowOf(history.undo()), rowOf(history.undo()), history.undo()], [2, 1, undefined]);
    assert.deepEqual([rowOf(history.redo()), rowOf(history.redo()), history.redo()], [1, 2, undefined]);
  });

  it('forgets what was undone as soon as something else is done', () => {
    const history = new DraftHistory();
    history.record(step(1));
    history.undo();

    history.record(step(2));

    assert.equal(history.canRedo, false);
    assert.equal(rowOf(history.undo()), 2);
    assert.equal(history.canUndo, false);
  });

  it('tells a step that is saved from one that only made wishes', () => {
    const history = new DraftHistory();
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
    const history = new DraftHistory();
    history.record(step(1));
    history.markSaved();
    history.undo();

    history.record(step(2));

    assert.equal(history.undo()?.wasSaved, false);
  });

  it('keeps what is saved when the wishes are discarded', () => {
    const history = new DraftHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));
    history.undo();

    history.dropUnsaved();

    assert.equal(history.canRedo, false);
    assert.equal(rowOf(history.undo()), 1);
  });

  it('takes back what is saved, once the wishes after it are dropped', () => {
    const history = new DraftHistory();
    history.record(step(1));
    history.markSaved();
    history.record(step(2));
    history.record(step(3));

    history.dropUnsaved();

    assert.equal(rowOf(history.undo()), 1);
    assert.equal(history.canUndo, false);
  });

  it('can still make a saved step again that was undone when nothing is left to discard', () => {
    const history = new DraftHistory();
    history.record(step(1));
    history.markSaved();
    history.undo();

    history.dropUnsaved();

    assert.equal(rowOf(history.redo()), 1);
  });

  it('forgets the oldest of very many steps, and never mixes up which are saved', () => {
    const history = new DraftHistory();
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

  it('has nothing for the next person', () => {
    const history = new DraftHistory();
    history.record(step(1));
    history.undo();
    history.record(step(2));

    history.forget();

    assert.deepEqual([history.canUndo, history.canRedo], [false, false]);
  });
});

describe('where a row stands', () => {
  const stand = (value: number, wish: number): number => value | (wish << 2);

  it('shows the wish, else the value', () => {
    assert.deepEqual([shownIn(stand(ON, NONE)), shownIn(stand(ON, OFF)), shownIn(stand(NONE, NONE))], [ON, OFF, NONE]);
  });

  it('is changed only where the wish differs from the value', () => {
    const changed = [stand(ON, NONE), stand(ON, ON), stand(ON, OFF), stand(NONE, OFF)].map(isChanged);

    assert.deepEqual(changed, [false, false, true, true]);
  });

  it('has room for a value and a wish in one byte, whatever stands above them', () => {
    const byte = 0b1111_0110;

    assert.deepEqual([valueIn(byte), wishIn(byte)], [ON, OFF]);
  });

  it('says on, off and unknown in two bits', () => {
    for (const available of [true, false, undefined]) assert.equal(availableOf(codeOf(available)), available);
    assert.equal(codeOf(null), NONE);
    assert.equal(codeOf('yes'), NONE);
  });

  it('takes one byte for all rows where they stand alike', () => {
    const alike = perRow(Uint8Array.of(2, 2, 2));
    const unlike = perRow(Uint8Array.of(2, 1, 2));

    assert.equal(alike, 2);
    assert.deepEqual([ofRow(alike, 2), ofRow(unlike, 1)], [2, 1]);
  });
});
