import type { EditState } from '../../../domain/edit-state.js';
import { PORTAL_CONFIRMS, type Lease, type Settlement } from '../outbox.js';
import { afterDelivery, unsureAfter, type Unsure } from '../uncertain-outcome.js';
import { wholeTime } from './tables/database.js';
import type { Flag } from './tables/rows.js';

export type Ending = 'delivered' | 'refused' | 'waiting' | 'unknown' | 'split';

/** An edit that is at the portal, perhaps, and all that decides what becomes of it and of its item. */
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
  readonly late_until: number | null;
  readonly resend_at: number | null;
  /** An older edit of the item is accepted by the portal, and not confirmed. */
  readonly has_accepted: Flag;
  /** Of the vendor. */
  readonly last_number: number;
  readonly last_revision: number;
}

/** What became of one open edit. What is absent stays as it is. */
export interface Outcome {
  readonly ending: Ending;
  readonly state?: EditState;
  readonly reason?: string | null;
  readonly settledAt?: number;
  /** It pauses until then. */
  readonly dueAt?: number;
  /** It is accepted, and counts as delivered from then on. */
  readonly confirmAt?: number;
  /** `null`: nothing is uncertain any more. */
  readonly unsure?: Unsure | null | undefined;
  /** When the newest delivered value is resent; `null`: it is not. */
  readonly resendAt?: number | null;
}

/** One moment on the clock of the transaction and on that of the caller. */
interface Times {
  readonly now: number;
  readonly callersNow: number;
}

/** A time of the caller's on the clock of the transaction. No time at all stays none. */
export function storedTime(time: number, { now, callersNow }: Times): number {
  return time === 0 ? 0 : wholeTime(time + now - callersNow);
}

export function outcomeOf(row: OpenRow, settlement: Settlement, lease: Lease, times: Times): Outcome {
  const { now, callersNow } = times;
  if (row.state === 'delivered') return outcomeOfResend(row, settlement, lease, times);
  switch (settlement.kind) {
    case 'delivered': {
      const settledAt = settlement.settledAt ?? callersNow;
      return { ending: 'delivered', state: 'delivered', reason: null, settledAt, ...sureOf(row, now) };
    }
    case 'accepted': {
      const sure = sureOf(row, now);
      // An older value may land after it: then it is sent once more.
      if (typeof sure.resendAt === 'number')
        return { ending: 'waiting', reason: PORTAL_CONFIRMS, dueAt: sure.resendAt };
      return {
        ending: 'delivered',
        reason: PORTAL_CONFIRMS,
        confirmAt: storedTime(settlement.confirmAt, times),
        unsure: sure.unsure,
      };
    }
    case 'refused': {
      // Where it was replaced, no person has to decide about it any more.
      const state = row.newest_pending === row.number ? 'refused' : 'superseded';
      return { ending: 'refused', state, reason: settlement.reason, settledAt: settlement.settledAt ?? callersNow };
    }
    case 'waiting': {
      const unsure = doubtOf(row, settlement, lease, now);
      return {
        ending: 'waiting',
        reason: settlement.reason ?? null,
        dueAt: storedTime(settlement.dueAt, times),
        unsure,
      };
    }
  }
}

/** A value that was resent stays delivered, whatever the portal answers; only whether to ask again is open. */
function outcomeOfResend(row: OpenRow, settlement: Settlement, lease: Lease, times: Times): Outcome {
  const { now } = times;
  if (settlement.kind === 'refused') return { ending: 'refused', resendAt: null };
  if (settlement.kind !== 'waiting') return { ending: 'delivered', ...sureOf(row, now) };
  const resendAt = storedTime(settlement.dueAt, times);
  return { ending: 'waiting', resendAt, unsure: doubtOf(row, settlement, lease, now) };
}

export function notSure(row: OpenRow, now: number, forMs: number): Unsure {
  return unsureAfter(unsureOf(row), row.number, wholeTime(now), wholeTime(forMs));
}

function doubtOf(
  row: OpenRow,
  { uncertain }: Extract<Settlement, { kind: 'waiting' }>,
  { want }: Lease,
  now: number,
): Unsure | undefined {
  return uncertain ? notSure(row, now, uncertain === 'answered' ? 0 : want.unsureMs) : undefined;
}

function sureOf(row: OpenRow, now: number): Pick<Outcome, 'resendAt' | 'unsure'> {
  const before = unsureOf(row);
  const delivery = { openedAt: row.opened_at, now: wholeTime(now), lateUntil: row.late_until ?? undefined };
  const { unsure, againAt = null } = afterDelivery(before, row.number, delivery);
  return { resendAt: againAt, unsure: unsure === before ? undefined : null };
}

function unsureOf({ uncertain_until: until, uncertain_from: seq }: OpenRow): Unsure | undefined {
  return until === null || seq === null ? undefined : { until, seq };
}
