import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ItemId } from '../../../src/domain/item.js';
import { RefusalStreak, SAME_REFUSALS } from '../../../src/proxy/delivery/systemic-failure.js';
import type { RefusedEdit } from '../../../src/proxy/outbox/outbox.js';

const edits = (from: number, count = SAME_REFUSALS): RefusedEdit[] =>
  Array.from({ length: count }, (_, at) => ({
    seq: from + at,
    vendor: 'boat-tours',
    id: `boat-${from + at}` as ItemId,
  }));

describe('edits that were parked for nothing, while several calls are in flight,', () => {
  it('are still to be brought back where one call is refused and another passes before that is done', () => {
    const streak = new RefusalStreak(undefined, new Set());
    streak.refused(edits(1), () => '422');
    streak.refused(edits(11, 1), () => '422');

    streak.passed(edits(21, 1));

    assert.deepEqual(streak.refusals.wronged, edits(1));
  });

  it('are still to be brought back where another call adds them while others are', () => {
    const streak = new RefusalStreak(undefined, new Set());
    streak.refused(edits(1), () => '422');
    const { wronged } = streak.refusals;
    streak.refused(edits(11), () => '422');

    streak.broughtBack(wronged);

    assert.deepEqual(streak.refusals.wronged, edits(11));
  });
});
