import type { EditId } from '../../../domain/edit.js';
import type { Receipt } from '../../../contract/widget.js';
import type { Viewer, ListPage, OutboxCount, RevisedItem, WaitingEdit } from '../outbox.js';
import type { Queries } from './tables/database.js';
import {
  EDIT_COLUMNS,
  listedOf,
  receiptOf,
  waitingOf,
  withConflictValues,
  type ConflictRow,
  type ConflictValues,
  type EditRow,
  type Flag,
  type ListedRow,
  type WithdrawnRow,
} from './tables/rows.js';

/**
 * An estimate of the disk space of a waiting edit, so that the high-water mark can limit bytes as well as edits: names,
 * ids and labels may take some kilobytes. The numbers of an edit and its index entries take about 300 bytes; each byte
 * of its texts is in its row and, for most of them, in an index.
 */
const BYTES_OF_AN_EDIT = `300 + 2 * (${[
  ...['e.vendor', 'e.subject', 'e.name', 'e.edit_id', 'e.lane', 'e.clicked_at', 'e.base', 'e.retry_of'],
  ...['e.change_set', 'e.reason'],
  ...['item.id', 'item.label'],
]
  .map((text) => `coalesce(octet_length(${text}), 0)`)
  .join(' + ')})`;

/**
 * The number of waiting edits whose size is read, evenly spread over all. A sum over all would take longer the more
 * there are.
 */
const SAMPLED = 100;

/** The items that people see. Each query scans one index and stops when the page is full. */
export async function list(queries: Queries, { vendor, subject }: Viewer, page: ListPage): Promise<RevisedItem[]> {
  const rows =
    page.since === undefined
      ? await listByIds(queries, vendor, page)
      : await queries.query<ListedRow | WithdrawnRow>(
          `SELECT ${LISTED} FROM item LEFT JOIN ${VISIBLE} WHERE item.vendor = $1 AND item.revision > $2 ORDER BY item.revision LIMIT $3`,
          vendor,
          page.since,
          page.limit,
        );
  const edits = rows.flatMap((row) => (row.state === null ? [] : [row]));
  const values = await conflictValues(queries, edits);
  const onPortal = await portalValues(queries, edits);
  return rows.map((row) =>
    row.state === null
      ? listedOf(row, subject)
      : withPortalValue(
          withConflictValues(listedOf(row, subject), values.get(row.seq), subject),
          onPortal.get(row.seq),
        ),
  );
}

/** For a query of `edit AS e`: when the schedule that made the item unavailable makes it available again. */
const BACK_AT = `CASE WHEN e.schedule IS NOT NULL AND e.available = 0 THEN (
  SELECT next_at FROM schedule WHERE schedule.vendor = e.vendor AND schedule.id = e.schedule AND schedule.state = 'closed')
  END AS back_at`;

/** For a query of `edit AS e` and `item`: since when the portal has another value than this edit has delivered. */
export const DRIFT_STAMP = `CASE WHEN e.state = 'delivered' AND item.drift_at > e.answered_at THEN item.drift_stamp END`;

const LISTED = `${EDIT_COLUMNS}, item.revision, ${BACK_AT}, ${DRIFT_STAMP} AS drift_stamp`;
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

/**
 * @param isNew the receipts answer the batch itself: the page knows the portal's previous values and expects an early
 *   response
 */
export async function receipts(
  queries: Queries,
  { vendor, subject }: Viewer,
  ids: readonly EditId[],
  isNew = false,
): Promise<Receipt[]> {
  const rows = await findEdits(queries, vendor, ids);
  const edits = [...rows.values()];
  const values = await conflictValues(queries, edits);
  const onPortal = await portalValues(queries, isNew ? edits.filter(({ state }) => state !== 'received') : edits);
  return ids
    .flatMap((id) => rows.get(id) ?? [])
    .map((row) =>
      withPortalValue(withConflictValues(receiptOf(row, subject), values.get(row.seq), subject), onPortal.get(row.seq)),
    );
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

/** The values that edits are in conflict with, by `seq`. Without conflicts it runs no query. */
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

/**
 * The portal's present value of items with an open edit, by `seq` of that edit; without open edits it runs no query. It is
 * the value of the newest delivered edit, or the value that the portal's list has shown since. It is unknown if a call may
 * have changed it that is open, that has ended without a clear outcome, or that the portal has not processed yet.
 */
async function portalValues(
  queries: Queries,
  rows: readonly Pick<EditRow, 'seq' | 'item' | 'state'>[],
): Promise<Map<number, boolean>> {
  const open = rows.filter(({ state }) => state === 'received' || state === 'refused' || state === 'conflict');
  if (open.length === 0) return new Map();
  const found = await queries.query<{ readonly seq: number; readonly available: Flag }>(
    `SELECT wanted.seq,
       CASE WHEN item.drift_at > delivered.answered_at THEN 1 - delivered.available ELSE delivered.available END AS available
     FROM ${queries.dialect.rows(1, 'wanted', { seq: 'integer', item: 'integer' })}
       CROSS JOIN item CROSS JOIN edit AS delivered
     WHERE item.key = wanted.item AND item.uncertain_from IS NULL
       AND delivered.item = item.key AND delivered.stamp = (
         SELECT other.stamp FROM edit AS other WHERE other.item = item.key AND other.state = 'delivered'
         ORDER BY other.stamp DESC LIMIT 1)
       AND NOT EXISTS (SELECT 1 FROM edit AS tried WHERE tried.item = item.key AND tried.state = 'received'
         AND (tried.open_attempt IS NOT NULL OR tried.confirm_at IS NOT NULL))`,
    JSON.stringify(open.map(({ seq, item }) => ({ seq, item }))),
  );
  return new Map(found.map(({ seq, available }) => [seq, Boolean(available)]));
}

function withPortalValue<T extends object>(row: T, value: boolean | undefined): T {
  return value === undefined ? row : { ...row, portal_available: value };
}

const WANTED_SIDES = { seq: 'integer', item: 'integer', base: 'integer' } as const;

export async function revision(queries: Queries, vendor: string): Promise<number> {
  const [row] = await queries.query<{ last: number }>(
    'SELECT last_revision AS last FROM vendor WHERE name = $1',
    vendor,
  );
  return row?.last ?? 0;
}

export async function waiting(queries: Queries, after: number, limit: number): Promise<WaitingEdit[]> {
  // Two ordered index scans are merged, because one scan over both states would visit every settled edit.
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
