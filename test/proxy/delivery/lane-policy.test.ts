import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planCalls, nextState, toAttemptOutcomes, type PolicyContext } from '../../../src/proxy/delivery/policy.js';
import type { LaneState, OpenEdit } from '../../../src/proxy/outbox/outbox.js';
import type { UpdateOutcome } from '../../../src/proxy/portal/outcome.js';

const NOW = 1_000_000;
const MINUTE = 60_000;
const OPEN: LaneState = { failures: 0, notBefore: 0, verifiedCredential: 'credential' };

function at(now: number, wasClosed: boolean): PolicyContext {
  return {
    now,
    wall: now,
    random: () => 0.5,
    credential: 'credential',
    wasClosed,
    refusalPauseMs: 5 * MINUTE,
    pages: 0,
  };
}

describe('a wait that the portal asks for', () => {
  const told = nextState(OPEN, { kind: 'retry', reason: 'portal_busy', afterMs: MINUTE }, at(NOW, true));

  it('outlasts a success of a call that was in flight at the time', () => {
    const after = nextState(told, { kind: 'delivered' }, at(NOW + 1, true));

    assert.deepEqual(after, { failures: 0, notBefore: NOW + MINUTE, verifiedCredential: 'credential' });
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

  it('ends with the success of a call that was sent after it', () => {
    const after = nextState(told, { kind: 'delivered' }, at(NOW + MINUTE, false));

    assert.deepEqual(after, OPEN);
  });

  it('leaves no time in the state once it is over', () => {
    const past = { ...OPEN, notBefore: NOW - 1 };

    assert.deepEqual(nextState(past, { kind: 'delivered' }, at(NOW, true)), OPEN);
  });
});

describe('a portal that allows an immediate retry each time', () => {
  it('gets calls with exponential back-off, as without Retry-After', () => {
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
    it(`does not pause once another call that was in flight at the time is ${answer.kind}`, () => {
      const held = nextState(OPEN, { kind: 'held', reason: 'portal_credentials' }, at(NOW, true));

      assert.deepEqual(
        { held: undefined, ...nextState(held, answer, at(NOW + 1, true)) },
        { held: undefined, ...OPEN },
      );
    });
  }
});

function due(...attempts: readonly number[]): OpenEdit[] {
  return attempts.map((attempts, at) => {
    const known = { id: `boat-${at} für Gäste`, available: true, updated_at: '2026-11-21T08:30:00.000Z' };
    return { ...known, seq: at + 1, vendor: 'boat-tours', attempts, isResend: false } as Partial<OpenEdit> as OpenEdit;
  });
}

describe('the calls of a lane', () => {
  const limits = { items: 100, bytes: 100_000, inFlight: 3 };
  const seqs = (calls: readonly (readonly OpenEdit[])[]): number[][] =>
    calls.map((edits) => edits.map(({ seq }) => seq));

  it('are never larger than the portal accepts, to the byte, if they have more than one edit', () => {
    const edits = due(0, 0, 0, 0, 0);
    const sizeOf = (some: readonly OpenEdit[]): number => {
      const inventory = some.map(({ id, available, updated_at }) => ({ id, available, updated_at }));
      return Buffer.byteLength(JSON.stringify({ inventory }));
    };

    for (let bytes = 1; bytes <= sizeOf(edits) + 1; bytes += 1) {
      const calls = planCalls(edits, OPEN, { ...limits, bytes });

      assert.ok(calls.every((some) => some.length === 1 || sizeOf(some) <= bytes));
    }
    assert.deepEqual(seqs(planCalls(edits, OPEN, { ...limits, bytes: sizeOf(edits) + 1 })), [[1, 2, 3, 4, 5]]);
  });

  it('do not mix edits that failed before with edits that were not tried', () => {
    assert.deepEqual(seqs(planCalls(due(1, 0, 1, 0), OPEN, limits)), [
      [1, 3],
      [2, 4],
    ]);
  });

  for (const trouble of [{ failures: 1 }, { held: 'portal_refuses' }] as const) {
    it(`are one call with one edit in a failing lane, however many may be in flight: ${JSON.stringify(trouble)}`, () => {
      assert.deepEqual(seqs(planCalls(due(1, 0, 1), { ...OPEN, ...trouble }, limits)), [[2]]);
    });
  }
});

describe('a response that holds a lane', () => {
  for (const [reason, uncertain] of [
    ['portal_unreadable', 'answered'],
    ['portal_credentials', false],
  ] as const) {
    it(`leaves the outcome ${uncertain === false ? 'certain' : 'uncertain'} for ${reason}`, () => {
      const attemptOutcomes = toAttemptOutcomes(due(1, 1), { kind: 'held', reason }, OPEN, at(NOW, true));

      assert.deepEqual(
        attemptOutcomes.map((attemptOutcome) => attemptOutcome.kind === 'waiting' && attemptOutcome.uncertain),
        [uncertain, uncertain],
      );
    });
  }
});
