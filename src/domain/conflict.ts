/** A click that waited no longer than this wins over a concurrent edit: the person still means it. */
const MAX_FRESH_MS = 2 * 60_000;

/** An edit that arrives, beside the newest value that the proxy has accepted for its item. */
export interface ConcurrentEdit {
  /** Timestamp of the value that the person saw. */
  readonly base: number;
  readonly mine: boolean;
  /** The newest accepted value. */
  readonly theirs: { readonly available: boolean; readonly stamp: number };
  /** When the person clicked, and when the page sent it: both on the browser's clock. */
  readonly clickedAt: number;
  readonly sentAt: number | undefined;
}

/**
 * An edit conflicts if another person set a different value after this person looked, and the click waited for long
 * before it was sent. Neither value overwrites the other then: a person decides.
 */
export function isConflict({ base, mine, theirs, clickedAt, sentAt }: ConcurrentEdit): boolean {
  if (theirs.stamp <= base || theirs.available === mine || sentAt === undefined) return false;
  // A browser clock that stepped back between the click and the sending makes a negative age, which counts as none.
  return Math.max(sentAt - clickedAt, 0) > MAX_FRESH_MS;
}
