import type { FeedProblem, Schedule, ScheduleRequest, ScheduleState } from '../../../contract/schedules.js';
import { toTimestamp, type ItemId } from '../../../domain/item.js';
import type { BusyTime, FeedReading, FeedValidators } from '../calendar-feeds.js';
import type { DueSchedule } from '../schedules.js';
import type { Queries, Transaction } from '../sql/tables/database.js';
import { Vendors } from '../sql/tables/vendors.js';

export interface ScheduleRow {
  readonly vendor: string;
  readonly id: string;
  readonly subject: string;
  readonly name: string | null;
  /** The request as JSON. */
  readonly definition: string;
  readonly state: ScheduleState;
  readonly next_at: number | null;
  /** While the schedule waits: the end of its next closing. */
  readonly ends_at: number | null;
  readonly created_at: number;
  readonly ended_at: number | null;
}

export interface FeedRow {
  /** The busy times as JSON, each as `[begin, end]`. */
  readonly busy: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly read_at: number;
  /** When the calendar was last parsed; a 304 response does not change it. */
  readonly parsed_at: number;
  readonly failed_since: number | null;
  readonly problem: FeedProblem | null;
  readonly fetch_at: number;
  readonly claim: string | null;
  /** The end of the last busy time that was executed, so that a clock that is set back repeats none. */
  readonly done_until: number;
}

export const SCHEDULE_COLUMNS = 'vendor, id, subject, name, definition, state, next_at, ends_at, created_at, ended_at';
export const FEED_COLUMNS =
  'busy, etag, last_modified, read_at, parsed_at, failed_since, problem, fetch_at, claim, done_until';

export async function findRow(queries: Queries, vendor: string, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await queries.query<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedule WHERE vendor = $1 AND id = $2`,
    vendor,
    id,
  );
  return row;
}

export async function writeRow(transaction: Transaction, row: ScheduleRow): Promise<void> {
  await transaction.query(
    `INSERT INTO schedule (${SCHEDULE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (vendor, id) DO UPDATE SET subject = excluded.subject, name = excluded.name,
       definition = excluded.definition, state = excluded.state, next_at = excluded.next_at, ends_at = excluded.ends_at,
       ended_at = excluded.ended_at`,
    row.vendor,
    row.id,
    row.subject,
    row.name,
    row.definition,
    row.state,
    row.next_at,
    row.ends_at,
    row.created_at,
    row.ended_at,
  );
}

export async function findFeed(queries: Queries, { vendor, id }: DueSchedule): Promise<FeedRow | undefined> {
  const [row] = await queries.query<FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM calendar_feed WHERE vendor = $1 AND schedule = $2`,
    vendor,
    id,
  );
  return row;
}

export async function writeFeed(transaction: Transaction, { vendor, id }: DueSchedule, row: FeedRow): Promise<void> {
  await transaction.query(
    `INSERT INTO calendar_feed (vendor, schedule, ${FEED_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (vendor, schedule) DO UPDATE SET busy = excluded.busy, etag = excluded.etag,
       last_modified = excluded.last_modified, read_at = excluded.read_at, parsed_at = excluded.parsed_at,
       failed_since = excluded.failed_since, problem = excluded.problem, fetch_at = excluded.fetch_at,
       claim = excluded.claim, done_until = excluded.done_until`,
    vendor,
    id,
    row.busy,
    row.etag,
    row.last_modified,
    row.read_at,
    row.parsed_at,
    row.failed_since,
    row.problem,
    row.fetch_at,
    row.claim,
    row.done_until,
  );
}

export async function removeFeed(transaction: Transaction, { vendor, id }: DueSchedule): Promise<void> {
  await transaction.query('DELETE FROM calendar_feed WHERE vendor = $1 AND schedule = $2', vendor, id);
}

/** The row of a calendar that has just been parsed. */
export function parsedFeed(
  { busy, etag, lastModified }: Extract<FeedReading, { kind: 'read' }>,
  now: number,
  { fetch_at, done_until }: Pick<FeedRow, 'fetch_at' | 'done_until'>,
): FeedRow {
  return {
    busy: JSON.stringify(busy.map(({ begin, end }) => [begin, end])),
    etag: etag ?? null,
    last_modified: lastModified ?? null,
    read_at: now,
    parsed_at: now,
    failed_since: null,
    problem: null,
    fetch_at,
    claim: null,
    done_until,
  };
}

/** The first busy time that has not ended at that moment and was not executed to its end. */
export function nextBusyTime({ busy, done_until }: FeedRow, after: number): BusyTime | undefined {
  const ends = Math.max(after, done_until);
  const found = (JSON.parse(busy) as [number, number][]).find(([, end]) => end > ends);
  return found && { begin: found[0], end: found[1] };
}

export function validatorsOf({ etag, last_modified }: FeedRow): FeedValidators {
  return { ...(etag !== null && { etag }), ...(last_modified !== null && { lastModified: last_modified }) };
}

/** The items whose newest edit is the one by which this schedule made them unavailable, and their keys. */
export async function findHeld(queries: Queries, row: ScheduleRow): Promise<ReadonlyMap<ItemId, number>> {
  if (row.state !== 'closed') return new Map();
  const rows = await queries.query<{ id: ItemId; key: number }>(
    `SELECT item.id, item.key FROM edit CROSS JOIN item
     WHERE edit.vendor = $1 AND edit.schedule = $2 AND edit.available = 0
       AND item.key = edit.item AND item.newest_visible = edit.number`,
    row.vendor,
    row.id,
  );
  return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Gives new revisions to the items that a schedule keeps unavailable, so that pages see the schedule's change or end. */
export async function reviseHeld(transaction: Transaction, row: ScheduleRow): Promise<void> {
  const keys = [...(await findHeld(transaction, row)).values()];
  if (keys.length === 0) return;
  const vendors = await Vendors.of(transaction, [row.vendor]);
  const revisions = keys.map((key) => ({ key, revision: vendors.nextRevision(row.vendor) }));
  for (const { key, revision } of revisions)
    await transaction.query('UPDATE item SET revision = $2 WHERE key = $1', key, revision);
  await vendors.write();
  transaction.changed.add(row.vendor);
}

export function requestOf({ definition }: ScheduleRow): ScheduleRequest {
  return JSON.parse(definition) as ScheduleRequest;
}

/** @returns the request as JSON in a fixed field order, so that equal requests have equal texts */
export function toDefinition({ items, from, until, repeat, time_zone, feed }: ScheduleRequest): string {
  return JSON.stringify({
    items,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(repeat !== undefined && { repeat: { days: repeat.days, from: repeat.from, until: repeat.until } }),
    time_zone,
    ...(feed !== undefined && { feed }),
  } satisfies ScheduleRequest);
}

export async function toSchedule(queries: Queries, row: ScheduleRow): Promise<Schedule> {
  const { items, feed: url, ...definition } = requestOf(row);
  const held = await findHeld(queries, row);
  const feed = url === undefined ? undefined : await findFeed(queries, row);
  const stateOf = (id: ItemId): Schedule['items'][number]['state'] => {
    if (row.state !== 'closed') return row.state;
    return held.has(id) ? 'closed' : 'changed';
  };
  return {
    id: row.id,
    items: items.map((id) => ({ id, state: stateOf(id) })),
    ...definition,
    ...(url !== undefined && feed !== undefined && { feed: toWireFeed(url, feed) }),
    state: row.state,
    ...(row.next_at !== null && { next_at: toTimestamp(row.next_at) }),
    subject: row.subject,
    ...(row.name !== null && { name: row.name }),
    created_at: toTimestamp(row.created_at),
  };
}

function toWireFeed(url: string, { read_at, failed_since, problem }: FeedRow): NonNullable<Schedule['feed']> {
  return {
    host: new URL(url).host,
    read_at: toTimestamp(read_at),
    ...(failed_since !== null && problem !== null && { failed_since: toTimestamp(failed_since), problem }),
  };
}
