import type { z } from 'zod/mini';
import { scheduleRequest, type Schedule, type ScheduleRequest, type schedules } from '../../contract/schedules.js';
import { fieldErrors, MAX_FIELD_ERRORS } from '../../contract/validation-errors.js';
import { isEditId } from '../../domain/edit.js';
import { canAccessItem, hasPermission, isOwnedByOther } from '../access/permissions.js';
import type { ProxySession } from '../access/session.js';
import { listOwnership } from '../http/list-ownership.js';
import { ApiError, jsonResponse, permissionMissing } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';
import type { PutSchedule } from '../outbox/schedules.js';
import { isTimeZone, momentOf } from '../outbox/schedules/occurrences.js';
import { findFeedAddressFault } from '../runtime/address-rules.js';
import { declaredLength } from '../runtime/read-body.js';
import { newEditId } from '../outbox/commands.js';
import { parseJson, readBody } from './accept-edits.js';

const PAGE = 100;
/** Cost of one calendar in the rate limit for edits: it allows 30 calendars a minute for one person. */
const FEED_COST = 20;

/** `GET /v1/schedules?cursor=`: the vendor's schedules ordered by id, with the state of each item. */
export async function listSchedules(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  const query = new URL(request.url).searchParams;
  const after = query.get('cursor') ?? undefined;
  if ([...query.keys()].some((key) => key !== 'cursor') || (after !== undefined && !isEditId(after)))
    throw new ApiError('invalid_query');
  const rows = await context.outbox.schedules.list(session.vendor, { after, limit: PAGE });
  const next = rows.length === PAGE ? rows.at(-1)?.id : undefined;
  const body: z.infer<typeof schedules> = {
    schedules: rows.flatMap((row) => inSession(row, session) ?? []),
    ...(next !== undefined && { next }),
  };
  return jsonResponse(body);
}

/** `GET /v1/schedules/{id}`. */
export async function readSchedule(
  _request: Request,
  session: ProxySession,
  context: RouteContext,
  id: string,
): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  return jsonResponse(await findSchedule(session, context, id));
}

/**
 * `PUT /v1/schedules/{id}`: creates or replaces a schedule. If it begins at once, its items are made unavailable by edits
 * of the person before the response is sent.
 */
export async function putSchedule(
  request: Request,
  session: ProxySession,
  context: RouteContext,
  id: string,
): Promise<Response> {
  if (!hasPermission(session, 'schedule')) throw permissionMissing('schedule');
  if (!isEditId(id)) throw new ApiError('schedule_unknown');
  if (!(await context.acceptsMore())) throw new ApiError('overloaded');
  const wanted = await readRequest(request, session, context);
  await context.whenItemsAreAssigned();
  const hasOtherOwner = isOwnedByOther(session.vendor, context);
  throwItemsUnknown(
    wanted.items.flatMap((item, at) => (canAccessItem(session, item) && !hasOtherOwner(item) ? [] : [at])),
  );
  // A session that is confined to some items neither sees nor replaces a schedule with other items.
  const before = await context.outbox.schedules.get(session.vendor, id);
  if (before !== undefined && !before.items.every((item) => canAccessItem(session, item.id)))
    throw new ApiError('schedule_unknown');
  const { feed } = wanted;
  context.rateLimits.consumeEdits(session, feed === undefined ? wanted.items.length : FEED_COST);
  const reading = feed === undefined ? undefined : await readFeed(session, context, feed, wanted.time_zone);
  const lane = context.laneOf(session.vendor);
  const result = await context.outbox.schedules.put({
    vendor: session.vendor,
    subject: session.subject,
    name: session.name,
    id,
    request: wanted,
    reading,
    lane,
    now: context.clock.wall(),
    ...(await context.timestampSettings()),
    newId: newEditId,
    hasOtherOwner,
    lists: listOwnership(session.vendor, context),
  });
  switch (result.kind) {
    case 'past':
      throw new ApiError('invalid_body', [{ pointer: '/until', message: 'expected a time that is still to come' }]);
    case 'item_unknown':
      throw refusedItems(result.indices);
    case 'too_many_feeds':
      throw new ApiError('too_many_feeds');
    case 'stored':
      context.wake(lane);
      context.wakeSchedules();
      return jsonResponse(result.schedule, result.isNew ? 201 : 200);
  }
}

/** `DELETE /v1/schedules/{id}`: items that the schedule has made unavailable stay unavailable. */
export async function removeSchedule(
  _request: Request,
  session: ProxySession,
  context: RouteContext,
  id: string,
): Promise<Response> {
  if (!hasPermission(session, 'schedule')) throw permissionMissing('schedule');
  const found = await findSchedule(session, context, id);
  const stored = await context.outbox.schedules.get(session.vendor, id);
  if (stored?.items.length !== found.items.length) throw new ApiError('schedule_unknown');
  await context.outbox.schedules.remove(session.vendor, id);
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

/** Reads the calendar before anything is stored, so that the person learns at once that the URL is wrong. */
async function readFeed(
  session: ProxySession,
  { calendars, calendarReads, clock, metrics }: RouteContext,
  url: string,
  timeZone: string,
): Promise<PutSchedule['reading']> {
  const release = calendarReads.acquire(session);
  const reading = await calendars?.read({ url, timeZone }, clock.wall()).finally(release);
  metrics.calendarRead(reading?.kind ?? 'failed');
  if (reading?.kind === 'read') return reading;
  const message = reading?.kind === 'failed' ? reading.problem : 'unreadable';
  throw new ApiError('feed_unreadable', [{ pointer: '/feed', message }]);
}

async function findSchedule(session: ProxySession, context: RouteContext, id: string): Promise<Schedule> {
  const row = isEditId(id) ? await context.outbox.schedules.get(session.vendor, id) : undefined;
  const found = row && inSession(row, session);
  if (found === undefined) throw new ApiError('schedule_unknown');
  return found;
}

/** @returns the schedule with the items that the session may access; `undefined` without any */
function inSession(row: Schedule, session: ProxySession): Schedule | undefined {
  const items = row.items.filter(({ id }) => canAccessItem(session, id));
  return items.length === 0 ? undefined : { ...row, items };
}

async function readRequest(request: Request, session: ProxySession, context: RouteContext): Promise<ScheduleRequest> {
  const { maxBodyBytes } = context.limits;
  const leave = context.bodySemaphore.acquire(session, Math.min(declaredLength(request) ?? Infinity, maxBodyBytes));
  const body = await readBody(request, maxBodyBytes).finally(leave);
  const parsed = scheduleRequest.safeParse(parseJson(body));
  if (!parsed.success) throw new ApiError('invalid_body', fieldErrors(parsed.error));
  const { items, from, until, repeat, time_zone: zone, feed } = parsed.data;
  const reject = (pointer: string, message: string): never => {
    throw new ApiError('invalid_body', [{ pointer, message }]);
  };
  if (!isTimeZone(zone)) reject('/time_zone', 'expected the IANA name of a time zone, as in Europe/Berlin');
  for (const [name, time] of Object.entries({ from, until })) {
    if (time !== undefined && !isDay(time, zone)) reject(`/${name}`, 'expected a day that the calendar has');
  }
  const hasTimes = from !== undefined || until !== undefined || repeat !== undefined;
  if (hasTimes === (feed !== undefined)) reject('', 'expected from, until or repeat, or a feed');
  if (feed !== undefined) {
    const fault = context.calendars === undefined ? 'this proxy reads no calendars' : findFeedAddressFault(feed);
    if (fault !== undefined) reject('/feed', fault);
    if (items.length > 1) reject('/items', 'expected one item, because a calendar is that of one item');
  }
  const repeated = items.flatMap((item, at) => (items.indexOf(item) < at ? [at] : []));
  if (repeated.length > 0) throw new ApiError('duplicate_item', pointersTo(repeated, 'duplicate_item'));
  return parsed.data;
}

function isDay(time: string, zone: string): boolean {
  try {
    return Number.isFinite(momentOf(time, zone));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function throwItemsUnknown(indices: readonly number[]): void {
  if (indices.length > 0) throw refusedItems(indices);
}

function refusedItems(indices: readonly number[]): ApiError {
  return new ApiError('item_unknown', pointersTo(indices, 'item_unknown'));
}

function pointersTo(indices: readonly number[], message: string): { pointer: string; message: string }[] {
  return indices.slice(0, MAX_FIELD_ERRORS).map((index) => ({ pointer: `/items/${String(index)}`, message }));
}
