import type { ItemId } from '../../../../domain/item.js';
import type { EditState } from '../../../../domain/edit-state.js';
import type { HistoryEntry } from '../../../../contract/widget.js';
import type { Asker, HistoryPage, ListPage, OutboxCount, RevisedItem, WaitingEdit } from '../../../outbox/outbox.js';
import { SAMPLED } from '../../../http/waiting-bytes.js';
import {
  BYTES_OF_AN_EDIT,
  EDIT_COLUMNS,
  ITS_ITEM,
  entryOf,
  listedOf,
  NEWEST_STANDING,
  SIDE_COLUMNS,
  waitingOf,
  withSides,
  type EditRow,
  type ListedRow,
  type Sides,
  type WithdrawnRow,
} from '../outbox-rows.js';
import type { Queries, Statement } from './postgres-connection.js';
import { WORK } from './postgres-lanes.js';

type Book = Omit<OutboxCount, 'oldestWaiting'> & { readonly oldest: number | null };

const listed = `SELECT ${EDIT_COLUMNS}, item.revision FROM item`;
const shown = 'edit AS e ON e.seq = item.shown';
const edits = `SELECT ${EDIT_COLUMNS} FROM edit AS e JOIN item ON ${ITS_ITEM}`;

const LIST: Statement = {
  name: 'list',
  text: `${listed} JOIN ${shown} WHERE item.vendor = $1 AND item.id > $2 ORDER BY item.id LIMIT $3`,
};
const LIST_SINCE: Statement = {
  name: 'list_since',
  text: `${listed} LEFT JOIN ${shown} WHERE item.vendor = $1 AND item.revision > $2 ORDER BY item.revision LIMIT $3`,
};
const REVISION: Statement = {
  name: 'revision',
  text: 'SELECT revision FROM item WHERE vendor = $1 ORDER BY revision DESC LIMIT 1',
};
const HISTORY: Statement = {
  name: 'history',
  text: `${edits} WHERE e.vendor = $1 AND e.number < $2 ORDER BY e.number DESC LIMIT $3`,
};
const HISTORY_OF_ITEM: Statement = {
  name: 'history_of_item',
  text: `${edits} WHERE e.vendor = $1 AND e.item_id = $4 AND e.number < $2 ORDER BY e.stamp DESC LIMIT $3`,
};
// Two ordered walks, merged: one walk over both would pass every settled edit.
const WAITING: Statement = {
  name: 'waiting',
  text: `SELECT ${EDIT_COLUMNS} FROM (
      (SELECT seq FROM edit WHERE state = 'received' AND seq > $1 ORDER BY seq LIMIT $2)
      UNION ALL
      (SELECT seq FROM edit WHERE state IN ('refused', 'conflict') AND seq > $1 ORDER BY seq LIMIT $2)
      ORDER BY seq LIMIT $2
    ) AS page JOIN edit AS e USING (seq) JOIN item ON ${ITS_ITEM} ORDER BY e.seq`,
};
const COUNT: Statement = {
  name: 'count',
  text: `SELECT accepted, received, delivered, parked, superseded, discarded, pruned,
      (SELECT accepted_at FROM edit WHERE state = 'received' ORDER BY seq LIMIT 1) AS oldest
    FROM book`,
};
const WAITING_BYTES: Statement = {
  name: 'waiting_bytes',
  text: `WITH ends AS (SELECT
      (SELECT seq FROM edit WHERE state = 'received' ORDER BY seq LIMIT 1) AS first,
      (SELECT seq FROM edit WHERE state = 'received' ORDER BY seq DESC LIMIT 1) AS last)
    SELECT ((SELECT received FROM book) * coalesce(avg(${BYTES_OF_AN_EDIT}), 0))::double precision AS bytes
    FROM ends CROSS JOIN generate_series(0, ${String(SAMPLED - 1)}) AS n
      CROSS JOIN LATERAL (SELECT * FROM edit
        WHERE state = 'received' AND seq >= first + (last - first + 1) * n / ${String(SAMPLED)} ORDER BY seq LIMIT 1) AS e
      JOIN item ON ${ITS_ITEM}`,
};
const HELD_LANES: Statement = {
  name: 'held_lanes',
  text: `${WORK} SELECT held, count(*)::integer AS lanes FROM work JOIN lane USING (name)
    WHERE held IS NOT NULL GROUP BY held`,
};

const side = (which: string): string => `(SELECT row_to_json(side) FROM (
    SELECT ${SIDE_COLUMNS} FROM edit WHERE edit.vendor = $3 AND edit.item_id = wanted.item AND ${which}) AS side)`;

const SIDES: Statement = {
  name: 'sides',
  text: `SELECT wanted.at::integer - 1 AS at, ${side('edit.stamp = wanted.base')} AS base, ${side(NEWEST_STANDING)} AS theirs
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted(item, base, at)`,
};

/**
 * Says what those that are in conflict are held against; asks nothing where none is.
 *
 * @param baseOf the stamp that the edit at this index was made upon
 */
export async function withAllSides<T extends { readonly id: ItemId; readonly state?: EditState | undefined }>(
  queries: Queries,
  told: readonly T[],
  baseOf: (index: number) => string | null | undefined,
  { vendor, subject }: Asker,
): Promise<T[]> {
  const parked = [...told.keys()].filter((index) => told[index]?.state === 'conflict');
  if (parked.length === 0) return [...told];
  const found = await queries.query<Sides & { readonly at: number }>(
    SIDES,
    parked.map((index) => told[index]?.id),
    parked.map((index) => stampOf(baseOf(index))),
    vendor,
  );
  const sides = new Map(found.map((row) => [parked[row.at], row]));
  return told.map((one, index) => withSides(one, sides.get(index), subject));
}

function baseOf(row: ListedRow | WithdrawnRow | undefined): string | null | undefined {
  return row?.state === null ? undefined : row?.base;
}

function stampOf(base: string | null | undefined): number | null {
  return typeof base === 'string' ? Date.parse(base) : null;
}

export async function list(queries: Queries, asker: Asker, page: ListPage): Promise<RevisedItem[]> {
  const { vendor, subject } = asker;
  const rows =
    page.since === undefined
      ? await queries.query<ListedRow>(LIST, vendor, page.after ?? '', page.limit)
      : await queries.query<ListedRow | WithdrawnRow>(LIST_SINCE, vendor, page.since, page.limit);
  return withAllSides(
    queries,
    rows.map((row) => listedOf(row, subject)),
    (index) => baseOf(rows[index]),
    asker,
  );
}

export async function revision(queries: Queries, vendor: string): Promise<number> {
  const [newest] = await queries.query<{ revision: number }>(REVISION, vendor);
  return newest?.revision ?? 0;
}

export async function history(queries: Queries, vendor: string, page: HistoryPage): Promise<HistoryEntry[]> {
  const { item, before = Number.MAX_SAFE_INTEGER, limit } = page;
  const rows =
    item === undefined
      ? await queries.query<EditRow>(HISTORY, vendor, before, limit)
      : await queries.query<EditRow>(HISTORY_OF_ITEM, vendor, before, limit, item);
  return rows.map(entryOf);
}

export async function waiting(queries: Queries, after: number, limit: number): Promise<WaitingEdit[]> {
  return (await queries.query<EditRow>(WAITING, after, limit)).map(waitingOf);
}

export async function count(queries: Queries): Promise<OutboxCount> {
  const [book] = await queries.query<Book>(COUNT);
  if (book === undefined) throw new TypeError('the book has one row');
  const { oldest, ...counts } = book;
  return { ...counts, ...(oldest !== null && { oldestWaiting: oldest }) };
}

export async function waitingBytes(queries: Queries): Promise<number> {
  const [found] = await queries.query<{ readonly bytes: number }>(WAITING_BYTES);
  return found?.bytes ?? 0;
}

export async function heldLanes(queries: Queries): Promise<Map<string, number>> {
  const rows = await queries.query<{ readonly held: string; readonly lanes: number }>(HELD_LANES);
  return new Map(rows.map(({ held, lanes }) => [held, lanes]));
}
