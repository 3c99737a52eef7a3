import type { ItemId } from '../../../../domain/item.js';
import type { LaneOf, OwnedItem } from '../../../outbox/outbox.js';
import type { ItemPlace, LanePlace } from '../lane-places.js';
import type { Written } from '../outbox-rows.js';
import type { Statement, Statements } from './sqlite-statements.js';
import type { SqliteYielding, YieldingItem } from './sqlite-yielding.js';

/** Read at once: other work goes on in between. */
const ITEMS_AT_ONCE = 2_000;

interface PlacedItem extends ItemPlace {
  readonly key: number;
  readonly yields: 0 | 1;
}

/** From one lane into another, where settings have changed. What writes runs inside a transaction. */
export class SqliteMoving {
  readonly #waiting: Statement<[number, number], LanePlace>;
  readonly #saidAgain: Statement<[], LanePlace>;
  readonly #move: Statement<[string, number, string]>;
  readonly #items: Statement<[number, number], PlacedItem>;
  readonly #leave: Statement<[string, string, ItemId, string]>;
  readonly #enter: Statement<[string, ItemId, string]>;
  readonly #findYielding: Statement<[string, ItemId, string], YieldingItem>;
  readonly #giveUp: Statement<[string, ItemId, string], YieldingItem & { readonly vendor: string }>;
  readonly #yielding: SqliteYielding;

  constructor(database: Statements, yielding: SqliteYielding) {
    this.#yielding = yielding;
    this.#waiting = database.prepare(
      `SELECT seq, vendor, lane FROM edit INDEXED BY edit_received
       WHERE state = 'received' AND open_attempt IS NULL AND seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#saidAgain = database.prepare(
      `SELECT e.seq, e.vendor, e.lane FROM item CROSS JOIN edit AS e ON e.item = item.key
       WHERE item.again_at IS NOT NULL AND e.state = 'delivered' AND e.due_at IS NOT NULL`,
    );
    // Out of the line: it gets its turn in the other one when that is leased. It goes where its item is, and only where that
    // yields to no other: one that came, or came back from the portal, after the items were moved stays, and is sorted out
    // when its old lane is leased.
    this.#move = database.prepare(
      `UPDATE edit SET lane = ?, turn = NULL
       WHERE seq = ? AND open_attempt IS NULL AND (state = 'received' OR due_at IS NOT NULL)
         AND EXISTS (SELECT 1 FROM item WHERE item.key = edit.item AND item.lane = ? AND item.yields = 0)`,
    );
    this.#items = database.prepare(
      'SELECT key, vendor, id, lane, yields, since FROM item WHERE key > ? ORDER BY key LIMIT ?',
    );
    this.#leave = database.prepare('UPDATE item SET lane = ?, yields = 1 WHERE vendor = ? AND id = ? AND lane <> ?');
    // Not where another has it: one of a lane and id does not yield.
    this.#enter = database.prepare('UPDATE OR IGNORE item SET yields = 0 WHERE vendor = ? AND id = ? AND lane = ?');
    this.#findYielding = database.prepare(
      'SELECT key, plain FROM item WHERE vendor = ? AND id = ? AND lane = ? AND yields = 1',
    );
    this.#giveUp = database.prepare(
      `UPDATE item SET yields = 1 WHERE lane = ? AND id = ? AND yields = 0 AND vendor <> ? RETURNING key, plain, vendor`,
    );
  }

  /** Reads them all, a portion at a time. */
  async strayItems(laneOf: LaneOf, read: <T>(work: () => T) => Promise<T>): Promise<ItemPlace[]> {
    const strays: ItemPlace[] = [];
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const found = await read(() => this.#items.all(from, ITEMS_AT_ONCE));
      for (const { vendor, id, lane, since, yields } of found) {
        const wanted = laneOf(vendor);
        if (wanted !== lane || yields === 1) strays.push({ vendor, id, lane: wanted, since });
      }
      after = found.at(-1)?.key;
    }
    return strays;
  }

  leave(items: readonly ItemPlace[]): void {
    for (const { vendor, id, lane } of items) this.#leave.run(lane, vendor, id, lane);
  }

  enter(items: readonly ItemPlace[], now: number): Written<void> {
    const changed = new Set<string>();
    for (const { vendor, id, lane } of items) {
      this.#enter.run(vendor, id, lane);
      const item = this.#findYielding.get(vendor, id, lane);
      if (item !== undefined && this.#yielding.refuseAll(item, now)) changed.add(vendor);
    }
    return { answer: undefined, changed };
  }

  give(lane: string, items: readonly OwnedItem[], now: number): Written<void> {
    const changed = new Set<string>();
    for (const { id, vendor, from = vendor } of items) {
      const holder = this.#giveUp.get(lane, id, vendor);
      if (holder !== undefined && this.#yielding.refuseAll(holder, now)) changed.add(holder.vendor);
      const other = from === vendor ? undefined : this.#findYielding.get(from, id, lane);
      if (other !== undefined && this.#yielding.refuseAll(other, now)) changed.add(from);
    }
    return { answer: undefined, changed };
  }

  waiting(after: number, most: number): LanePlace[] {
    return this.#waiting.all(after, most);
  }

  saidAgain(): LanePlace[] {
    return this.#saidAgain.all();
  }

  move(places: readonly LanePlace[]): void {
    for (const { seq, lane } of places) this.#move.run(lane, seq, lane);
  }
}
