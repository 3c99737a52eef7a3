/** An edit this fresh is meant, whatever happened in between; both people are told. */
const FRESH_MS = 2 * 60_000;

export interface Meeting {
  /** Stamp of the value that the person saw. */
  readonly base: number;
  readonly mine: boolean;
  /** The newest accepted value. */
  readonly theirs: { readonly available: boolean; readonly stamp: number };
  /** When the person clicked, and when the page sent it: both on the browser's clock. */
  readonly clickedAt: number;
  readonly sentAt: number | undefined;
}

/**
 * Two people, one item: somebody changed the value after this person looked, to something else, and this person's click
 * has been waiting for long. Then nobody's wish is overwritten silently: a person picks.
 */
export function isConflict({ base, mine, theirs, clickedAt, sentAt }: Meeting): boolean {
  if (theirs.stamp <= base || theirs.available === mine || sentAt === undefined) return false;
  // A browser clock that stepped back between the two makes a negative age, which says nothing.
  return Math.max(sentAt - clickedAt, 0) > FRESH_MS;
}
