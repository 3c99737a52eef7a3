import { MAX_CALL_TIMEOUT_MS } from '../portal/profile.js';

/** Twice the longest timeout: with any settings, no call arrives later than this after its timeout. */
export const MAX_UNCERTAIN_MS = 2 * MAX_CALL_TIMEOUT_MS;

/**
 * A portal call without a response may still arrive, even after a newer value of the same item. Then the portal would
 * silently keep the older value. So the newest value is resent when the older call cannot arrive any more.
 */
export interface Uncertainty {
  readonly until: number;
  /**
   * The oldest edit that may still arrive, or may have arrived: its effect stays unknown even when no call can arrive
   * any more.
   */
  readonly seq: number;
}

/** Adds an attempt of `seq` that ended without a response to what was uncertain before. */
export function extendUncertainty(
  before: Uncertainty | undefined,
  seq: number,
  now: number,
  forMs: number,
): Uncertainty {
  return { until: Math.max(now + forMs, before?.until ?? 0), seq: Math.min(seq, before?.seq ?? seq) };
}

/**
 * The consequences of a delivery: when the value has to be resent, and what stays uncertain. The portal may have applied
 * the edit at any moment since the attempt was opened, even if its response came late. So an older call that could still
 * arrive after the attempt was opened may have replaced this value. If no call could, the portal has this value, whatever
 * the outcome of older edits was.
 *
 * @param delivery `othersUncertainUntil`: until when a call may arrive for the item of another vendor that owned the id in
 *   this lane before
 */
export function afterDelivery(uncertainty: Uncertainty | undefined, seq: number, delivery: Delivered): AfterDelivery {
  const { openedAt, now, othersUncertainUntil = -Infinity } = delivery;
  const own = afterOwn(uncertainty, seq, delivery);
  return othersUncertainUntil > openedAt
    ? { ...own, resendAt: Math.max(own.resendAt ?? now, othersUncertainUntil) }
    : own;
}

interface Delivered {
  readonly openedAt: number;
  readonly now: number;
  readonly othersUncertainUntil?: number | undefined;
}

interface AfterDelivery {
  readonly resendAt?: number;
  readonly uncertainty?: Uncertainty | undefined;
}

function afterOwn(uncertainty: Uncertainty | undefined, seq: number, { openedAt, now }: Delivered): AfterDelivery {
  if (uncertainty === undefined || uncertainty.seq >= seq) return { uncertainty };
  return uncertainty.until > openedAt ? { uncertainty, resendAt: Math.max(uncertainty.until, now) } : {};
}
