import { MOST_PATIENCE_MS } from '../portal/profile.js';

/** No call lands later than this after it was given up, whatever the settings: twice the longest that one may take. */
export const LONGEST_UNSURE_MS = 2 * MOST_PATIENCE_MS;

/**
 * A portal call without an answer may still arrive: after a newer value of the same item, too. Then the portal would keep
 * the older one, and nobody would know. So the newest value is said once more when nothing can arrive any longer.
 */
export interface Unsure {
  readonly until: number;
  /** The oldest edit that may still land, or may have: what it did is not known when nothing can arrive any longer, either. */
  readonly seq: number;
}

/** What is unsure once an attempt of `seq` ended without an answer; what was unsure before stays so. */
export function unsureAfter(before: Unsure | undefined, seq: number, now: number, forMs: number): Unsure {
  return { until: Math.max(now + forMs, before?.until ?? 0), seq: Math.min(seq, before?.seq ?? seq) };
}

/** Nothing is unsure for longer, unless a clock was set back since it was noted. */
export function unsureAtMost(unsure: Unsure | undefined, now: number): Unsure | undefined {
  return unsure && { ...unsure, until: Math.min(unsure.until, now + LONGEST_UNSURE_MS) };
}

/**
 * What is so once the value of an edit is delivered: when it has to be said again, and what stays unsure. The portal may have
 * acted at any moment since the attempt was opened, however late its answer: what could land after that moment could land after
 * this value. Where nothing could, the portal has it, whatever became of the edits before.
 *
 * @param delivery `lateUntil`: until when a call may land that another vendor's item made, which had the id in this lane before
 */
export function afterDelivery(unsure: Unsure | undefined, seq: number, delivery: Delivered): AfterDelivery {
  const { openedAt, now, lateUntil = -Infinity } = delivery;
  const own = afterOwn(unsure, seq, delivery);
  return lateUntil > openedAt ? { ...own, againAt: Math.max(own.againAt ?? now, lateUntil) } : own;
}

interface Delivered {
  readonly openedAt: number;
  readonly now: number;
  readonly lateUntil?: number | undefined;
}

interface AfterDelivery {
  readonly againAt?: number;
  readonly unsure?: Unsure | undefined;
}

function afterOwn(unsure: Unsure | undefined, seq: number, { openedAt, now }: Delivered): AfterDelivery {
  if (unsure === undefined || unsure.seq >= seq) return { unsure };
  return unsure.until > openedAt ? { unsure, againAt: Math.max(unsure.until, now) } : {};
}
