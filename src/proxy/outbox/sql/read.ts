import type { EditId } from '../../../domain/edit.js';
import type { HistoryEntry } from '../../../contract/history.js';
import type { Receipt } from '../../../contract/widget.js';
import type { Asker, HistoryPage, ListPage, OutboxCount, RevisedItem, WaitingEdit } from '../outbox.js';
import type { Queries } from './tables/database.js';
import {
  EDIT_COLUMNS,
  entryOf,
  listedOf,
  receiptOf,
  waitingOf,
  withConflictValues,
  type ConflictRow,
  type ConflictValues,
  type EditRow,
  type ListedRow,
  type WithdrawnRow,
} from './tables/rows.js';

/**
 * How much a waiting edit takes on a disk, about, so that the high-water mark can be one of bytes as well as of edits: names,
 * ids and labels are as long as a host likes, up to some kilobytes an edit. The numbers of an edit, and its places in indexes,
 * take about 300 bytes; each byte of its texts lies in its row and, of most of them, in an index.
 */
const BYTES_OF_AN_EDIT = `300 + 2 * (${[
  ...['e.vendor', 'e.subject', 'e.name', 'e.edit_id', 'e.lane', 'e.clicked_at', 'e.base', 'e.retry_of', 'e.reason'],
  ...['item.id', 'item.label'],
]
  .map((text) => `coalesce(octet_length(${text}), 0)`)
  .join(' + ')})`;

/** The waiting edits whose size is looked at, evenly spread over all: a sum over all would take longer the more there are. */
const SAMPLED = 100;

/** What people read. Each question walks along one index and stops when the page is full. */
export async function list(queries: Queries, { vendor, subject }: Asker, page: ListPage): Promise<RevisedItem[]> {
  const rows =
    page.since === undefined
      ? await listByIds(queries, vendor, page)
      : await queries.query<ListedRow | WithdrawnRow>(
          `SELECT ${LISTED} FROM item LEFT JOIN ${VISIBLE} WHERE item.vendor = $1 AND item.revision > $2 ORDER BY item.revision LIMIT $3`,
          vendor,
          page.since,
          page.limit,
        );
  const values = await conflictValues(
    queries,
    rows.flatMap((row) => (row.state === null ? [] : [row])),
  );
  return rows.map((row) =>
    row.state === null
      ? listedOf(row, subject)
      : withConflictValues(listedOf(row, subject), values.get(row.seq), subject),
  );
}

/** For a query of `edit AS e`: when the schedule that made the item unavailable opens it again. */
const BACK_AT = `CASE WHEN e.schedule IS NOT NULL AND e.available = 0 THEN (
  SELECT next_at FROM schedule WHERE schedule.vendor = e.vendor AND schedule.id = e.schedule AND schedule.state = 'closed')
  END AS back_at`;

/** For a query of `edit AS e` and `item`: since when the portal has another value than this edit has delivered. */
const DRIFT_STAMP = `CASE WHEN e.state = 'delivered' AND item.drift_at > e.answered_at THEN item.drift_stamp END AS drift_stamp`;

const LISTED = `${EDIT_COLUMNS}, item.revision, ${BACK_AT}, ${DRIFT_STAMP}`;
const VISIBLE = 'edit AS e ON e.vendor = item.vendor AND e.number = item.newest_visible';

async function listByIds(
  queries: Queries,
  vendor: string,
  { after, within, limit }: Extract<ListPage, { since?: undefined }>,
): Promise<ListedRow[]> {
  const page = 'ORDER BY item.id LIMIT $3';
  if (within?.ids !== undefined) {
    return queries.query<ListedRow>(
      `SELECT ${LISTED} FROM ${queries.dialect.rows(4, 'wanted', { id: 'text' })} CROSS JOIN item JOIN ${VISIBLE}
       WHERE item.vendor = $1 AND item.id = wanted.id AND item.id > $2 ${page}`,
      vendor,
      after ?? '',
      limit,
      JSON.stringify(within.ids.map((id) => ({ id }))),
    );
  }
  const selected = within === undefined ? '' : 'AND item.id >= $4 AND item.id <= $5';
  return queries.query<ListedRow>(
    `SELECT ${LISTED} FROM item JOIN ${VISIBLE} WHERE item.vendor = $1 AND item.id > $2 ${selected} ${page}`,
    vendor,
    after ?? '',
    limit,
    ...(within === undefined ? [] : [within.from, within.to]),
  );
}

export async function receipts(
  queries: Queries,
  { vendor, subject }: Asker,
  ids: readonly EditId[],
): Promise<Receipt[]> {
  const rows = await findEdits(queries, vendor, ids);
  const values = await conflictValues(queries, [...rows.values()]);
  return ids
    .flatMap((id) => rows.get(id) ?? [])
    .map((row) => withConflictValues(receiptOf(row, subject), values.get(row.seq), subject));
}

/** A vendor's edits of these ids, by id. */
export async function findEdits(
  queries: Queries,
  vendor: string,
  ids: readonly EditId[],
): Promise<Map<EditId, EditRow>> {
  const rows = await queries.query<EditRow>(
    `SELECT ${EDIT_COLUMNS} FROM ${queries.dialect.rows(1, 'wanted', { id: 'text' })} CROSS JOIN edit AS e CROSS JOIN item
     WHERE e.edit_id = wanted.id AND e.vendor = $2 AND item.key = e.item`,
    JSON.stringify(ids.map((id) => ({ id }))),
    vendor,
  );
  return new Map(rows.map((row) => [row.edit_id, row]));
}

/** What those that are in conflict are held against, by `seq`; asks nothing where none is. */
async function conflictValues(
  queries: Queries,
  rows: readonly Pick<EditRow, 'seq' | 'item' | 'state' | 'base'>[],
): Promise<Map<number, ConflictValues>> {
  const parked = rows.filter(({ state }) => state === 'conflict');
  if (parked.length === 0) return new Map();
  const found = await queries.query<ConflictRow & { readonly seq: number; readonly side: 'base' | 'theirs' }>(
    `SELECT wanted.seq, 'base' AS side, available, edit.stamp, subject, name FROM ${queries.dialect.rows(1, 'wanted', WANTED_SIDES)}
       CROSS JOIN edit WHERE edit.item = wanted.item AND edit.stamp = wanted.base
     UNION ALL
     SELECT wanted.seq, 'theirs', available, edit.stamp, subject, name FROM ${queries.dialect.rows(1, 'wanted', WANTED_SIDES)}
       CROSS JOIN edit WHERE edit.item = wanted.item AND edit.stamp = (
         SELECT other.stamp FROM edit AS other WHERE other.item = wanted.item AND other.state IN ('received', 'delivered')
         ORDER BY other.stamp DESC LIMIT 1)`,
    JSON.stringify(parked.map(({ seq, item, base }) => ({ seq, item, base: base === null ? null : Date.parse(base) }))),
  );
  const values = new Map<number, ConflictValues>();
  for (const { seq } of parked) {
    const side = (name: 'base' | 'theirs'): ConflictRow | undefined =>
      found.find((row) => row.seq === seq && row.side === name);
    values.set(seq, { base: side('base'), theirs: side('theirs') });
  }
  return values;
}

const WANTED_SIDES = { seq: 'integer', item: 'integer', base: 'integer' } as const;

export async function revision(queries: Queries, vendor: string): Promise<number> {
  const [row] = await queries.query<{ last: number }>(
    'SELECT last_revision AS last FROM vendor WHERE name = $1',
    vendor,
  );
  return row?.last ?? 0;
}

export async function history(queries: Queries, vendor: string, page: HistoryPage): Promise<HistoryEntry[]> {
  const { item, before = Number.MAX_SAFE_INTEGER, limit } = page;
  const rows =
    item === undefined
      ? await queries.query<EditRow>(
          `SELECT ${EDIT_COLUMNS} FROM edit AS e JOIN item ON item.key = e.item
           WHERE e.vendor = $1 AND e.number < $2 ORDER BY e.number DESC LIMIT $3`,
          vendor,
          before,
          limit,
        )
      : await queries.query<EditRow>(
          `SELECT ${EDIT_COLUMNS} FROM item CROSS JOIN edit AS e
           WHERE item.vendor = $1 AND item.id = $4 AND e.item = item.key AND e.number < $2 ORDER BY e.stamp DESC LIMIT $3`,
          vendor,
          before,
          limit,
          item,
        );
  return rows.map(entryOf);
}

export async function waiting(queries: Queries, after: number, limit: number): Promise<WaitingEdit[]> {
  // Two ordered walks, merged: one walk over both would pass every settled edit.
  const page = (states: string): string =>
    `SELECT seq FROM (SELECT seq FROM edit WHERE state ${states} AND seq > $1 ORDER BY seq LIMIT $2) AS part`;
  const rows = await queries.query<EditRow>(
    `SELECT ${EDIT_COLUMNS} FROM (
       SELECT seq FROM (${page(`= 'received'`)} UNION ALL ${page(`IN ('refused', 'conflict')`)}) AS merged ORDER BY seq LIMIT $2
     ) AS page CROSS JOIN edit AS e CROSS JOIN item WHERE e.seq = page.seq AND item.key = e.item ORDER BY e.seq`,
    after,
    limit,
  );
  return rows.map(waitingOf);
}

type CountRow = Omit<OutboxCount, 'oldestWaiting'> & { readonly oldest: number | null };

export async function count(queries: Queries): Promise<OutboxCount> {
  const states = ['received', 'delivered', 'parked', 'superseded', 'discarded', 'pruned'];
  const sum = (column: string, name = column): string => `CAST(coalesce(sum(${column}), 0) AS bigint) AS ${name}`;
  const [row] = await queries.query<CountRow>(
    `SELECT ${sum('last_number', 'accepted')}, ${states.map((state) => sum(state)).join(', ')},
       (SELECT accepted_at FROM edit WHERE state = 'received' AND confirm_at IS NULL ORDER BY seq LIMIT 1) AS oldest
     FROM vendor`,
  );
  if (row === undefined) throw new TypeError('a sum has one row');
  const { oldest, ...counts } = row;
  return { ...counts, ...(oldest !== null && { oldestWaiting: oldest }) };
}

export async function waitingBytes(queries: Queries): Promise<number> {
  const { received } = await count(queries);
  if (received === 0) return 0;
  const [ends] = await queries.query<{ first: number | null; last: number | null }>(
    `SELECT (SELECT seq FROM edit WHERE state = 'received' ORDER BY seq LIMIT 1) AS first,
       (SELECT seq FROM edit WHERE state = 'received' ORDER BY seq DESC LIMIT 1) AS last`,
  );
  const { first = null, last = null } = ends ?? {};
  if (first === null || last === null) return 0;
  const step = (last - first + 1) / SAMPLED;
  const from = Array.from({ length: SAMPLED }, (_, n) => ({ seq: Math.floor(first + n * step) }));
  const [mean] = await queries.query<{ bytes: number | null }>(
    `SELECT CAST(avg(${BYTES_OF_AN_EDIT}) AS double precision) AS bytes
     FROM ${queries.dialect.rows(1, 'sample', { seq: 'integer' })} CROSS JOIN edit AS e CROSS JOIN item
     WHERE e.seq = (SELECT edit.seq FROM edit WHERE state = 'received' AND edit.seq >= sample.seq ORDER BY edit.seq LIMIT 1)
       AND item.key = e.item`,
    JSON.stringify(from),
  );
  return received * (mean?.bytes ?? 0);
}

export async function heldLanes(queries: Queries): Promise<Map<string, number>> {
  const rows = await queries.query<{ held: string; lanes: number }>(
    'SELECT held, count(*) AS lanes FROM lane WHERE held IS NOT NULL AND claimable_at IS NOT NULL GROUP BY held',
  );
  return new Map(rows.map(({ held, lanes }) => [held, lanes]));
}
