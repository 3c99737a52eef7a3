import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBuckets } from '../../../src/proxy/http/rate-limit.js';
import { VirtualClock } from '../../support/virtual-clock.js';

describe('a token bucket of 60 per minute', () => {
  it('may be emptied at once, and returns the time to wait then', () => {
    const budget = new TokenBuckets(new VirtualClock());

    const waits = [budget.tryConsume('ada', 60, 60), budget.tryConsume('ada', 1, 60), budget.tryConsume('ada', 5, 60)];

    assert.deepEqual(waits, [0, 1000, 5000]);
  });

  it('is refilled evenly, up to its size', async () => {
    const clock = new VirtualClock();
    const budget = new TokenBuckets(clock);
    budget.tryConsume('ada', 60, 60);

    await clock.pass(10_000);
    assert.deepEqual([budget.tryConsume('ada', 10, 60), budget.tryConsume('ada', 1, 60)], [0, 1000]);
    await clock.pass(3_600_000);

    assert.deepEqual([budget.tryConsume('ada', 60, 60), budget.tryConsume('ada', 1, 60)], [0, 1000]);
  });

  it('is not reduced by a rejected request', () => {
    const budget = new TokenBuckets(new VirtualClock());
    budget.tryConsume('ada', 50, 60);

    budget.tryConsume('ada', 20, 60);

    assert.equal(budget.tryConsume('ada', 10, 60), 0);
  });

  it('accepts one request that is larger than its size when it is full, and delays the next one', () => {
    const budget = new TokenBuckets(new VirtualClock());

    const waits = [budget.tryConsume('ada', 120, 60), budget.tryConsume('ada', 1, 60)];

    assert.deepEqual(waits, [0, 61_000]);
  });

  it('is separate for each key', () => {
    const budget = new TokenBuckets(new VirtualClock());
    budget.tryConsume('ada', 60, 60);

    assert.deepEqual([budget.waitTime('ada', 1, 60), budget.waitTime('ben', 1, 60)], [1000, 0]);
  });

  it('is deleted for the key that was used longest ago, if there are too many keys', () => {
    const budget = new TokenBuckets(new VirtualClock());
    for (const name of ['ada', 'ben', 'ada']) budget.tryConsume(name, name === 'ada' ? 30 : 60, 60);

    for (let other = 1; other < 100_000; other += 1) budget.tryConsume(String(other), 60, 60);

    // Who asks all the time is not forgotten for having come first.
    assert.deepEqual([budget.waitTime('ada', 1, 60), budget.waitTime('ben', 1, 60)], [1000, 0]);
  });
});
