import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBuckets } from '../../../src/proxy/http/rate-limit.js';
import { VirtualClock } from '../../support/virtual-clock.js';

describe('a budget of 60 a minute', () => {
  it('may be spent at once, and then says how long to wait', () => {
    const budget = new TokenBuckets(new VirtualClock());

    const waits = [budget.tryConsume('ada', 60, 60), budget.tryConsume('ada', 1, 60), budget.tryConsume('ada', 5, 60)];

    assert.deepEqual(waits, [0, 1000, 5000]);
  });

  it('grows back evenly, and never above what a minute allows', async () => {
    const clock = new VirtualClock();
    const budget = new TokenBuckets(clock);
    budget.tryConsume('ada', 60, 60);

    await clock.pass(10_000);
    assert.deepEqual([budget.tryConsume('ada', 10, 60), budget.tryConsume('ada', 1, 60)], [0, 1000]);
    await clock.pass(3_600_000);

    assert.deepEqual([budget.tryConsume('ada', 60, 60), budget.tryConsume('ada', 1, 60)], [0, 1000]);
  });

  it('takes nothing for what it refuses', () => {
    const budget = new TokenBuckets(new VirtualClock());
    budget.tryConsume('ada', 50, 60);

    budget.tryConsume('ada', 20, 60);

    assert.equal(budget.tryConsume('ada', 10, 60), 0);
  });

  it('lets one pass that is larger than a minute allows, once the bucket is full, and makes the next one wait', () => {
    const budget = new TokenBuckets(new VirtualClock());

    const waits = [budget.tryConsume('ada', 120, 60), budget.tryConsume('ada', 1, 60)];

    assert.deepEqual(waits, [0, 61_000]);
  });

  it('is each name’s own', () => {
    const budget = new TokenBuckets(new VirtualClock());
    budget.tryConsume('ada', 60, 60);

    assert.deepEqual([budget.waitTime('ada', 1, 60), budget.waitTime('ben', 1, 60)], [1000, 0]);
  });

  it('is kept for so many names that no list of them fills the memory: the one heard of longest ago starts anew', () => {
    const budget = new TokenBuckets(new VirtualClock());
    for (const name of ['ada', 'ben', 'ada']) budget.tryConsume(name, name === 'ada' ? 30 : 60, 60);

    for (let other = 1; other < 100_000; other += 1) budget.tryConsume(String(other), 60, 60);

    // Who asks all the time is not forgotten for having come first.
    assert.deepEqual([budget.waitTime('ada', 1, 60), budget.waitTime('ben', 1, 60)], [1000, 0]);
  });
});
