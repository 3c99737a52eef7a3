import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConflict, type ConcurrentEdit } from '../../src/domain/conflict.js';

const MINUTE = 60_000;

/** Somebody made it available after this person looked, who wanted the opposite three minutes before the page could send it. */
const MEETING: ConcurrentEdit = {
  base: 1,
  mine: false,
  theirs: { available: true, stamp: 2 },
  clickedAt: 10 * MINUTE,
  sentAt: 13 * MINUTE,
};

describe('two people who choose different values for an item', () => {
  it('are in conflict if the later edit was clicked long before it was sent', () => {
    assert.equal(isConflict(MEETING), true);
  });

  for (const [why, other] of [
    ['nothing has changed since the person looked', { theirs: { available: true, stamp: 1 } }],
    ['both want the same', { mine: true }],
    ['the word was sent within two minutes', { sentAt: 12 * MINUTE }],
    ['the clock of the browser stepped back before it was sent', { sentAt: 5 * MINUTE }],
    ['nobody says when it was sent', { sentAt: undefined }],
  ] as const) {
    it(`are not where ${why}`, () => {
      assert.equal(isConflict({ ...MEETING, ...other }), false);
    });
  }
});
