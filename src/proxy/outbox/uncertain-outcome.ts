import { MAX_CALL_TIMEOUT_MS } from '../portal/profile.js';

/** No call arrives later than this after it was given up, whatever the settings: twice the longest that one may take. */
export const LONGEST_UNSURE_MS = 2 * MAX_CALL_TIMEOUT_MS;

/**
 * A portal call without an answer may still arrive, even after a newer value of the same item. Then the portal would keep the
 * older value unnoticed. So the newest value is resent when the older call cannot arrive any longer.
 */
export interface Unsure {
  readonly until: number;
  /** The oldest edit that may still arrive, or may have: what it did stays unknown when no call can arrive any longer. */
  readonly seq: number;
}

/** What is uncertain once an attempt of `seq` ended without an answer; what was uncertain before stays so. */
export function unsureAfter(before: Unsure | undefined, seq: number, now: number, forMs: number): Unsure {
  return { until: Math.max(now + forMs, before?.until ?? 0), seq: Math.min(seq, before?.seq ?? seq) };
}

/**
 * What follows once the value of an edit is delivered: when it has to be resent, and what stays uncertain. The portal may have
 * applied it at any moment since the attempt was opened, however late its answer: a call that could arrive after that moment
 * could arrive after this value. Where none could, the portal has it, whatever became of the edits before.
 *
 * @param delivery `lateUntil`: until when a call may arrive that another vendor's item made, which had the id in this lane before
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
