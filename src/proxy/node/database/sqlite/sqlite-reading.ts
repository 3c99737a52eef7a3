import type { HistoryEntry } from '../../../../contract/widget.js';
import type { Asker, HistoryPage, ListPage, OutboxCount, RevisedItem, WaitingEdit } from '../../../outbox/outbox.js';
import { SAMPLED } from '../../../http/waiting-bytes.js';
import {
  BYTES_OF_AN_EDIT,
  EDIT_COLUMNS,
  entryOf,
  listedOf,
  waitingOf,
  withSides,
  type EditRow,
  type ListedRow,
  type WithdrawnRow,
} from '../outbox-rows.js';
import { WORKING_LANES } from './sqlite-lanes.js';
import { prepareSides, type Statements } from './sqlite-statements.js';

type Book = Omit<OutboxCount, 'oldestWaiting'>;
type ItemEditRow = ListedRow & { readonly item: number };

/** What people ask the SQLite outbox. Each question walks along one index and stops when the page is full. */
export class SqliteReading {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Statements) {
    this.#sql = prepare(database);
  }

  list({ vendor, subject }: Asker, page: ListPage): RevisedItem[] {
    const rows =
      page.since === undefined
        ? this.#sql.list.all(vendor, page.after ?? '', page.limit)
        : this.#sql.listSince.all(vendor, page.since, page.limit);
    return rows.map((row) => {
      const item = listedOf(row, subject);
      return row.state === null ? item : withSides(item, this.#sql.sides(row), subject);
    });
  }

  history(vendor: string, { item, before = Number.MAX_SAFE_INTEGER, limit }: HistoryPage): HistoryEntry[] {
    const rows =
      item === undefined
        ? this.#sql.history.all(vendor, before, limit)
        : this.#sql.historyOfItem.all(item, vendor, before, limit);
    return rows.map(entryOf);
  }

  waiting(after: number, limit: number): WaitingEdit[] {
    return this.#sql.waiting.all(after, after, limit).map(waitingOf);
  }

  count(): OutboxCount {
    const book = this.#sql.book.get();
    if (book === undefined) throw new TypeError('the book has one row');
    return { ...book, oldestWaiting: this.#sql.oldestWaiting.get() };
  }

  waitingBytes(): number {
    const { received = 0 } = this.#sql.book.get() ?? {};
    return received * (this.#sql.meanBytes.get() ?? 0);
  }

  heldLanes(): Map<string, number> {
    return new Map(this.#sql.heldLanes.all().map(({ held, lanes }) => [held, lanes]));
  }

  revision(vendor: string): number {
    return this.#sql.revision.get(vendor) ?? 0;
  }
}

function prepare(database: Statements) {
  const listed = `SELECT ${EDIT_COLUMNS}, item.revision, e.item FROM item`;
  const shown = 'edit AS e ON e.seq = item.shown';
  const edits = `SELECT ${EDIT_COLUMNS} FROM edit AS e CROSS JOIN item ON item.key = e.item`;
  const oneWaiting = `SELECT seq FROM edit INDEXED BY edit_received WHERE state = 'received'`;
  return {
    sides: prepareSides(database),
    list: database.prepare<[string, string, number], ItemEditRow>(
      `${listed} CROSS JOIN ${shown} WHERE item.vendor = ? AND item.id > ? ORDER BY item.id LIMIT ?`,
    ),
    listSince: database.prepare<[string, number, number], ItemEditRow | WithdrawnRow>(
      `${listed} LEFT JOIN ${shown} WHERE item.vendor = ? AND item.revision > ? ORDER BY item.revision LIMIT ?`,
    ),
    history: database.prepare<[string, number, number], EditRow>(
      `${edits} WHERE e.vendor = ? AND e.number < ? ORDER BY e.number DESC LIMIT ?`,
    ),
    historyOfItem: database.prepare<[string, string, number, number], EditRow>(
      `SELECT ${EDIT_COLUMNS} FROM item CROSS JOIN edit AS e ON e.item = item.key
       WHERE item.id = ? AND item.vendor = ? AND e.number < ? ORDER BY e.stamp DESC LIMIT ?`,
    ),
    // Two ordered walks, merged: one walk over both would pass every settled edit.
    waiting: database.prepare<[number, number, number], EditRow>(
      `SELECT ${EDIT_COLUMNS} FROM (
         SELECT * FROM (SELECT seq FROM edit INDEXED BY edit_received WHERE state = 'received' AND seq > ?)
         UNION ALL
         SELECT * FROM (SELECT seq FROM edit INDEXED BY edit_parked WHERE state IN ('refused', 'conflict') AND seq > ?)
         ORDER BY seq LIMIT ?
       ) AS page CROSS JOIN edit AS e ON e.seq = page.seq CROSS JOIN item ON item.key = e.item ORDER BY e.seq`,
    ),
    book: database.prepare<[], Book>(
      'SELECT accepted, received, delivered, parked, superseded, discarded, pruned FROM book',
    ),
    oldestWaiting: database
      .prepare<[], number>(
        `SELECT accepted_at FROM edit INDEXED BY edit_received WHERE state = 'received' ORDER BY seq LIMIT 1`,
      )
      .pluck(),
    meanBytes: database
      .prepare<[], number | null>(
        `WITH RECURSIVE
           ends(first, last) AS (SELECT (${oneWaiting} ORDER BY seq LIMIT 1), (${oneWaiting} ORDER BY seq DESC LIMIT 1)),
           step(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM step WHERE n < ${String(SAMPLED - 1)}),
           sample(seq) AS (
             SELECT (${oneWaiting} AND seq >= first + (last - first + 1) * n / ${String(SAMPLED)} ORDER BY seq LIMIT 1)
             FROM ends CROSS JOIN step)
         SELECT avg(${BYTES_OF_AN_EDIT})
         FROM sample CROSS JOIN edit AS e ON e.seq = sample.seq CROSS JOIN item ON item.key = e.item`,
      )
      .pluck(),
    heldLanes: database.prepare<[], { readonly held: string; readonly lanes: number }>(
      `WITH ${WORKING_LANES} SELECT held, count(*) AS lanes FROM work JOIN lane USING (name)
       WHERE held IS NOT NULL GROUP BY held`,
    ),
    revision: database.prepare<[string], number | null>('SELECT max(revision) FROM item WHERE vendor = ?').pluck(),
  };
}
