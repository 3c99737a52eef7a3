import type { LaneState, OpenEdit, AttemptOutcome } from '../outbox/outbox.js';
import type { DelayReason, UpdateOutcome } from '../portal/outcome.js';
import { type BatchLimits, unverifiedCredential } from '../portal/credentials.js';
import { MAX_RETRY_AFTER_MS } from '../portal/retry-after.js';
import { SYSTEMIC_THRESHOLD, TRIAL_INTERVAL_MS } from './systemic-failure.js';

/**
 * Decides, without any input or output, which edits go into a call, and what its outcome means for them and for the lane.
 *
 * A circuit breaker for each lane and a back-off for each edit tell a faulty portal from a faulty edit. After a failure the
 * breaker opens (`notBefore`) and lets single trial edits through until one passes. The back-off of an edit grows with its
 * attempts, and edits that failed are retried in ever smaller batches, so that an edit which makes the portal fail ends up
 * alone.
 *
 * A non-API response (a web page) may come from a faulty portal, or from a firewall that rejects one edit. So the breaker opens
 * for a moment only, and the trial is another edit. When one passes, the edits that got a page are retried in smaller batches,
 * and the one that alone gets a page every time is refused (systemic-failure.ts). After five edits in a row with pages, the
 * fault is the portal's.
 */
const BACK_OFF_BASE_MS = 1_000;
const MAX_BACK_OFF_MS = 5 * 60_000;
/**
 * The trial edit of a lane is the one with the fewest attempts among this many due edits. If only one call's worth were
 * candidates, the same rejected edits would be tried for ever, and the edits behind them never.
 */
export const TRIAL_CANDIDATES = 1_000;
/** The delay after a web page until another edit is tried: at least this, at most twice this. */
const PAGE_DELAY_MS = 1_000;
/** The delay until an edit that got a web page alone is retried, if others passed before it. Those go first. */
const SINGLE_RETRY_MS = 4_000;

const WRAPPER_BYTES = '{"inventory":[]}'.length;

/** @param due in sending order @returns the edits of the next call */
function chooseBatch(due: readonly OpenEdit[], state: LaneState, limits: BatchLimits): readonly OpenEdit[] {
  const [first] = due;
  if (first === undefined) return [];
  if (state.held !== undefined || state.failures > 0) {
    return [due.reduce((fewest, edit) => (edit.attempts < fewest.attempts ? edit : fewest))];
  }
  const maxEdits = Math.max(1, limits.items >> Math.min(first.attempts, 16));
  const batch: OpenEdit[] = [];
  let bytesLeft = limits.bytes - WRAPPER_BYTES;
  for (const edit of due) {
    if (batch.length === maxEdits) break;
    if (isRetry(edit) !== isRetry(first)) continue;
    bytesLeft -= countBytes(edit);
    if (bytesLeft < 0 && batch.length > 0) break;
    batch.push(edit);
  }
  return batch;
}

/**
 * Plans as many calls as may be in flight at once; a lane with an open breaker sends one.
 *
 * @param isRetryTurn whether edits that failed before go first, because they were left out last time
 */
export function planCalls(
  due: readonly OpenEdit[],
  state: LaneState,
  limits: BatchLimits & { readonly inFlight: number },
  isRetryTurn = false,
): (readonly OpenEdit[])[] {
  const calls: (readonly OpenEdit[])[] = [];
  let rest = isRetryTurn ? [...due.filter(isRetry), ...due.filter((edit) => !isRetry(edit))] : due;
  while (calls.length < limits.inFlight && rest.length > 0) {
    const batch = chooseBatch(rest, state, limits);
    calls.push(batch);
    if (state.held !== undefined || state.failures > 0) break;
    const batched = new Set(batch);
    rest = rest.filter((edit) => !batched.has(edit));
  }
  return calls;
}

/** Edits that failed before and edits that were not tried are never in one call: the former may make it fail. */
export function isRetry({ attempts }: OpenEdit): boolean {
  return attempts > 0;
}

function backOff(failures: number, random: () => number): number {
  return Math.ceil(random() * Math.min(MAX_BACK_OFF_MS, BACK_OFF_BASE_MS * 2 ** Math.min(failures - 1, 20)));
}

/**
 * The state of the lane after this outcome. No call is sent before the time that the portal asks for, in this response
 * or in that of another call that was in flight.
 */
export function nextState(state: LaneState, outcome: UpdateOutcome, context: PolicyContext): LaneState {
  const next = stateAfter(state, outcome, context);
  if (outcome.afterMs === undefined) return next;
  return { ...next, notBefore: Math.max(next.notBefore, waitUntil(context.now, outcome.afterMs)) };
}

function stateAfter(state: LaneState, outcome: UpdateOutcome, context: PolicyContext): LaneState {
  const { now, random, credential } = context;
  switch (outcome.kind) {
    case 'delivered':
      // 0 if there is no wait: any other time would become a wait when the clock is set back. A wait that the portal asked for
      // in the response to another call in flight stays.
      return {
        failures: 0,
        notBefore: context.wasClosed && remainingWait(state) > now ? remainingWait(state) : 0,
        verifiedCredential: credential,
      };
    case 'refused':
      // The portal works. But it may refuse a credential that never had a 2xx, and not the edit.
      if (state.verifiedCredential !== credential) return hold(state, 'portal_refuses', context);
      // A refusal shows that the portal reads our calls, so any other reason to hold the lane is over.
      return state.held === 'portal_refuses'
        ? hold(state, 'portal_refuses', context)
        : { ...state, held: undefined, failures: 0, notBefore: remainingWait(state) };
    case 'held':
      return hold(state, outcome.reason, context);
    case 'retry':
    case 'unknown': {
      const failures = state.failures + 1;
      // A wait of 0, or until a past date, says nothing about recovery. Calls at the full rate could go on for days.
      const wait = outcome.afterMs || backOff(failures, random);
      return {
        ...state,
        failures,
        verifiedCredential: credentialMark(state, credential),
        notBefore: Math.max(state.notBefore, waitUntil(now, wait)),
      };
    }
  }
}

/** The remaining wait of a lane that is no longer held: the pause between two trials ends with the hold. */
function remainingWait({ held, notBefore }: LaneState): number {
  return held === undefined ? notBefore : 0;
}

function waitUntil(now: number, milliseconds: number): number {
  return now + Math.min(milliseconds, MAX_RETRY_AFTER_MS);
}

function hold(state: LaneState, held: DelayReason, context: PolicyContext): LaneState {
  const { now, random, pages } = context;
  const isRetriedSoon = mayBeCausedByEdit(state, held, context) && pages < SYSTEMIC_THRESHOLD;
  const pause = held === 'portal_refuses' ? context.refusalPauseMs : TRIAL_INTERVAL_MS;
  return {
    ...state,
    held,
    verifiedCredential: credentialMark(state, context.credential),
    failures: 0,
    notBefore: Math.max(state.notBefore, now + (isRetriedSoon ? Math.ceil(PAGE_DELAY_MS * (1 + random())) : pause)),
  };
}

function credentialMark({ verifiedCredential }: LaneState, credential: string): string {
  return verifiedCredential === credential ? credential : unverifiedCredential(credential);
}

/** With a credential that never had a 2xx, a wrong setting is more likely than a wrong edit. */
function mayBeCausedByEdit(
  { verifiedCredential }: LaneState,
  held: DelayReason,
  { credential }: PolicyContext,
): boolean {
  return held === 'portal_unreadable' && verifiedCredential === credential;
}

/** Whether the last call of this lane passed: a failure now may be about its edits. */
export function isClosedCircuit({ held, failures }: LaneState): boolean {
  return held === undefined && failures === 0;
}

/** Whether this outcome is about the one edit of the call, because the portal accepts others. */
export function isPageForSingleEdit(
  edits: readonly OpenEdit[],
  outcome: UpdateOutcome,
  before: LaneState,
  context: PolicyContext,
): boolean {
  return (
    outcome.kind === 'held' &&
    edits.length === 1 &&
    context.wasClosed &&
    mayBeCausedByEdit(before, outcome.reason, context)
  );
}

export interface PolicyContext {
  readonly now: number;
  /** On the wall clock, shown to people. Waits are never measured by it. */
  readonly wall: number;
  readonly random: () => number;
  /** Fingerprint of the credential in use. */
  readonly credential: string;
  /** Whether the circuit was closed when the call was sent: see `isClosedCircuit`. */
  readonly wasClosed: boolean;
  /** How long the lane is closed if it is held because the portal rejects its calls. */
  readonly refusalPauseMs: number;
  /** The number of different edits that got a web page since a call passed, including this one. */
  readonly pages: number;
}

/** What the outcome means for the edits of the call; a refused batch of several is split instead. */
export function toAttemptOutcomes(
  edits: readonly OpenEdit[],
  outcome: UpdateOutcome,
  state: LaneState,
  context: PolicyContext,
): AttemptOutcome[] {
  const { now, wall: settledAt, random } = context;
  return edits.map((edit): AttemptOutcome => {
    switch (outcome.kind) {
      case 'delivered': {
        if (outcome.refused?.has(edit.id) === true) return { edit, kind: 'refused', reason: 'item_refused', settledAt };
        const delay = outcome.delayed?.get(edit.id);
        if (delay === undefined && outcome.accepted !== undefined) {
          return {
            edit,
            kind: 'accepted',
            confirmAt: now + (outcome.accepted.confirmedAfterMs ?? Infinity),
            settledAt,
          };
        }
        if (delay === undefined) return { edit, kind: 'delivered', settledAt };
        return { edit, kind: 'waiting', ...delay, dueAt: now + backOff(edit.attempts, random) };
      }
      case 'refused':
        return state.held === undefined
          ? { edit, kind: 'refused', reason: 'item_refused', settledAt }
          : { edit, kind: 'waiting', reason: state.held, dueAt: now, uncertain: false };
      case 'held': {
        const isSuspect = edits.length === 1 && mayBeCausedByEdit(state, outcome.reason, context);
        const wait = context.wasClosed ? SINGLE_RETRY_MS : TRIAL_INTERVAL_MS;
        // A response that cannot be read may be a success.
        const uncertain = outcome.reason === 'portal_unreadable' && 'answered';
        return { edit, kind: 'waiting', reason: outcome.reason, dueAt: now + (isSuspect ? wait : 0), uncertain };
      }
      case 'retry':
      case 'unknown': {
        // An edit that was alone in its call may be the cause, if the portal has an internal error or accepted others
        // just before.
        const mayBeCause = edits.length === 1 && (outcome.reason === 'portal_error' || context.wasClosed);
        const dueAt = mayBeCause ? now + backOff(edit.attempts, random) : now;
        return { edit, kind: 'waiting', reason: outcome.reason, dueAt, uncertain: outcome.kind === 'unknown' };
      }
    }
  });
}

const encoder = new TextEncoder();

function countBytes({ id, available, updated_at }: OpenEdit): number {
  return encoder.encode(JSON.stringify({ id, available, updated_at })).length + 1;
}

/** A resend is given up after so many rejections, five minutes apart. */
export const MAX_RESEND_REJECTIONS = 12;

const MAX_TRACKED = 1_000;

/**
 * A rejected resend does not change the edit's state: the portal accepted it before. It leaves open whether an older value has
 * arrived since, so the value is resent after a while. A portal that takes no timestamp twice rejects each resend, so resends
 * end after some rejections.
 */
export class ResendTracker {
  readonly #rejections = new Map<number, number>();

  /** Delays rejected resends. @returns the settlements, and the edits whose resend is given up */
  recordOutcomes(
    attemptOutcomes: readonly AttemptOutcome[],
    now: number,
  ): { attemptOutcomes: AttemptOutcome[]; givenUp: OpenEdit[] } {
    const givenUp: OpenEdit[] = [];
    const settled = attemptOutcomes.map((attemptOutcome): AttemptOutcome => {
      const { kind, edit } = attemptOutcome;
      if (kind === 'refused' && edit.isResend && this.#shouldRetry(edit)) {
        return { edit, kind: 'waiting', dueAt: now + TRIAL_INTERVAL_MS, uncertain: false };
      }
      if (kind === 'refused' && edit.isResend) givenUp.push(edit);
      if (kind !== 'waiting') this.#rejections.delete(edit.seq);
      return attemptOutcome;
    });
    return { attemptOutcomes: settled, givenUp };
  }

  #shouldRetry({ seq }: OpenEdit): boolean {
    const rejections = (this.#rejections.get(seq) ?? 0) + 1;
    // Entries of edits that were replaced are never deleted one by one.
    if (this.#rejections.size >= MAX_TRACKED) this.#rejections.clear();
    this.#rejections.set(seq, rejections);
    return rejections < MAX_RESEND_REJECTIONS;
  }
}
