import { toTimestamp, type ItemId, type Timestamp } from '../../../../domain/item.js';
import type { EditId } from '../../../../domain/edit.js';
import type { Receipt } from '../../../../contract/widget.js';
import { isUntried } from '../live-row.js';
import { withSides } from '../outbox-rows.js';
import type { AcceptanceStatements, ItemRow } from './sqlite-acceptance-statements.js';
import type { SqliteLine } from './sqlite-line.js';

/** A new edit, but for its place in the line. */
export interface Wish {
  readonly seq: number;
  readonly number: number;
  readonly revision: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly edit_id: EditId;
  readonly item_id: ItemId;
  readonly label: string | null;
  readonly lane: string;
  readonly bulk: 0 | 1;
  readonly available: 0 | 1;
  readonly was: 0 | 1 | null;
  readonly clicked_at: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
  readonly accepted_at: number;
  readonly retry_of: EditId | null;
  readonly state: 'received' | 'conflict';
  readonly reason: string | null;
}

/** New edits on their way into the tables. Runs inside a transaction. */
export class SqliteAppending {
  readonly #sql: AcceptanceStatements;
  readonly #line: SqliteLine;

  constructor(sql: AcceptanceStatements, line: SqliteLine) {
    this.#sql = sql;
    this.#line = line;
  }

  /**
   * @param item whoever has this id in this lane; where nobody has, the vendor's own
   * @param turn asked for where the edit may leave now
   */
  append(item: ItemRow | undefined, turn: () => number, wish: Wish): void {
    // Nothing gets here that was not told so before; a damaged file may.
    if (item !== undefined && item.vendor !== wish.vendor) throw new Error('the item belongs to another vendor');
    // A conflict waits for a person; it replaces nothing.
    const conflict = wish.state === 'conflict';
    const behind = item !== undefined && !conflict && this.#giveWay(item, wish.accepted_at);
    const plain = conflict ? (item?.plain ?? null) : wish.seq;
    const { label, stamp, revision, seq } = wish;
    const { item_id: id, vendor, lane } = wish;
    const key =
      item?.key ?? this.#sql.insertItem.run(id, vendor, lane, seq, label, stamp, revision, seq, plain).lastInsertRowid;
    if (item !== undefined) this.#sql.updateItem.run(label, stamp, revision, seq, plain, key);
    // Settings have changed, and nothing has been moved yet; or whoever had the id in this lane is gone.
    if (item !== undefined && (item.lane !== lane || item.yields === 1)) this.#sql.enterLane.run(lane, key);
    const waits = conflict || behind;
    // By place: by name the driver looks each of them up twice.
    this.#sql.insertEdit.run(
      seq,
      wish.number,
      wish.vendor,
      wish.subject,
      wish.name,
      wish.edit_id,
      key,
      wish.lane,
      wish.bulk,
      wish.available,
      wish.was,
      wish.clicked_at,
      wish.base,
      stamp,
      wish.accepted_at,
      wish.retry_of,
      wish.state,
      wish.reason,
      // At once, whatever the clock of acceptance says.
      waits ? null : 0,
      waits ? null : turn(),
    );
  }

  /** Of an edit that was just appended. */
  receipt(item: ItemRow | undefined, wish: Wish): Receipt {
    const { edit_id, item_id: id, number: seq, state, reason, clicked_at, stamp, subject } = wish;
    const receipt: Receipt = {
      edit_id,
      id,
      seq,
      state,
      ...(reason !== null && { reason }),
      ...(state === 'conflict' && { clicked_at }),
      updated_at: toTimestamp(stamp),
    };
    return item === undefined ? receipt : withSides(receipt, this.#sql.sides({ ...wish, item: item.key }), subject);
  }

  /**
   * What nobody has tried yet, and what waits for a person, gives way to a newer wish.
   *
   * @returns whether something of the item is at the portal, or waits to be there again: the newer wish stands behind it
   */
  #giveWay(item: ItemRow, now: number): boolean {
    let behind = false;
    for (const row of this.#sql.live.all(item.key)) {
      if (row.state === 'received' && !isUntried(row)) behind = true;
      else this.#sql.supersede.run(now, row.seq);
    }
    const saidAgain = item.again_at !== null && this.#line.standBack(item.key);
    return behind || saidAgain;
  }
}

/** Asks for the first turn when it is needed, and counts on from there. */
export function turnsFrom(first: () => number): () => number {
  let next: number | undefined;
  return () => {
    const turn = next ?? first();
    next = turn + 1;
    return turn;
  };
}
