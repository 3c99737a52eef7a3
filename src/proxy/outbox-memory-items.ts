import type { ItemId } from '../domain/item.js';
import { unsureAtMost } from './outbox/uncertain-outcome.js';
import type { ItemRow } from './outbox-memory-rows.js';
import type { LaneOf, OwnedItem } from './outbox/outbox.js';

/** The items of the in-memory outbox: each a vendor's, and at most one of an id has it in a lane. */
export class MemoryItems {
  readonly #byVendor = new Map<string, ItemRow>();
  readonly #byLane = new Map<string, ItemRow>();
  /** Those that are in a lane without having their id there, by both. */
  readonly #yielding = new Map<string, Set<ItemRow>>();

  all(): Iterable<ItemRow> {
    return this.#byVendor.values();
  }

  /** Whoever has this id in this lane; where nobody has, this vendor's own item. */
  find(id: ItemId, vendor: string, lane: string): ItemRow | undefined {
    return this.#byLane.get(keyOf(lane, id)) ?? this.#byVendor.get(keyOf(vendor, id));
  }

  /** For an edit in a lane where no other vendor has the id. @param seq of that edit */
  take(id: ItemId, vendor: string, lane: string, seq: number): ItemRow {
    const known = this.#byVendor.get(keyOf(vendor, id));
    const item: ItemRow = known ?? { id, vendor, lane, since: seq, lastStamp: 0, revision: 0, edits: [] };
    this.#byVendor.set(keyOf(vendor, id), item);
    this.#enter(item, lane);
    return item;
  }

  /** Whether another vendor has its id in its lane. */
  isForeign(item: ItemRow): boolean {
    return this.find(item.id, item.vendor, item.lane) !== item;
  }

  /** Until when a call may land that another vendor's item of this id has made in this lane. */
  lateUntil(item: ItemRow): number | undefined {
    const others = [...(this.#yielding.get(keyOf(item.lane, item.id)) ?? [])].filter((other) => other !== item);
    const ends = others.flatMap(({ unsure }) => unsure?.until ?? []);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  limitWaits(now: number, furthest: number): void {
    for (const item of this.all()) {
      if ((item.assertAt ?? 0) > furthest) item.assertAt = now;
      item.unsure = unsureAtMost(item.unsure, now);
    }
  }

  /** @returns items of others: they yield from now on, or did before */
  give(lane: string, { id, vendor, from = vendor }: OwnedItem): ItemRow[] {
    const holders = [this.#byLane.get(keyOf(lane, id)), this.#byVendor.get(keyOf(from, id))];
    const others = holders.filter((item) => item?.lane === lane && item.vendor !== vendor) as ItemRow[];
    for (const item of others) {
      this.#leave(item);
      this.#yield(item);
    }
    return others;
  }

  /** Settings have changed. @returns those that another vendor's stand in the way of */
  move(laneOf: LaneOf): ItemRow[] {
    const strays = [...this.all()]
      .filter((item) => item.lane !== laneOf(item.vendor) || this.#yields(item))
      .sort((a, b) => a.since - b.since);
    // All leave before the first comes in: what one of them had is free.
    for (const item of strays) this.#leave(item);
    for (const item of strays) this.#enter(item, laneOf(item.vendor));
    return strays.filter((item) => this.isForeign(item));
  }

  /** Whether it has not its id in its lane, be it that nobody has. */
  #yields(item: ItemRow): boolean {
    return this.#byLane.get(keyOf(item.lane, item.id)) !== item;
  }

  #enter(item: ItemRow, lane: string): void {
    this.#leave(item);
    item.lane = lane;
    const place = keyOf(lane, item.id);
    if (this.#byLane.has(place)) this.#yield(item);
    else this.#byLane.set(place, item);
  }

  #leave(item: ItemRow): void {
    const place = keyOf(item.lane, item.id);
    if (this.#byLane.get(place) === item) this.#byLane.delete(place);
    this.#yielding.get(place)?.delete(item);
  }

  #yield(item: ItemRow): void {
    const place = keyOf(item.lane, item.id);
    this.#yielding.set(place, (this.#yielding.get(place) ?? new Set()).add(item));
  }
}

/** @param owner a vendor or a lane */
export function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}
