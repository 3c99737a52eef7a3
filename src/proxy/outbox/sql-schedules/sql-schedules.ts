import type { Schedule, ScheduleRequest, ScheduleState } from '../../../contract/schedules.js';
import { toTimestamp, type ItemId } from '../../../domain/item.js';
import { nextStamp } from '../acceptance-rules.js';
import { nextOccurrence } from '../occurrences.js';
import type { DueSchedule, PutResult, PutSchedule, ScheduleCommand, Schedules } from '../schedules.js';
import { append, findForeign, findItems, INTERACTIVE_EDITS } from '../sql/accept.js';
import { storable, type Database, type Queries, type Transaction } from '../sql/tables/database.js';
import { findUnlisted } from '../sql/ownership.js';
import { Vendors } from '../sql/tables/vendors.js';

interface ScheduleRow {
  readonly vendor: string;
  readonly id: string;
  readonly subject: string;
  readonly name: string | null;
  /** The request as JSON. */
  readonly definition: string;
  readonly state: ScheduleState;
  readonly next_at: number | null;
  /** While it waits: when the closing that is next ends. */
  readonly ends_at: number | null;
  readonly created_at: number;
  readonly ended_at: number | null;
}

/** What a step leaves. */
type Progress = Pick<ScheduleRow, 'state' | 'next_at' | 'ends_at' | 'ended_at'>;

const COLUMNS = 'vendor, id, subject, name, definition, state, next_at, ends_at, created_at, ended_at';

/** The schedules of the outbox, in its tables: `schedules.ts` has the promises. */
export function createSqlSchedules(database: Database): Schedules {
  return {
    put(command: PutSchedule): Promise<PutResult> {
      const { vendor, subject, name } = command;
      const stored = {
        ...command,
        vendor: storable(vendor),
        subject: storable(subject),
        name: storable(name),
        lane: storable(command.lane),
      };
      return database.transaction((transaction) => put(transaction, stored), {
        edits: command.request.items.length,
        vendor: stored.vendor,
        into: [stored.lane],
      });
    },

    async get(vendor: string, id: string): Promise<Schedule | undefined> {
      const row = await findRow(database, storable(vendor), id);
      return row && toSchedule(database, row);
    },

    async list(vendor, { after = '', limit }): Promise<Schedule[]> {
      const rows = await database.query<ScheduleRow>(
        `SELECT ${COLUMNS} FROM schedule WHERE vendor = $1 AND id > $2 ORDER BY id LIMIT $3`,
        storable(vendor),
        after,
        limit,
      );
      return Promise.all(rows.map((row) => toSchedule(database, row)));
    },

    remove(vendor: string, id: string): Promise<boolean> {
      const name = storable(vendor);
      return database.transaction(
        async (transaction) => {
          const row = await findRow(transaction, name, id);
          if (row === undefined) return false;
          await showAgain(transaction, row);
          await transaction.query('DELETE FROM schedule WHERE vendor = $1 AND id = $2', name, id);
          return true;
        },
        { vendor: name },
      );
    },

    async nextAt(): Promise<number | undefined> {
      const [row] = await database.query<{ next_at: number }>(
        'SELECT next_at FROM schedule WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1',
      );
      return row?.next_at;
    },

    due(now: number, limit: number): Promise<readonly DueSchedule[]> {
      return database.query<DueSchedule>(
        'SELECT vendor, id FROM schedule WHERE next_at IS NOT NULL AND next_at <= $1 ORDER BY next_at LIMIT $2',
        Math.floor(now),
        limit,
      );
    },

    run({ vendor, id }: DueSchedule, command: ScheduleCommand): Promise<number | undefined> {
      const lane = storable(command.lane);
      return database.transaction(
        async (transaction) => {
          const row = await findRow(transaction, vendor, id);
          // Another proxy was first, or a person.
          if (row === undefined || row.next_at === null || row.next_at > command.now) return undefined;
          return run(transaction, row, { ...command, lane });
        },
        { vendor, into: [lane] },
      );
    },

    prune(before: number): Promise<number> {
      return database.transaction(
        async (transaction) =>
          (await transaction.query('DELETE FROM schedule WHERE ended_at < $1 RETURNING id', before)).length,
        { rowsOnly: true },
      );
    },
  };
}

async function put(transaction: Transaction, command: PutSchedule): Promise<PutResult> {
  const { vendor, subject, name, id, request, now } = command;
  const before = await findRow(transaction, vendor, id);
  const definition = JSON.stringify(inFieldOrder(request));
  if (before?.definition === definition)
    return { kind: 'stored', isNew: false, schedule: await toSchedule(transaction, before) };
  const own = new Set(await ownItems(transaction, vendor, request.items, command));
  const indices = request.items.flatMap((item, at) => (own.has(item) ? [] : [at]));
  if (indices.length > 0) return { kind: 'item_unknown', indices };
  const next = nextOccurrence(request, now);
  if (next === undefined) return { kind: 'past' };
  const beginsAtOnce = request.from === undefined && request.repeat === undefined;
  const row: ScheduleRow = {
    vendor,
    id,
    subject,
    name: name ?? null,
    definition,
    created_at: before?.created_at ?? now,
    ...(beginsAtOnce ? closedUntil(next.end, now) : waitingFor(next)),
  };
  // What it names no more stays unavailable, as an edit of this person: else it would seem to be back at the time of the others.
  const dropped = before === undefined ? [] : [...(await findHeld(transaction, before)).keys()];
  const left = dropped.filter((item) => !request.items.includes(item));
  await setItems(transaction, row, command, left, false, null);
  await write(transaction, row);
  // What it closed before, and keeps closed, opens at another time now.
  const held = await findHeld(transaction, row);
  await showAgain(transaction, row);
  if (beginsAtOnce) {
    const wanted = request.items.filter((item) => !held.has(item));
    await setItems(transaction, row, command, wanted, false);
  }
  transaction.changed.add(vendor);
  return { kind: 'stored', isNew: before === undefined, schedule: await toSchedule(transaction, row) };
}

/** @returns how many items changed */
async function run(transaction: Transaction, row: ScheduleRow, command: ScheduleCommand): Promise<number> {
  const { now } = command;
  const { items, ...definition } = requestOf(row);
  let changed = 0;
  let progress: Progress = row;
  if (row.state === 'closed') {
    const held = await findHeld(transaction, row);
    const wanted = items.filter((item) => held.has(item));
    changed += await setItems(transaction, row, command, wanted, true);
    progress = after(definition, now);
  } else if (row.ends_at !== null && row.ends_at <= now) progress = after(definition, now);
  // The next closing may begin with the end of the last one, and be due as well.
  if (progress.state === 'waiting' && progress.next_at !== null && progress.next_at <= now) {
    const known = await findItems(transaction, row.vendor, items);
    const open = items.filter((item) => known.get(item)?.available !== 0);
    changed += await setItems(transaction, row, command, open, false);
    progress = closedUntil(progress.ends_at ?? undefined, now);
  }
  await write(transaction, { ...row, ...progress });
  transaction.changed.add(row.vendor);
  return changed;
}

/** What comes after a closing that has ended, or was missed. */
function after(definition: Omit<ScheduleRequest, 'items'>, now: number): Progress {
  const next = definition.repeat === undefined ? undefined : nextOccurrence(definition, now);
  return next === undefined ? ended(now) : waitingFor(next);
}

function waitingFor({ begin, end }: { readonly begin: number; readonly end: number | undefined }): Progress {
  return { state: 'waiting', next_at: begin, ends_at: end ?? null, ended_at: null };
}

function closedUntil(end: number | undefined, now: number): Progress {
  return end === undefined ? ended(now) : { state: 'closed', next_at: end, ends_at: null, ended_at: null };
}

function ended(now: number): Progress {
  return { state: 'done', next_at: null, ends_at: null, ended_at: now };
}

/** Makes an edit for each of the items. @returns how many; an item that is another vendor's by now gets none */
async function setItems(
  transaction: Transaction,
  { vendor, id, subject, name }: ScheduleRow,
  command: ScheduleCommand,
  wanted: readonly ItemId[],
  available: boolean,
  schedule: string | null = id,
): Promise<number> {
  const { lane, now, portalOffset, stampUnit, newId } = command;
  const own = await ownItems(transaction, vendor, wanted, command);
  const items = await findItems(transaction, vendor, own);
  await append(
    transaction,
    { vendor, lane, subject, name, bulk: own.length > INTERACTIVE_EDITS ? 1 : 0, now, schedule },
    items,
    own.map((item_id) => {
      const item = items.get(item_id);
      return {
        edit_id: newId(),
        item_id,
        label: null,
        available: available ? 1 : 0,
        previous_value: item?.available ?? null,
        clicked_at: toTimestamp(now),
        base: item === undefined || item.stamp === null ? null : toTimestamp(item.stamp),
        stamp: nextStamp(now + portalOffset, item?.last_stamp, stampUnit),
        retry_of: null,
        state: 'received',
        reason: null,
      };
    }),
  );
  return own.length;
}

async function ownItems(
  transaction: Transaction,
  vendor: string,
  items: readonly ItemId[],
  { lane, isAnothers, lists }: ScheduleCommand,
): Promise<ItemId[]> {
  const foreign = await findForeign(transaction, vendor, lane, items);
  const unlisted = lists && (await findUnlisted(transaction, vendor, items, lists));
  return items.filter((item) => !foreign.has(item) && !isAnothers(item) && unlisted?.has(item) !== true);
}

/** The items whose newest edit is the one by which this schedule made them unavailable. */
async function findHeld(queries: Queries, row: ScheduleRow): Promise<ReadonlyMap<ItemId, number>> {
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

/** Pages that ask what changed since hear of the items that a schedule keeps closed: it is about to be another one, or none. */
async function showAgain(transaction: Transaction, row: ScheduleRow): Promise<void> {
  const keys = [...(await findHeld(transaction, row)).values()];
  if (keys.length === 0) return;
  const vendors = await Vendors.of(transaction, [row.vendor]);
  const revisions = keys.map((key) => ({ key, revision: vendors.nextRevision(row.vendor) }));
  for (const { key, revision } of revisions)
    await transaction.query('UPDATE item SET revision = $2 WHERE key = $1', key, revision);
  await vendors.write();
  transaction.changed.add(row.vendor);
}

async function write(transaction: Transaction, row: ScheduleRow): Promise<void> {
  await transaction.query(
    `INSERT INTO schedule (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
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

async function findRow(queries: Queries, vendor: string, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await queries.query<ScheduleRow>(
    `SELECT ${COLUMNS} FROM schedule WHERE vendor = $1 AND id = $2`,
    vendor,
    id,
  );
  return row;
}

async function toSchedule(queries: Queries, row: ScheduleRow): Promise<Schedule> {
  const { items, ...definition } = requestOf(row);
  const held = await findHeld(queries, row);
  const stateOf = (id: ItemId): Schedule['items'][number]['state'] => {
    if (row.state !== 'closed') return row.state;
    return held.has(id) ? 'closed' : 'changed';
  };
  return {
    id: row.id,
    items: items.map((id) => ({ id, state: stateOf(id) })),
    ...definition,
    state: row.state,
    ...(row.next_at !== null && { next_at: toTimestamp(row.next_at) }),
    subject: row.subject,
    ...(row.name !== null && { name: row.name }),
    created_at: toTimestamp(row.created_at),
  };
}

function requestOf({ definition }: ScheduleRow): ScheduleRequest {
  return JSON.parse(definition) as ScheduleRequest;
}

/** So that the same schedule is the same text. */
function inFieldOrder({ items, from, until, repeat, time_zone }: ScheduleRequest): ScheduleRequest {
  return {
    items,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(repeat !== undefined && { repeat: { days: repeat.days, from: repeat.from, until: repeat.until } }),
    time_zone,
  };
}
