import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRetryable, PROBLEMS, type ProblemCode } from '../../src/contract/problem.js';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

describe('the closed list of problems', () => {
  for (const code of CODES) {
    it(`describes ${code} in a sentence`, () => {
      const { status, detail } = PROBLEMS[code];

      assert.match(code, /^[a-z]+(_[a-z]+)*$/);
      assert.ok(status >= 400 && status <= 599);
      assert.match(detail, /^[A-Z].{10,}\.$/);
    });
  }

  it('declares only faults of the proxy and rate limits as retryable', () => {
    const retryable = CODES.filter(isRetryable);

    assert.deepEqual(retryable, [
      'budget_spent',
      'internal',
      'overloaded',
      'delivery_stopped',
      'session_unverifiable',
      'items_unverifiable',
      'storage_unavailable',
    ]);
  });
});
