import type { LaneState, OpenEdit, Settlement } from '../outbox/outbox.js';
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
 * The trial edit of a lane is the least tried of so many due edits. If they were only as many as fit into a call, those that the
 * portal refuses would be tried for ever, and none behind them.
 */
export const TRIAL_CANDIDATES = 1_000;
/** After a web page, until another edit is tried: at least this, and at most twice this. */
const PAGE_DELAY_MS = 1_000;
/** Until an edit that got a web page alone is tried again, where others passed before it; they go first. */
const SINGLE_RETRY_MS = 4_000;

const WRAPPER_BYTES = '{"inventory":[]}'.length;

/** @param due in sending order @returns the edits of the next call */
function chooseBatch(due: readonly OpenEdit[], state: LaneState, limits: BatchLimits): readonly OpenEdit[] {
  const [first] = due;
  if (first === undefined) return [];
  if (state.held !== undefined || state.failures > 0) {
    return [due.reduce((least, edit) => (edit.attempts < least.attempts ? edit : least))];
  }
  const tried = first.attempts > 0;
  const most = Math.max(1, limits.items >> Math.min(first.attempts, 16));
  const batch: OpenEdit[] = [];
  let room = limits.bytes - WRAPPER_BYTES;
  for (const edit of due) {
    if (batch.length === most) break;
    if (edit.attempts > 0 !== tried) continue;
    room -= bytesOf(edit);
    if (room < 0 && batch.length > 0) break;
    batch.push(edit);
  }
  return batch;
}

/** As many calls as may be in flight at once; a lane whose breaker is open sends one. */
export function planCalls(
  due: readonly OpenEdit[],
  state: LaneState,
  limits: BatchLimits & { readonly inFlight: number },
): (readonly OpenEdit[])[] {
  const calls: (readonly OpenEdit[])[] = [];
  let rest = due;
  while (calls.length < limits.inFlight && rest.length > 0) {
    const batch = chooseBatch(rest, state, limits);
    calls.push(batch);
    if (state.held !== undefined || state.failures > 0) break;
    const taken = new Set(batch);
    rest = rest.filter((edit) => !taken.has(edit));
  }
  return calls;
}

function backOff(failures: number, random: () => number): number {
  return Math.ceil(random() * Math.min(MAX_BACK_OFF_MS, BACK_OFF_BASE_MS * 2 ** Math.min(failures - 1, 20)));
}

/**
 * The lane after this outcome. In any case no call follows before the time that the portal asks for, in this response or in that
 * of another call that was in flight.
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
        notBefore: context.wasOpen && waitOf(state) > now ? waitOf(state) : 0,
        provenBy: credential,
      };
    case 'refused':
      // The portal works. But it may refuse a credential that never had a 2xx, and not the edit.
      if (state.provenBy !== credential) return hold(state, 'portal_refuses', context);
      // A refusal shows that the portal reads our calls, so any other reason to hold the lane is over.
      return state.held === 'portal_refuses'
        ? hold(state, 'portal_refuses', context)
        : { ...state, held: undefined, failures: 0, notBefore: waitOf(state) };
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
        provenBy: noted(state, credential),
        notBefore: Math.max(state.notBefore, waitUntil(now, wait)),
      };
    }
  }
}

/** The remaining wait of a lane that is no longer held: the pause between two trials ends with the hold. */
function waitOf({ held, notBefore }: LaneState): number {
  return held === undefined ? notBefore : 0;
}

function waitUntil(now: number, milliseconds: number): number {
  return now + Math.min(milliseconds, MAX_RETRY_AFTER_MS);
}

function hold(state: LaneState, held: DelayReason, context: PolicyContext): LaneState {
  const { now, random, pages } = context;
  const again = mayBeTheEdit(state, held, context) && pages < SYSTEMIC_THRESHOLD;
  const pause = held === 'portal_refuses' ? context.refusalPauseMs : TRIAL_INTERVAL_MS;
  return {
    ...state,
    held,
    provenBy: noted(state, context.credential),
    failures: 0,
    notBefore: Math.max(state.notBefore, now + (again ? Math.ceil(PAGE_DELAY_MS * (1 + random())) : pause)),
  };
}

function noted({ provenBy }: LaneState, credential: string): string {
  return provenBy === credential ? credential : unverifiedCredential(credential);
}

/** With a credential that never had a 2xx, a wrong setting is more likely than a wrong edit. */
function mayBeTheEdit({ provenBy }: LaneState, held: DelayReason, { credential }: PolicyContext): boolean {
  return held === 'portal_unreadable' && provenBy === credential;
}

/** Whether the last call of this lane passed: a failure now may be about its edits. */
export function isClosedCircuit({ held, failures }: LaneState): boolean {
  return held === undefined && failures === 0;
}

/** Whether this outcome is about the one edit of the call, since the portal takes others. */
export function isPageForSingleEdit(
  edits: readonly OpenEdit[],
  outcome: UpdateOutcome,
  before: LaneState,
  context: PolicyContext,
): boolean {
  return (
    outcome.kind === 'held' && edits.length === 1 && context.wasOpen && mayBeTheEdit(before, outcome.reason, context)
  );
}

export interface PolicyContext {
  readonly now: number;
  /** On the wall clock: for people to read, never to wait by. */
  readonly wall: number;
  readonly random: () => number;
  /** Fingerprint of the credential in use. */
  readonly credential: string;
  /** Whether the circuit was closed when the call was sent: see `isClosedCircuit`. */
  readonly wasOpen: boolean;
  /** How long the lane is closed where it is held because the portal refuses. */
  readonly refusalPauseMs: number;
  /** Different edits that got a web page since a call passed, this one's included. */
  readonly pages: number;
}

/** What the outcome means for the edits of the call; a refused batch of several is split instead. */
export function settleEdits(
  edits: readonly OpenEdit[],
  outcome: UpdateOutcome,
  state: LaneState,
  context: PolicyContext,
): Settlement[] {
  const { now, wall: settledAt, random } = context;
  return edits.map((edit): Settlement => {
    switch (outcome.kind) {
      case 'delivered': {
        if (outcome.refused?.has(edit.id) === true) return { edit, kind: 'refused', reason: 'item_refused', settledAt };
        const delay = outcome.later?.get(edit.id);
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
        const itself = edits.length === 1 && mayBeTheEdit(state, outcome.reason, context);
        const wait = context.wasOpen ? SINGLE_RETRY_MS : TRIAL_INTERVAL_MS;
        // A response that cannot be read may be a success.
        const uncertain = outcome.reason === 'portal_unreadable' && 'answered';
        return { edit, kind: 'waiting', reason: outcome.reason, dueAt: now + (itself ? wait : 0), uncertain };
      }
      case 'retry':
      case 'unknown': {
        // If it was alone in the call, and the portal has an internal error or took others just before, it may be the cause.
        const alone = edits.length === 1 && (outcome.reason === 'portal_error' || context.wasOpen);
        const dueAt = alone ? now + backOff(edit.attempts, random) : now;
        return { edit, kind: 'waiting', reason: outcome.reason, dueAt, uncertain: outcome.kind === 'unknown' };
      }
    }
  });
}

const encoder = new TextEncoder();

function bytesOf({ id, available, updated_at }: OpenEdit): number {
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

  /** Lets rejected resends wait. @returns the settlements, and the edits whose resend is given up */
  settle(settlements: readonly Settlement[], now: number): { settlements: Settlement[]; givenUp: OpenEdit[] } {
    const givenUp: OpenEdit[] = [];
    const settled = settlements.map((settlement): Settlement => {
      const { kind, edit } = settlement;
      if (kind === 'refused' && edit.again && this.#shouldRetry(edit)) {
        return { edit, kind: 'waiting', dueAt: now + TRIAL_INTERVAL_MS, uncertain: false };
      }
      if (kind === 'refused' && edit.again) givenUp.push(edit);
      if (kind !== 'waiting') this.#rejections.delete(edit.seq);
      return settlement;
    });
    return { settlements: settled, givenUp };
  }

  #shouldRetry({ seq }: OpenEdit): boolean {
    const refusals = (this.#rejections.get(seq) ?? 0) + 1;
    // Entries of edits that were replaced are never deleted one by one.
    if (this.#rejections.size >= MAX_TRACKED) this.#rejections.clear();
    this.#rejections.set(seq, refusals);
    return refusals < MAX_RESEND_REJECTIONS;
  }
}
