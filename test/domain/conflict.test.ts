import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConflict, type ConcurrentEdit } from '../../src/domain/conflict.js';

const MINUTE = 60_000;

/**
 * Another person set it to available after this person's base; this person chose the opposite three minutes before it
 * was sent.
 */
const CONCURRENT: ConcurrentEdit = {
  base: 1,
  mine: false,
  theirs: { available: true, stamp: 2 },
  clickedAt: 10 * MINUTE,
  sentAt: 13 * MINUTE,
};

describe('two people who choose different values for an item', () => {
  it('are in conflict if the later edit was clicked long before it was sent', () => {
    assert.equal(isConflict(CONCURRENT), true);
  });

  for (const [why, other] of [
    ['the item has not changed since the base of the edit', { theirs: { available: true, stamp: 1 } }],
    ['both chose the same value', { mine: true }],
    ['the edit was sent within two minutes', { sentAt: 12 * MINUTE }],
    ['the clock of the browser was set back before it was sent', { sentAt: 5 * MINUTE }],
    ['the time of sending is unknown', { sentAt: undefined }],
  ] as const) {
    it(`are not in conflict if ${why}`, () => {
      assert.equal(isConflict({ ...CONCURRENT, ...other }), false);
    });
  }
});
