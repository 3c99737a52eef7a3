import type { LaneOf } from '../outbox.js';

/** An edit that waits, and the lane that it waits in, or shall wait in. */
export interface LanePlace {
  readonly seq: number;
  readonly vendor: string;
  readonly lane: string;
}

/** How a database finds what waits, and moves it. */
export interface LanePlaces {
  /** Received edits after this one in the order of acceptance, none of an open attempt. */
  waiting(after: number, most: number): Promise<readonly LanePlace[]>;
  /** Delivered ones that are going to be said again. */
  saidAgain(): Promise<readonly LanePlace[]>;
  /** In one transaction, and only what still waits. */
  move(places: readonly LanePlace[]): Promise<void>;
}

/** Looked at, and perhaps moved, in one transaction: acceptance goes on between them. */
const EDITS_AT_ONCE = 1_000;

/**
 * Puts what waits into the lane that its vendor has now. In portions: the order of an item is kept over all lanes, so that it
 * does not matter which of its edits is moved first.
 */
export async function moveLanes(laneOf: LaneOf, places: LanePlaces): Promise<void> {
  const strays = (found: readonly LanePlace[]): LanePlace[] =>
    found.map((place) => ({ ...place, lane: laneOf(place.vendor) })).filter(({ lane }, at) => lane !== found[at]?.lane);
  const move = async (found: readonly LanePlace[]): Promise<void> => {
    const moved = strays(found);
    if (moved.length > 0) await places.move(moved);
  };
  await move(await places.saidAgain());
  let after: number | undefined = 0;
  while (after !== undefined) {
    const found: readonly LanePlace[] = await places.waiting(after, EDITS_AT_ONCE);
    await move(found);
    after = found.at(-1)?.seq;
  }
}
