import type { ScheduleRequest } from '../../../contract/schedules.js';
import { toTimestamp, type ItemId } from '../../../domain/item.js';
import { nextTimestamp } from '../acceptance-rules.js';
import { MAX_FEEDS, READ_EVERY_MS } from '../calendar-feeds.js';
import { nextOccurrence, type Occurrence } from '../schedules/occurrences.js';
import type { PutResult, PutSchedule, ScheduleCommand } from '../schedules.js';
import { append, findItems, INTERACTIVE_EDITS } from '../sql/accept.js';
import type { Transaction } from '../sql/tables/database.js';
import { findOwn } from '../sql/ownership.js';
import {
  findFeed,
  findHeld,
  findRow,
  nextBusyTime,
  parsedFeed,
  removeFeed,
  requestOf,
  reviseHeld,
  toDefinition,
  toSchedule,
  writeFeed,
  writeRow,
  type FeedRow,
  type ScheduleRow,
} from './schedule-rows.js';

/** The state of a schedule after a step. */
type Progress = Pick<ScheduleRow, 'state' | 'next_at' | 'ends_at' | 'ended_at'>;

/** Creates or replaces a schedule. */
export async function putSchedule(transaction: Transaction, command: PutSchedule): Promise<PutResult> {
  const { vendor, subject, name, id, request, reading, now } = command;
  const before = await findRow(transaction, vendor, id);
  const definition = toDefinition(request);
  if (before?.definition === definition)
    return { kind: 'stored', isNew: false, schedule: await toSchedule(transaction, before) };
  const own = new Set(await findOwn(transaction, vendor, request.items, command));
  const indices = request.items.flatMap((item, at) => (own.has(item) ? [] : [at]));
  if (indices.length > 0) return { kind: 'item_unknown', indices };
  const feed = reading && parsedFeed(reading, now, { fetch_at: now + READ_EVERY_MS, done_until: 0 });
  if (feed !== undefined && (await hasOtherFeeds(transaction, command, MAX_FEEDS))) return { kind: 'too_many_feeds' };
  const next = feed === undefined ? nextOccurrence(request, now) : nextBusyTime(feed, now);
  if (next === undefined && feed === undefined) return { kind: 'past' };
  const beginsAtOnce = feed === undefined && request.from === undefined && request.repeat === undefined;
  const row: ScheduleRow = {
    vendor,
    id,
    subject,
    name: name ?? null,
    definition,
    created_at: before?.created_at ?? now,
    ...(beginsAtOnce ? closedUntil(next?.end, now) : waitingFor(next)),
  };
  // An item that the schedule no longer names stays unavailable, by a new edit of this person. As an edit of the schedule
  // it would be shown with the end of the closing.
  const dropped = before === undefined ? [] : [...(await findHeld(transaction, before)).keys()];
  const left = dropped.filter((item) => !request.items.includes(item));
  await setItems(transaction, row, command, left, false, null);
  await writeRow(transaction, row);
  if (feed === undefined) await removeFeed(transaction, row);
  else await writeFeed(transaction, row, feed);
  // Items that stay unavailable have a new end now, so pages have to see a new revision.
  const held = await findHeld(transaction, row);
  await reviseHeld(transaction, row);
  if (beginsAtOnce) {
    const wanted = request.items.filter((item) => !held.has(item));
    await setItems(transaction, row, command, wanted, false);
  }
  transaction.changed.add(vendor);
  return { kind: 'stored', isNew: before === undefined, schedule: await toSchedule(transaction, row) };
}

async function hasOtherFeeds(transaction: Transaction, { vendor, id }: PutSchedule, count: number): Promise<boolean> {
  const rows = await transaction.query(
    'SELECT 1 FROM calendar_feed WHERE vendor = $1 AND schedule <> $2 LIMIT $3',
    vendor,
    id,
    count,
  );
  return rows.length >= count;
}

/** Runs the step of a schedule that is due. @returns how many items changed */
export async function runStep(transaction: Transaction, row: ScheduleRow, command: ScheduleCommand): Promise<number> {
  const { now } = command;
  const isOver = row.state === 'closed' || (row.ends_at !== null && row.ends_at <= now);
  if (!isOver) return begin(transaction, row, row, command);
  const feed = await findFeed(transaction, row);
  if (feed === undefined) return moveOn(transaction, row, command, undefined);
  const carriedOut = { ...feed, done_until: (row.state === 'closed' ? row.next_at : row.ends_at) ?? feed.done_until };
  await writeFeed(transaction, row, carriedOut);
  return moveOn(transaction, row, command, carriedOut);
}

/**
 * Adapts a schedule to the busy times that its calendar has now.
 *
 * A busy time that overlaps the present closing is the same closing with another end. So if a person has made the item
 * available in between, a booking that became longer does not overrule them.
 *
 * @returns how many items changed
 */
export async function adaptToFeed(
  transaction: Transaction,
  row: ScheduleRow,
  feed: FeedRow,
  command: ScheduleCommand,
): Promise<number> {
  const next = nextBusyTime(feed, command.now);
  const closedTo = row.state === 'closed' ? row.next_at : null;
  if (next === undefined || closedTo === null || next.begin > Math.min(command.now, closedTo))
    return moveOn(transaction, row, command, feed);
  if (next.end === closedTo) return 0;
  const extended = { ...row, next_at: next.end };
  await writeRow(transaction, extended);
  await reviseHeld(transaction, extended);
  return 0;
}

/** Makes the items available that the schedule keeps unavailable, and advances to the next closing. */
async function moveOn(
  transaction: Transaction,
  row: ScheduleRow,
  command: ScheduleCommand,
  feed: FeedRow | undefined,
): Promise<number> {
  const { items, ...definition } = requestOf(row);
  const held = await findHeld(transaction, row);
  const wanted = items.filter((item) => held.has(item));
  const opened = await setItems(transaction, row, command, wanted, true);
  const progress = feed === undefined ? after(definition, command.now) : waitingFor(nextBusyTime(feed, command.now));
  return opened + (await begin(transaction, row, progress, command));
}

/** Begins the next closing if it is due, and stores the progress of the schedule. */
async function begin(
  transaction: Transaction,
  row: ScheduleRow,
  progress: Progress,
  command: ScheduleCommand,
): Promise<number> {
  const { now } = command;
  let changed = 0;
  let reached = progress;
  if (progress.state === 'waiting' && progress.next_at !== null && progress.next_at <= now) {
    const { items } = requestOf(row);
    const known = await findItems(transaction, row.vendor, items);
    const open = items.filter((item) => known.get(item)?.available !== 0);
    changed = await setItems(transaction, row, command, open, false);
    reached = closedUntil(progress.ends_at ?? undefined, now);
  }
  await writeRow(transaction, { ...row, ...reached });
  transaction.changed.add(row.vendor);
  return changed;
}

/** The state after a closing that has ended or was missed. */
function after(definition: Omit<ScheduleRequest, 'items'>, now: number): Progress {
  const next = definition.repeat === undefined ? undefined : nextOccurrence(definition, now);
  return next === undefined ? ended(now) : waitingFor(next);
}

/** @param next `undefined`: the calendar has no more busy times for now */
function waitingFor(next: Occurrence | undefined): Progress {
  return { state: 'waiting', next_at: next?.begin ?? null, ends_at: next?.end ?? null, ended_at: null };
}

function closedUntil(end: number | undefined, now: number): Progress {
  return end === undefined ? ended(now) : { state: 'closed', next_at: end, ends_at: null, ended_at: null };
}

function ended(now: number): Progress {
  return { state: 'done', next_at: null, ends_at: null, ended_at: now };
}

/** Makes an edit for each item, except items of another vendor. @returns the number of edits */
async function setItems(
  transaction: Transaction,
  { vendor, id, subject, name }: ScheduleRow,
  command: ScheduleCommand,
  wanted: readonly ItemId[],
  available: boolean,
  schedule: string | null = id,
): Promise<number> {
  const { lane, now, portalOffset, timestampUnit, newId } = command;
  const own = await findOwn(transaction, vendor, wanted, command);
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
        stamp: nextTimestamp(now + portalOffset, item?.last_stamp, timestampUnit),
        retry_of: null,
        state: 'received',
        reason: null,
      };
    }),
  );
  return own.length;
}
