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

describe('the truth of an edit that a person sees', () => {
  for (const state of EDIT_STATES) {
    const truth = TRUTHS[state];

    it(`that is ${state} is ${truth ?? 'nothing: another edit of the item speaks'}`, () => {
      assert.equal(truthOf(state), truth);
    });
  }

  it('is "on the portal" for a delivered edit and for no other', () => {
    const told = EDIT_STATES.filter((state) => truthOf(state) === 'on-portal');

    assert.deepEqual(told, ['delivered']);
  });

  it('may change by itself only while the proxy still works on it', () => {
    const open = EDIT_STATES.filter((state) => !isSettled(state));

    assert.deepEqual(open, ['received']);
  });
});
