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

/**
 * When the value of an edit, delivered `now`, has to be said again. The portal may have acted at any moment since the attempt
 * was opened, however late its answer: what could land after that moment could land after this value.
 */
export function sayAgainAt(
  unsure: Unsure | undefined,
  seq: number,
  { openedAt, now }: { readonly openedAt: number; readonly now: number },
): number | undefined {
  if (unsure === undefined) return undefined;
  return unsure.seq < seq && unsure.until > openedAt ? Math.max(unsure.until, now) : undefined;
}
