import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Budget } from '../../../src/proxy/http/rate-limit.js';
import { VirtualClock } from '../../support/virtual-clock.js';

describe('a budget of 60 a minute', () => {
  it('may be spent at once, and then says how long to wait', () => {
    const budget = new Budget(new VirtualClock());

    const waits = [budget.spend('ada', 60, 60), budget.spend('ada', 1, 60), budget.spend('ada', 5, 60)];

    assert.deepEqual(waits, [0, 1000, 5000]);
  });

  it('grows back evenly, and never above what a minute allows', async () => {
    const clock = new VirtualClock();
    const budget = new Budget(clock);
    budget.spend('ada', 60, 60);

    await clock.pass(10_000);
    assert.deepEqual([budget.spend('ada', 10, 60), budget.spend('ada', 1, 60)], [0, 1000]);
    await clock.pass(3_600_000);

    assert.deepEqual([budget.spend('ada', 60, 60), budget.spend('ada', 1, 60)], [0, 1000]);
  });

  it('takes nothing for what it refuses', () => {
    const budget = new Budget(new VirtualClock());
    budget.spend('ada', 50, 60);

    budget.spend('ada', 20, 60);

    assert.equal(budget.spend('ada', 10, 60), 0);
  });

  it('lets one pass that is larger than a minute allows, once the bucket is full, and makes the next one wait', () => {
    const budget = new Budget(new VirtualClock());

    const waits = [budget.spend('ada', 120, 60), budget.spend('ada', 1, 60)];

    assert.deepEqual(waits, [0, 61_000]);
  });

  it('is each name’s own', () => {
    const budget = new Budget(new VirtualClock());
    budget.spend('ada', 60, 60);

    assert.deepEqual([budget.waitFor('ada', 1, 60), budget.waitFor('ben', 1, 60)], [1000, 0]);
  });

  it('is kept for so many names that no list of them fills the memory: the one heard of longest ago starts anew', () => {
    const budget = new Budget(new VirtualClock());
    for (const name of ['ada', 'ben', 'ada']) budget.spend(name, name === 'ada' ? 30 : 60, 60);

    for (let other = 1; other < 100_000; other += 1) budget.spend(String(other), 60, 60);

    // Who asks all the time is not forgotten for having come first.
    assert.deepEqual([budget.waitFor('ada', 1, 60), budget.waitFor('ben', 1, 60)], [1000, 0]);
  });
});
