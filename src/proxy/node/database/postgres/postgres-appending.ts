import { toTimestamp, type ItemId } from '../../../../domain/item.js';
import type { Receipt } from '../../../../contract/widget.js';
import { isUntried } from '../live-row.js';
import type { Queries } from './postgres-connection.js';
import {
  WRITE_EDITS,
  type AcceptanceFacts,
  type ItemFactsRow,
  type LineRow,
  type NewEditRow,
  type NewItemRow,
  type NewKeyRow,
} from './postgres-acceptance-statements.js';

/** What the caller decides about a new edit; its numbers and its place follow. */
export type Wish = Omit<NewEditRow, 'seq' | 'number' | 'due_at' | 'turn'> & Pick<NewItemRow, 'label'>;

/** New edits on their way into the tables: everything is worked out here, and written at once. */
export class Appending {
  readonly #lanes = new Set<string>();
  readonly #turns = new Map<string, number>();
  readonly #items: NewItemRow[] = [];
  readonly #edits: NewEditRow[] = [];
  readonly #keys: NewKeyRow[] = [];
  readonly #superseded: { readonly seq: number; readonly at: number }[] = [];
  readonly #stoodBack: number[] = [];
  readonly #known: ReadonlyMap<string, ItemFactsRow>;
  readonly #last = new Map<string, { readonly number: number; readonly revision: number }>();
  #seq: number;

  constructor(facts: AcceptanceFacts) {
    this.#seq = facts.seq;
    this.#known = new Map(facts.items.map((item) => [nameOf(item), item]));
    for (const line of facts.lines) {
      this.#turns.set(lineOf(line), Math.max(line.head ?? 0, (line.last ?? -1) + 1));
    }
    for (const { vendor, number, revision } of facts.vendors) {
      this.#last.set(vendor, { number: number ?? 0, revision: revision ?? 0 });
    }
  }

  key(key: NewKeyRow): void {
    this.#keys.push(key);
  }

  /** At most one edit of an item: the facts of the item are those from before. */
  edit({ label, ...wish }: Wish): Receipt {
    const item = this.#known.get(nameOf({ vendor: wish.vendor, id: wish.item }));
    // A conflict waits for a person; it replaces nothing.
    const conflict = wish.state === 'conflict';
    const behind = item !== undefined && !conflict && this.#giveWay(item, wish.accepted_at);
    const waits = conflict || behind;
    this.#seq += 1;
    const seq = this.#seq;
    const { number, revision } = this.#next(wish.vendor);
    const plain = conflict ? (item?.plain ?? null) : seq;
    this.#lanes.add(wish.lane);
    this.#items.push({
      id: wish.item,
      vendor: wish.vendor,
      lane: wish.lane,
      since: seq,
      label,
      last_stamp: wish.stamp,
      revision,
      shown: seq,
      plain,
    });
    // Due at once, whatever the clock of acceptance says.
    this.#edits.push({ ...wish, seq, number, due_at: waits ? null : 0, turn: waits ? null : this.#turn(wish) });
    return {
      edit_id: wish.edit_id,
      id: wish.item,
      seq: number,
      state: wish.state,
      ...(wish.reason !== null && { reason: wish.reason }),
      ...(conflict && { clicked_at: wish.clicked_at }),
      updated_at: toTimestamp(wish.stamp),
    };
  }

  async write(transaction: Queries): Promise<void> {
    if (this.#edits.length === 0 && this.#keys.length === 0) return;
    await transaction.query(
      WRITE_EDITS,
      this.#seq,
      [...this.#lanes],
      this.#superseded.map(({ seq }) => seq),
      this.#superseded.map(({ at }) => at),
      this.#stoodBack,
      JSON.stringify(this.#items),
      JSON.stringify(this.#edits),
      JSON.stringify(this.#keys),
    );
  }

  /**
   * What nobody has tried yet, and what waits for a person, gives way to a newer wish.
   *
   * @returns whether something of the item is at the portal, or waits to be there again: the newer wish stands behind it
   */
  #giveWay({ live, said }: ItemFactsRow, now: number): boolean {
    let behind = said !== null && said.open_attempt !== null;
    if (said !== null) this.#stoodBack.push(said.seq);
    for (const row of live ?? []) {
      if (row.state === 'received' && !isUntried(row)) behind = true;
      else this.#superseded.push({ seq: row.seq, at: now });
    }
    return behind;
  }

  #next(vendor: string): { readonly number: number; readonly revision: number } {
    const last = this.#last.get(vendor) ?? { number: 0, revision: 0 };
    const next = { number: last.number + 1, revision: last.revision + 1 };
    this.#last.set(vendor, next);
    return next;
  }

  #turn(wish: Omit<Wish, 'label'>): number {
    const line = lineOf(wish);
    const turn = this.#turns.get(line) ?? 0;
    this.#turns.set(line, turn + 1);
    return turn;
  }
}

function nameOf({ vendor, id }: { readonly vendor: string; readonly id: ItemId }): string {
  return JSON.stringify([vendor, id]);
}

function lineOf({ lane, bulk, vendor }: Pick<LineRow, 'lane' | 'bulk' | 'vendor'>): string {
  return JSON.stringify([lane, bulk, vendor]);
}
