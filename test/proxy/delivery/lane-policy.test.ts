import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isClosedCircuit,
  isPageForSingleEdit,
  MAX_RESEND_REJECTIONS,
  nextState,
  planCalls,
  type PolicyContext,
  ResendTracker,
  toAttemptOutcomes,
} from '../../../src/proxy/delivery/policy.js';
import type { AttemptOutcome, LaneState, OpenEdit } from '../../../src/proxy/outbox/outbox.js';
import { unverifiedCredential } from '../../../src/proxy/portal/credentials.js';
import type { UpdateOutcome } from '../../../src/proxy/portal/outcome.js';

const NOW = 1_000_000;
/** The wall clock may show another time than the one by which waits are measured. */
const WALL = 5_000_000;
const MINUTE = 60_000;
const OPEN: LaneState = { failures: 0, notBefore: 0, verifiedCredential: 'credential' };

function at(now: number, wasClosed: boolean): PolicyContext {
  return {
    now,
    wall: WALL,
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

  for (const end of [NOW - 1, NOW]) {
    it(`leaves no time in the state once it is over, ${NOW - end} ms ago`, () => {
      const past = { ...OPEN, notBefore: end };

      assert.deepEqual(nextState(past, { kind: 'delivered' }, at(NOW, true)), OPEN);
    });
  }

  for (const outcome of [{ kind: 'delivered' }, { kind: 'refused', code: '422' }] as const) {
    it(`counts also in a response that shows that the portal works: ${outcome.kind}`, () => {
      const after = nextState(OPEN, { ...outcome, afterMs: MINUTE }, at(NOW, true));

      assert.equal(after.notBefore, NOW + MINUTE);
    });
  }

  it('is an hour at most', () => {
    const after = nextState(OPEN, { kind: 'retry', reason: 'portal_busy', afterMs: 61 * MINUTE }, at(NOW, true));

    assert.equal(after.notBefore, NOW + 60 * MINUTE);
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

describe('a lane that is held', () => {
  const page: UpdateOutcome = { kind: 'held', reason: 'portal_unreadable' };
  const unverified: LaneState = { failures: 0, notBefore: 0 };
  const pauseOf = (state: LaneState, outcome: UpdateOutcome, context: Partial<PolicyContext>): number =>
    nextState(state, outcome, { ...at(NOW, true), ...context }).notBefore - NOW;

  it('tries another edit after one to two seconds if the portal answered one of the first four edits with a page', () => {
    const pauses = [0, 0.5, 0.9999].map((chance) => pauseOf(OPEN, page, { pages: 4, random: () => chance }));

    assert.deepEqual(pauses, [1_000, 1_500, 2_000]);
  });

  it('pauses for five minutes from the fifth edit on that got a page', () => {
    assert.equal(pauseOf(OPEN, page, { pages: 5 }), 5 * MINUTE);
  });

  it('pauses for five minutes after a page if the portal has never accepted the credential', () => {
    assert.equal(pauseOf(unverified, page, { pages: 1 }), 5 * MINUTE);
  });

  it('pauses for five minutes if the portal rejects the credential', () => {
    const rejected = { kind: 'held', reason: 'portal_credentials' } as const;

    assert.equal(pauseOf(OPEN, rejected, { pages: 1, refusalPauseMs: 1_000 }), 5 * MINUTE);
  });

  it('pauses as told if a portal that never accepted the credential refuses a call', () => {
    const after = nextState(unverified, { kind: 'refused', code: '422' }, { ...at(NOW, true), refusalPauseMs: 2_000 });

    assert.deepEqual(after, {
      held: 'portal_refuses',
      failures: 0,
      notBefore: NOW + 2_000,
      verifiedCredential: unverifiedCredential('credential'),
    });
  });

  it('stays held by another refusal if it is held for refusals, with an accepted credential too', () => {
    const held: LaneState = { ...OPEN, held: 'portal_refuses' };

    const after = nextState(held, { kind: 'refused', code: '422' }, at(NOW, false));

    assert.deepEqual(after, { ...held, notBefore: NOW + 5 * MINUTE });
  });

  it('is open again after a refusal if it is held for anything else', () => {
    const held: LaneState = { ...OPEN, held: 'portal_unreadable', notBefore: NOW };

    const after = nextState(held, { kind: 'refused', code: '422' }, at(NOW, false));

    assert.deepEqual(after, { ...OPEN, held: undefined });
  });
});

describe('a credential that the portal has never accepted', () => {
  for (const outcome of [
    { kind: 'held', reason: 'portal_credentials' },
    { kind: 'retry', reason: 'portal_busy' },
    { kind: 'unknown', reason: 'portal_unreachable' },
  ] as const) {
    it(`does not count as accepted after a call that is ${outcome.kind}`, () => {
      const { verifiedCredential } = nextState({ failures: 0, notBefore: 0 }, outcome, at(NOW, true));

      assert.equal(verifiedCredential, unverifiedCredential('credential'));
    });
  }

  it('counts as accepted from the first success on', () => {
    assert.deepEqual(nextState({ failures: 0, notBefore: 0 }, { kind: 'delivered' }, at(NOW, true)), OPEN);
  });
});

describe('a failure', () => {
  it('counts as one about the edits of the call if the call before it passed', () => {
    assert.equal(isClosedCircuit(OPEN), true);
    assert.equal(isClosedCircuit({ ...OPEN, failures: 1 }), false);
    assert.equal(isClosedCircuit({ ...OPEN, held: 'portal_unreadable' }), false);
  });

  it('is forgotten once the portal refuses an edit, which shows that it works', () => {
    const failing = { ...OPEN, failures: 3, notBefore: NOW };

    assert.deepEqual(nextState(failing, { kind: 'refused', code: '422' }, at(NOW, false)), {
      ...failing,
      held: undefined,
      failures: 0,
    });
  });
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

  it('begin with those that failed before if these were left out the last time', () => {
    const one = { ...limits, inFlight: 1 };

    assert.deepEqual(seqs(planCalls(due(0, 1, 0, 1), OPEN, one)), [[1, 3]]);
    assert.deepEqual(seqs(planCalls(due(0, 1, 0, 1), OPEN, one, true)), [[2, 4]]);
    assert.deepEqual(seqs(planCalls(due(0, 0), OPEN, one, true)), [[1, 2]]);
  });

  for (const trouble of [{ failures: 1 }, { held: 'portal_refuses' }] as const) {
    it(`are one call with one edit in a failing lane, however many may be in flight: ${JSON.stringify(trouble)}`, () => {
      assert.deepEqual(seqs(planCalls(due(1, 0, 1), { ...OPEN, ...trouble }, limits)), [[2]]);
    });
  }
});

describe('the calls of a lane that works', () => {
  const idsIn = (calls: readonly (readonly OpenEdit[])[]): number[] => calls.map((edits) => edits.length);

  it('are as many as may be in flight, and no larger than the portal allows', () => {
    const limits = { items: 2, bytes: 100_000, inFlight: 3 };

    assert.deepEqual(idsIn(planCalls(due(0, 0, 0, 0, 0, 0, 0), OPEN, limits)), [2, 2, 2]);
    assert.deepEqual(idsIn(planCalls(due(0, 0, 0), OPEN, limits)), [2, 1]);
    assert.deepEqual(planCalls([], OPEN, limits), []);
  });

  for (const [attempts, size] of [
    [1, 8],
    [2, 4],
    [4, 1],
    [5, 1],
    [32, 1],
  ] as const) {
    it(`have ${size} of 16 edits after ${attempts} attempts, so that one that makes the portal fail ends up alone`, () => {
      const failed = due(...Array.from({ length: 16 }, () => attempts));

      const [first] = planCalls(failed, OPEN, { items: 16, bytes: 100_000, inFlight: 1 });

      assert.equal(first?.length, size);
    });
  }

  it('begin with the oldest of those with the fewest attempts, in a failing lane', () => {
    const [first] = planCalls(due(1, 0, 0), { ...OPEN, failures: 1 }, { items: 100, bytes: 100_000, inFlight: 1 });

    assert.deepEqual(
      first?.map(({ seq }) => seq),
      [2],
    );
  });
});

/** What the outcome of a call says about each of its edits, without the edit. */
function outcomesOf(
  edits: readonly OpenEdit[],
  outcome: UpdateOutcome,
  { state = OPEN, ...context }: Partial<PolicyContext> & { readonly state?: LaneState } = {},
): Omit<AttemptOutcome, 'edit'>[] {
  return toAttemptOutcomes(edits, outcome, state, { ...at(NOW, true), ...context }).map(({ edit, ...rest }, place) => {
    assert.equal(edit, edits[place]);
    return rest;
  });
}

describe('an edit in a call that the portal accepted', () => {
  const [kayak, canoe] = due(1, 1) as [OpenEdit, OpenEdit];

  it('is settled at the time that people see', () => {
    assert.deepEqual(outcomesOf([kayak], { kind: 'delivered' }), [{ kind: 'delivered', settledAt: WALL }]);
  });

  it('is refused if the portal names it, and the others are settled', () => {
    const outcome: UpdateOutcome = { kind: 'delivered', refused: new Map([[kayak.id, '422']]) };

    assert.deepEqual(outcomesOf([kayak, canoe], outcome), [
      { kind: 'refused', reason: 'item_refused', settledAt: WALL },
      { kind: 'delivered', settledAt: WALL },
    ]);
  });

  it('waits for the confirmation if the portal processes it later', () => {
    const outcome: UpdateOutcome = { kind: 'delivered', accepted: { confirmedAfterMs: MINUTE } };

    assert.deepEqual(outcomesOf([kayak], outcome), [{ kind: 'accepted', confirmAt: NOW + MINUTE, settledAt: WALL }]);
  });

  it('is never confirmed if the portal says nothing about how long that takes', () => {
    assert.deepEqual(outcomesOf([kayak], { kind: 'delivered', accepted: {} }), [
      { kind: 'accepted', confirmAt: Infinity, settledAt: WALL },
    ]);
  });

  it('is retried alone if the portal wants only that one again, and the others are not', () => {
    const outcome: UpdateOutcome = {
      kind: 'delivered',
      accepted: {},
      delayed: new Map([[canoe.id, { reason: 'portal_busy', uncertain: true }]]),
    };

    assert.deepEqual(outcomesOf([kayak, canoe], outcome), [
      { kind: 'accepted', confirmAt: Infinity, settledAt: WALL },
      { kind: 'waiting', reason: 'portal_busy', uncertain: true, dueAt: NOW + 500 },
    ]);
  });
});

describe('an edit in a call that the portal refused', () => {
  const refused: UpdateOutcome = { kind: 'refused', code: '422' };

  it('is refused', () => {
    assert.deepEqual(outcomesOf(due(1), refused), [{ kind: 'refused', reason: 'item_refused', settledAt: WALL }]);
  });

  it('waits if the lane is held for it', () => {
    assert.deepEqual(outcomesOf(due(1), refused, { state: { ...OPEN, held: 'portal_refuses' } }), [
      { kind: 'waiting', reason: 'portal_refuses', dueAt: NOW, uncertain: false },
    ]);
  });
});

describe('an edit in a call that failed', () => {
  const waitOf = (attempts: number, random = 0.5): number => {
    const outcome: UpdateOutcome = { kind: 'retry', reason: 'portal_error' };
    const [first] = toAttemptOutcomes(due(attempts), outcome, OPEN, { ...at(NOW, true), random: () => random });
    return first?.kind === 'waiting' ? first.dueAt - NOW : NaN;
  };

  it('is retried after a time that doubles with each attempt, up to five minutes', () => {
    assert.deepEqual(
      [1, 2, 3, 9, 10, 50, 2_000].map((attempts) => waitOf(attempts, 1)),
      [1_000, 2_000, 4_000, 256_000, 5 * MINUTE, 5 * MINUTE, 5 * MINUTE],
    );
  });

  it('is retried at a random time within that, so that many do not come at once', () => {
    assert.deepEqual(
      [0, 0.25, 0.5].map((chance) => waitOf(2, chance)),
      [0, 500, 1_000],
    );
  });

  const cases: readonly [
    what: string,
    count: number,
    reason: 'portal_error' | 'portal_busy',
    closed: boolean,
    ms: number,
  ][] = [
    ['alone, by an error of the portal while others fail too', 1, 'portal_error', false, 500],
    ['alone, after others passed', 1, 'portal_busy', true, 500],
    ['alone, while others fail too', 1, 'portal_busy', false, 0],
    ['with another one', 2, 'portal_error', true, 0],
  ];
  for (const [what, count, reason, wasClosed, wait] of cases) {
    for (const kind of ['retry', 'unknown'] as const) {
      it(`is due ${wait === 0 ? 'at once' : 'later'} if it failed ${what} (${kind})`, () => {
        const outcomes = outcomesOf(due(...Array.from({ length: count }, () => 1)), { kind, reason }, { wasClosed });

        const uncertain = kind === 'unknown';
        assert.deepEqual(
          outcomes,
          Array.from({ length: count }, () => ({ kind: 'waiting', reason, dueAt: NOW + wait, uncertain })),
        );
      });
    }
  }
});

describe('an edit that the portal answers with a page', () => {
  const page: UpdateOutcome = { kind: 'held', reason: 'portal_unreadable' };
  const waitsOf = (edits: OpenEdit[], outcome = page, context: Parameters<typeof outcomesOf>[2] = {}): number[] =>
    outcomesOf(edits, outcome, context).map((rest) => ('dueAt' in rest ? Number(rest.dueAt) - NOW : NaN));

  it('waits for four seconds if it was alone and others passed before it', () => {
    assert.deepEqual(waitsOf(due(1)), [4_000]);
  });

  it('waits for five minutes if it was alone and no other passed before it', () => {
    assert.deepEqual(waitsOf(due(1), page, { wasClosed: false }), [5 * MINUTE]);
  });

  it('waits for its turn if it was not alone', () => {
    assert.deepEqual(waitsOf(due(1, 1)), [0, 0]);
  });

  it('waits for its turn if the credential was never accepted', () => {
    assert.deepEqual(waitsOf(due(1), page, { state: { failures: 0, notBefore: 0 } }), [0]);
  });

  it('waits for its turn if it is the credential that is rejected', () => {
    assert.deepEqual(waitsOf(due(1), { kind: 'held', reason: 'portal_credentials' }), [0]);
  });

  it('is the only one that is suspected, and only if it was alone and others passed before it', () => {
    const isSuspect = (
      edits: OpenEdit[],
      outcome: UpdateOutcome = page,
      state = OPEN,
      context: Partial<PolicyContext> = {},
    ): boolean => isPageForSingleEdit(edits, outcome, state, { ...at(NOW, true), ...context });

    assert.equal(isSuspect(due(1)), true);
    assert.equal(isSuspect(due(1, 1)), false);
    assert.equal(isSuspect(due(1), { kind: 'retry', reason: 'portal_unreadable' }), false);
    assert.equal(isSuspect(due(1), { kind: 'held', reason: 'portal_credentials' }), false);
    assert.equal(isSuspect(due(1), page, { failures: 0, notBefore: 0 }), false);
    assert.equal(isSuspect(due(1), page, OPEN, { wasClosed: false }), false);
  });
});

describe('a resend that the portal refuses', () => {
  const resend = (seq = 1): OpenEdit => ({ ...(due(1)[0] as OpenEdit), seq, isResend: true });
  const refuse = (edit: OpenEdit): AttemptOutcome => ({ edit, kind: 'refused', reason: 'item_refused' });

  it('is sent again five minutes later, and its edit stays as it was', () => {
    const edit = resend();

    assert.deepEqual(new ResendTracker().recordOutcomes([refuse(edit)], NOW), {
      attemptOutcomes: [{ edit, kind: 'waiting', dueAt: NOW + 5 * MINUTE, uncertain: false }],
      givenUp: [],
    });
  });

  it('is given up at the twelfth refusal, and the operator is told which', () => {
    const tracker = new ResendTracker();
    const edit = resend();
    const givenUp = Array.from({ length: MAX_RESEND_REJECTIONS }, () =>
      tracker.recordOutcomes([refuse(edit)], NOW),
    ).map((recorded) => recorded.givenUp);

    assert.deepEqual(givenUp, [...Array.from({ length: 11 }, () => []), [edit]]);
  });

  it('is counted apart from others', () => {
    const tracker = new ResendTracker();
    const both = [resend(1), resend(2)];
    const givenUp = Array.from(
      { length: MAX_RESEND_REJECTIONS },
      () => tracker.recordOutcomes(both.map(refuse), NOW).givenUp.length,
    );

    assert.deepEqual(givenUp, [...Array.from({ length: 11 }, () => 0), 2]);
  });

  it('is refused in the end as any other edit', () => {
    const tracker = new ResendTracker();
    const edit = resend();
    for (let count = 1; count < MAX_RESEND_REJECTIONS; count += 1) tracker.recordOutcomes([refuse(edit)], NOW);

    assert.deepEqual(tracker.recordOutcomes([refuse(edit)], NOW).attemptOutcomes, [refuse(edit)]);
  });

  it('has its refusals counted from the beginning after it was delivered', () => {
    const tracker = new ResendTracker();
    const edit = resend();
    for (let count = 1; count < MAX_RESEND_REJECTIONS; count += 1) tracker.recordOutcomes([refuse(edit)], NOW);
    tracker.recordOutcomes([{ edit, kind: 'delivered' }], NOW);

    assert.deepEqual(tracker.recordOutcomes([refuse(edit)], NOW).givenUp, []);
  });

  it('keeps its refusals while it waits because of something else', () => {
    const tracker = new ResendTracker();
    const edit = resend();
    for (let count = 1; count < MAX_RESEND_REJECTIONS; count += 1) tracker.recordOutcomes([refuse(edit)], NOW);
    tracker.recordOutcomes([{ edit, kind: 'waiting', dueAt: NOW, uncertain: false }], NOW);

    assert.deepEqual(tracker.recordOutcomes([refuse(edit)], NOW).givenUp, [edit]);
  });

  it('is not an edit that was never delivered: that one is refused at once', () => {
    const edit = { ...resend(), isResend: false };

    assert.deepEqual(new ResendTracker().recordOutcomes([refuse(edit)], NOW), {
      attemptOutcomes: [refuse(edit)],
      givenUp: [],
    });
  });

  it('leaves the outcome of other edits of its call alone', () => {
    const outcomes: AttemptOutcome[] = [{ edit: resend(2), kind: 'delivered', settledAt: WALL }];

    assert.deepEqual(new ResendTracker().recordOutcomes(outcomes, NOW), { attemptOutcomes: outcomes, givenUp: [] });
  });
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
