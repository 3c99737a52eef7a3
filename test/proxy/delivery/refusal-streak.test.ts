import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ItemId } from '../../../src/domain/item.js';
import { SystemicFailureDetector, SYSTEMIC_THRESHOLD } from '../../../src/proxy/delivery/systemic-failure.js';
import type { RejectedEdit } from '../../../src/proxy/outbox/outbox.js';

const edits = (from: number, count = SYSTEMIC_THRESHOLD): RejectedEdit[] =>
  Array.from({ length: count }, (_, at) => ({
    seq: from + at,
    vendor: 'boat-tours',
    id: `boat-${from + at}` as ItemId,
  }));

describe('wrongly rejected edits', () => {
  it('remain to be reopened when another call in flight passes', () => {
    const streak = new SystemicFailureDetector(undefined, new Set());
    streak.recordRejected(edits(1), () => '422');
    streak.recordRejected(edits(11, 1), () => '422');

    streak.recordPassed(edits(21, 1));

    assert.deepEqual(streak.rejections.wronglyRejected, edits(1));
  });

  it('of a second call remain to be reopened when those of the first are reopened', () => {
    const streak = new SystemicFailureDetector(undefined, new Set());
    streak.recordRejected(edits(1), () => '422');
    const { wronglyRejected } = streak.rejections;
    streak.recordRejected(edits(11), () => '422');

    streak.recordReopened(wronglyRejected);

    assert.deepEqual(streak.rejections.wronglyRejected, edits(11));
  });
});
