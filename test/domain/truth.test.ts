import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EDIT_STATES, isSettled, truthOf, type EditState, type Truth } from '../../src/domain/edit-state.js';

const TRUTHS: Readonly<Record<EditState, Truth | undefined>> = {
  received: 'received',
  delivered: 'on-portal',
  refused: 'needs-attention',
  conflict: 'needs-attention',
  superseded: undefined,
  discarded: undefined,
};

describe('the delivery status that a person sees of an edit', () => {
  for (const state of EDIT_STATES) {
    const truth = TRUTHS[state];

    it(`is ${truth ?? 'undefined'} if the edit is ${state}`, () => {
      assert.equal(truthOf(state), truth);
    });
  }

  it('is on-portal only for a delivered edit', () => {
    const told = EDIT_STATES.filter((state) => truthOf(state) === 'on-portal');

    assert.deepEqual(told, ['delivered']);
  });

  it('is settled in every state but received', () => {
    const open = EDIT_STATES.filter((state) => !isSettled(state));

    assert.deepEqual(open, ['received']);
  });
});
