import type { EditState } from '../../../domain/edit-state.js';
import { PORTAL_CONFIRMS, type Lease, type AttemptOutcome } from '../outbox.js';
import { afterDelivery, extendUncertainty, type Uncertainty } from '../uncertain-outcome.js';
import { wholeTime } from './tables/database.js';
import type { Flag } from './tables/rows.js';

export type AttemptResult = 'delivered' | 'refused' | 'waiting' | 'unknown' | 'split';

/** An edit with an open attempt, and all data that its outcome depends on. */
export interface OpenRow {
  readonly seq: number;
  readonly number: number;
  readonly vendor: string;
  readonly item: number;
  readonly state: EditState;
  readonly reason: string | null;
  readonly settled_at: number | null;
  readonly open_attempt: number;
  readonly opened_at: number;
  readonly newest_pending: number | null;
  readonly uncertain_until: number | null;
  readonly uncertain_from: number | null;
  readonly others_uncertain_until: number | null;
  readonly resend_at: number | null;
  /** The portal has accepted an older edit of the item and not confirmed it. */
  readonly has_accepted: Flag;
  /** The vendor's last number. */
  readonly last_number: number;
  readonly last_revision: number;
}

/** The outcome of one open edit. Absent values stay as they are. */
export interface OutcomeEffect {
  readonly result: AttemptResult;
  readonly state?: EditState;
  readonly reason?: string | null;
  readonly settledAt?: number;
  /** The end of its pause. */
  readonly dueAt?: number;
  /** The portal has accepted the edit, and it counts as delivered from then on. */
  readonly confirmAt?: number;
  /** `null`: the outcome is no longer uncertain. */
  readonly uncertainty?: Uncertainty | null | undefined;
  /** When the newest delivered value is resent; `null`: it is not resent. */
  readonly resendAt?: number | null;
}

/** The same moment on the clock of the transaction and on the clock of the caller. */
interface Times {
  readonly now: number;
  readonly callersNow: number;
}

/** Converts a time of the caller to the clock of the transaction. 0 means no time and stays 0. */
export function storedTime(time: number, { now, callersNow }: Times): number {
  return time === 0 ? 0 : wholeTime(time + now - callersNow);
}

export function effectOf(row: OpenRow, attemptOutcome: AttemptOutcome, lease: Lease, times: Times): OutcomeEffect {
  const { now, callersNow } = times;
  if (row.state === 'delivered') return effectOfResend(row, attemptOutcome, lease, times);
  switch (attemptOutcome.kind) {
    case 'delivered': {
      const settledAt = attemptOutcome.settledAt ?? callersNow;
      return { result: 'delivered', state: 'delivered', reason: null, settledAt, ...afterSuccess(row, now) };
    }
    case 'accepted': {
      const success = afterSuccess(row, now);
      // An older value may arrive after this edit. Then it is sent again.
      if (typeof success.resendAt === 'number')
        return { result: 'waiting', reason: PORTAL_CONFIRMS, dueAt: success.resendAt };
      return {
        result: 'delivered',
        reason: PORTAL_CONFIRMS,
        confirmAt: storedTime(attemptOutcome.confirmAt, times),
        uncertainty: success.uncertainty,
      };
    }
    case 'refused': {
      // A replaced edit needs no decision.
      const state = row.newest_pending === row.number ? 'refused' : 'superseded';
      return {
        result: 'refused',
        state,
        reason: attemptOutcome.reason,
        settledAt: attemptOutcome.settledAt ?? callersNow,
      };
    }
    case 'waiting': {
      const uncertainty = uncertaintyAfter(row, attemptOutcome, lease, now);
      return {
        result: 'waiting',
        reason: attemptOutcome.reason ?? null,
        dueAt: storedTime(attemptOutcome.dueAt, times),
        uncertainty,
      };
    }
  }
}

/** A resent value stays delivered, whatever the response is. The outcome decides only whether it is resent again. */
function effectOfResend(row: OpenRow, attemptOutcome: AttemptOutcome, lease: Lease, times: Times): OutcomeEffect {
  const { now } = times;
  if (attemptOutcome.kind === 'refused') return { result: 'refused', resendAt: null };
  if (attemptOutcome.kind !== 'waiting') return { result: 'delivered', ...afterSuccess(row, now) };
  const resendAt = storedTime(attemptOutcome.dueAt, times);
  return { result: 'waiting', resendAt, uncertainty: uncertaintyAfter(row, attemptOutcome, lease, now) };
}

export function addUncertainty(row: OpenRow, now: number, forMs: number): Uncertainty {
  return extendUncertainty(toUncertainty(row), row.number, wholeTime(now), wholeTime(forMs));
}

function uncertaintyAfter(
  row: OpenRow,
  { uncertain }: Extract<AttemptOutcome, { kind: 'waiting' }>,
  { want }: Lease,
  now: number,
): Uncertainty | undefined {
  return uncertain ? addUncertainty(row, now, uncertain === 'answered' ? 0 : want.uncertainMs) : undefined;
}

function afterSuccess(row: OpenRow, now: number): Pick<OutcomeEffect, 'resendAt' | 'uncertainty'> {
  const before = toUncertainty(row);
  const delivery = {
    openedAt: row.opened_at,
    now: wholeTime(now),
    othersUncertainUntil: row.others_uncertain_until ?? undefined,
  };
  const { uncertainty, resendAt = null } = afterDelivery(before, row.number, delivery);
  return { resendAt, uncertainty: uncertainty === before ? undefined : null };
}

function toUncertainty({ uncertain_until: until, uncertain_from: seq }: OpenRow): Uncertainty | undefined {
  return until === null || seq === null ? undefined : { until, seq };
}
