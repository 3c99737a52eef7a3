import type { ItemId } from '../../../domain/item.js';
import type { LaneOf } from '../../outbox/outbox.js';

/** An edit that waits, and the lane that it waits in, or shall wait in. */
export interface LanePlace {
  readonly seq: number;
  readonly vendor: string;
  readonly lane: string;
}

/** An item that is not in the lane of its vendor, or yields in it to another vendor's; `lane` is where it shall be. */
export interface ItemPlace {
  readonly vendor: string;
  readonly id: ItemId;
  readonly lane: string;
  /** The place of its first edit. */
  readonly since: number;
}

/** How a database finds what waits, and moves it. */
export interface LanePlaces {
  strayItems(laneOf: LaneOf): Promise<readonly ItemPlace[]>;
  /** In one transaction: takes them out of the lane that they were in. In the new one they yield. */
  leave(items: readonly ItemPlace[]): Promise<void>;
  /**
   * In one transaction, one after the other: each has its id in its lane from now on, unless another vendor's has. Then
   * what waits of it is refused.
   */
  enter(items: readonly ItemPlace[]): Promise<void>;
  readonly itemsAreIn: (() => void) | undefined;
  /** Received edits after this one in the order of acceptance, none of an open attempt. */
  waiting(after: number, most: number): Promise<readonly LanePlace[]>;
  /** Delivered ones that are going to be said again. */
  saidAgain(): Promise<readonly LanePlace[]>;
  /** In one transaction, and only what still waits. */
  move(places: readonly LanePlace[]): Promise<void>;
}

/** Looked at, and perhaps moved, in one transaction: acceptance goes on between them. */
const ROWS_AT_ONCE = 1_000;

/**
 * Puts items, and what waits, into the lane that their vendor has now. In portions: the order of an item is kept over all
 * lanes, so that it does not matter which of its edits is moved first.
 *
 * Items go first. Two vendors may have used one id while they were kept apart; in one lane, and so at the portal, it would be
 * one item. It stays with whoever has it there already, else with the first who used it; all leave before the first comes in,
 * so that nobody yields to one who goes. Of the other nothing may leave: its wish would land on what is not its vendor's. It
 * is not thrown away either: it is refused, and the vendor may discard it, or send it again once settings keep both apart.
 */
export async function moveLanes(laneOf: LaneOf, places: LanePlaces): Promise<void> {
  const strays = (found: readonly LanePlace[]): LanePlace[] =>
    found.map((place) => ({ ...place, lane: laneOf(place.vendor) })).filter(({ lane }, at) => lane !== found[at]?.lane);
  const move = async (found: readonly LanePlace[]): Promise<void> => {
    const moved = strays(found);
    if (moved.length > 0) await places.move(moved);
  };
  const items = [...(await places.strayItems(laneOf))].sort((a, b) => a.since - b.since);
  for (const portion of portionsOf(items)) await places.leave(portion);
  for (const portion of portionsOf(items)) await places.enter(portion);
  places.itemsAreIn?.();
  await move(await places.saidAgain());
  let after: number | undefined = 0;
  while (after !== undefined) {
    const found: readonly LanePlace[] = await places.waiting(after, ROWS_AT_ONCE);
    await move(found);
    after = found.at(-1)?.seq;
  }
}

function* portionsOf<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) yield all.slice(at, at + ROWS_AT_ONCE);
}
