import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ItemId } from '../../../src/domain/item.js';
import { SystemicFailureDetector, SYSTEMIC_THRESHOLD } from '../../../src/proxy/delivery/systemic-failure.js';
import type { RefusedEdit } from '../../../src/proxy/outbox/outbox.js';

const edits = (from: number, count = SYSTEMIC_THRESHOLD): RefusedEdit[] =>
  Array.from({ length: count }, (_, at) => ({
    seq: from + at,
    vendor: 'boat-tours',
    id: `boat-${from + at}` as ItemId,
  }));

describe('edits that were parked for nothing, while several calls are in flight,', () => {
  it('are still to be brought back where one call is refused and another passes before that is done', () => {
    const streak = new SystemicFailureDetector(undefined, new Set());
    streak.recordRejected(edits(1), () => '422');
    streak.recordRejected(edits(11, 1), () => '422');

    streak.recordPassed(edits(21, 1));

    assert.deepEqual(streak.refusals.wronged, edits(1));
  });

  it('are still to be brought back where another call adds them while others are', () => {
    const streak = new SystemicFailureDetector(undefined, new Set());
    streak.recordRejected(edits(1), () => '422');
    const { wronged } = streak.refusals;
    streak.recordRejected(edits(11), () => '422');

    streak.recordReopened(wronged);

    assert.deepEqual(streak.refusals.wronged, edits(11));
  });
});
