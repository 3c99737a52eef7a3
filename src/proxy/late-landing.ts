/**
 * A portal call without an answer may still arrive: after a newer value of the same item, too. Then the portal would keep
 * the older one, and nobody would know. So the newest value is said once more when nothing can arrive any longer.
 */
export interface Unsure {
  readonly until: number;
  /** The oldest edit that may still land. */
  readonly seq: number;
}

/** What is unsure once an attempt of `seq` ended without an answer; what was unsure before stays so. */
export function unsureAfter(before: Unsure | undefined, seq: number, now: number, forMs: number): Unsure {
  const open = before !== undefined && before.until > now ? before : undefined;
  return { until: Math.max(now + forMs, open?.until ?? 0), seq: Math.min(seq, open?.seq ?? seq) };
}

/** When the value of `seq`, delivered `now`, has to be said again. */
export function sayAgainAt(unsure: Unsure | undefined, seq: number, now: number): number | undefined {
  return unsure !== undefined && unsure.seq < seq && unsure.until > now ? unsure.until : undefined;
}
