import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextState, type PolicyContext } from '../../src/proxy/lane-policy.js';
import type { LaneState } from '../../src/proxy/outbox.js';
import type { UpdateOutcome } from '../../src/proxy/outcome.js';

const NOW = 1_000_000;
const MINUTE = 60_000;
const OPEN: LaneState = { failures: 0, notBefore: 0, provenBy: 'credential' };

function at(now: number, wasOpen: boolean): PolicyContext {
  return { now, wall: now, random: () => 0.5, credential: 'credential', wasOpen, pages: 0 };
}

describe('a wait that the portal asks for', () => {
  const told = nextState(OPEN, { kind: 'retry', reason: 'portal_busy', afterMs: MINUTE }, at(NOW, true));

  it('outlasts a success of a call that was in flight at the time', () => {
    const after = nextState(told, { kind: 'delivered' }, at(NOW + 1, true));

    assert.deepEqual(after, { failures: 0, notBefore: NOW + MINUTE, provenBy: 'credential' });
  });

  const others = [
    { kind: 'retry', reason: 'portal_error' },
    { kind: 'unknown', reason: 'portal_unreachable' },
    { kind: 'held', reason: 'portal_unreadable' },
    { kind: 'retry', reason: 'portal_busy', afterMs: 1_000 },
  ] as const;
  for (const other of others) {
    it(`outlasts another call that was in flight at the time and is ${other.kind}, for ${other.reason}`, () => {
      const after = nextState(told, other, at(NOW + 1, true));

      assert.equal(after.notBefore, NOW + MINUTE);
    });
  }

  it('is over with the success of a call that left after it', () => {
    const after = nextState(told, { kind: 'delivered' }, at(NOW + MINUTE, false));

    assert.deepEqual(after, OPEN);
  });

  it('leaves no time behind once it is over', () => {
    const past = { ...OPEN, notBefore: NOW - 1 };

    assert.deepEqual(nextState(past, { kind: 'delivered' }, at(NOW, true)), OPEN);
  });
});

describe('a portal that is to be asked again at once, each time', () => {
  it('is asked ever less, as if it had not said when', () => {
    let state = OPEN;
    let now = NOW;
    const waits = Array.from({ length: 5 }, () => {
      state = nextState(state, { kind: 'retry', reason: 'portal_busy', afterMs: 0 }, at(now, false));
      const wait = state.notBefore - now;
      now = state.notBefore;
      return wait;
    });

    assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000]);
  });
});

describe('a lane that one call has closed', () => {
  const answers: UpdateOutcome[] = [{ kind: 'delivered' }, { kind: 'refused', code: '400' }];
  for (const answer of answers) {
    it(`pauses for nothing once another call that was in flight at the time is ${answer.kind}`, () => {
      const held = nextState(OPEN, { kind: 'held', reason: 'portal_credentials' }, at(NOW, true));

      assert.deepEqual(
        { held: undefined, ...nextState(held, answer, at(NOW + 1, true)) },
        { held: undefined, ...OPEN },
      );
    });
  }
});
