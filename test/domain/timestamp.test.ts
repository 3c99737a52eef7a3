import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toTimestamp } from '../../src/domain/item.js';

const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

describe('toTimestamp', () => {
  it('returns UTC with milliseconds', () => {
    assert.equal(toTimestamp(Date.UTC(2026, 10, 21, 8, 30)), '2026-11-21T08:30:00.000Z');
  });

  it('returns texts that sort like their times', () => {
    const moment = fc.integer({ min: FIRST, max: LAST });

    fc.assert(
      fc.property(moment, moment, (one, other) => {
        assert.equal(toTimestamp(one) < toTimestamp(other), one < other);
      }),
    );
  });
});
