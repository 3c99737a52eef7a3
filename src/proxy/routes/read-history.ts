import type { z } from 'zod/mini';
import { changeSetQuery, historyQuery, type history, type HistoryEntry } from '../../contract/history.js';
import { isEditId } from '../../domain/edit.js';
import { hasPermission } from '../access/permissions.js';
import type { ProxySession } from '../access/session.js';
import { scopeOf } from '../access/session-scope.js';
import { yieldToEventLoop } from '../http/paging.js';
import { ApiError, jsonResponse, permissionMissing } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';
import { isTimeZone, momentOf } from '../outbox/schedules/occurrences.js';
import type { HistoryFilter } from '../outbox/outbox.js';

const DEFAULT_PAGE = 100;
/** Number of edits that one query scans, which takes a few milliseconds. */
const WALKED = 4_000;
/** Most queries for one page when few edits match. */
const MAX_READS = 5;

/**
 * `GET /v1/history`: who changed which item, when, from which value to which, with which outcome; newest first. If few of
 * many edits match, a page may be short or empty and still have a `next`.
 */
export async function readHistory(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'history')) throw permissionMissing('history');
  const { cursor, limit, collapse, ...query } = parseQuery(request, historyQuery);
  const filter = { ...toFilter(query), within: scopeOf(session)?.selectionsAfter(undefined) };
  const collapses = collapse !== undefined;
  const page = await readPage({ filter, collapses, cursor, limit, signal: request.signal }, session.vendor, context);
  if (!collapses) return jsonResponse(page);
  const entries: HistoryEntry[] = [];
  for (const entry of page.history) entries.push(await withSummary(entry, filter, session.vendor, context));
  return jsonResponse({ ...page, history: entries });
}

/**
 * `GET /v1/change-sets/{id}`: the edits of one change set, newest first. An undo needs them, so `edit` is enough to read
 * them.
 */
export async function readChangeSet(
  request: Request,
  session: ProxySession,
  context: RouteContext,
  id: string,
): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  if (!hasPermission(session, 'edit') && !hasPermission(session, 'history')) throw permissionMissing('edit', 'history');
  const { cursor, limit, subject } = parseQuery(request, changeSetQuery);
  if (!isEditId(id)) throw new ApiError('change_set_unknown');
  const filter = { changeSet: id, subject, within: scopeOf(session)?.selectionsAfter(undefined) };
  const page = await readPage({ filter, cursor, limit, signal: request.signal }, session.vendor, context);
  if (page.history.length === 0 && cursor === undefined) throw new ApiError('change_set_unknown');
  return jsonResponse(page);
}

interface PageRequest {
  readonly filter: HistoryFilter;
  readonly collapses?: boolean;
  readonly cursor: string | undefined;
  readonly limit: string | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

async function readPage(
  { filter, collapses = false, cursor, limit = String(DEFAULT_PAGE), signal }: PageRequest,
  vendor: string,
  { outbox }: RouteContext,
): Promise<z.infer<typeof history>> {
  const max = Number(limit);
  // An item and a change set have their own index, so the query needs no limit of rows to scan.
  const isIndexed = filter.item !== undefined || filter.changeSet !== undefined;
  const rows: HistoryEntry[] = [];
  let before = cursor === undefined ? undefined : Number(cursor);
  for (let reads = 0; reads < MAX_READS && !signal.aborted; reads += 1) {
    if (reads > 0) await yieldToEventLoop();
    const after = isIndexed ? undefined : await outbox.historyStart(vendor, before, WALKED);
    const left = max - rows.length;
    const found = await outbox.history(vendor, { ...filter, collapses, before, after, limit: left });
    rows.push(...found);
    const isFull = found.length === left;
    before = isFull ? found.at(-1)?.seq : after;
    if (before === undefined) return { history: rows };
    if (isFull) break;
  }
  return { history: rows, next: String(before) };
}

async function withSummary(
  entry: HistoryEntry,
  filter: HistoryFilter,
  vendor: string,
  { outbox }: RouteContext,
): Promise<HistoryEntry> {
  const { change_set: changeSet, subject } = entry;
  if (changeSet === undefined) return entry;
  // A change set may have as many edits as the vendor has items, so other requests get a turn first.
  await yieldToEventLoop();
  const summary = await outbox.summarizeHistory(vendor, { ...filter, changeSet, subject });
  return summary.available + summary.unavailable > 1 ? { ...entry, summary } : entry;
}

function parseQuery<Query>(request: Request, schema: z.ZodMiniType<Query>): Query {
  const names = [...new URL(request.url).searchParams];
  const query = Object.fromEntries(names);
  const parsed = schema.safeParse(query);
  if (!parsed.success || Object.keys(query).length < names.length) throw new ApiError('invalid_query');
  return parsed.data;
}

function toFilter({
  day,
  time_zone: zone,
  change_set: changeSet,
  ...query
}: Omit<z.infer<typeof historyQuery>, 'cursor' | 'limit' | 'collapse'>): HistoryFilter {
  const from = query.from === undefined ? -Infinity : Date.parse(query.from);
  const until = query.until === undefined ? Infinity : Date.parse(query.until);
  const [begin, end] = dayRange(day, zone);
  return {
    item: query.item,
    subject: query.subject,
    state: query.state,
    changeSet,
    from: finite(Math.max(from, begin)),
    until: finite(Math.min(until, end)),
  };
}

/** The range of one calendar day in the time zone. With a clock change it has 23 or 25 hours. */
function dayRange(day: string | undefined, zone: string | undefined): readonly [begin: number, end: number] {
  if ((day === undefined) !== (zone === undefined)) throw new ApiError('invalid_query');
  if (day === undefined || zone === undefined) return [-Infinity, Infinity];
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  if (!isTimeZone(zone)) throw new ApiError('invalid_query');
  try {
    return [momentOf(`${day}T00:00`, zone), momentOf(next.toISOString().slice(0, 16), zone)];
  } catch (error) {
    // The calendar has no such day, for example 30 February.
    if (error instanceof RangeError) throw new ApiError('invalid_query');
    throw error;
  }
}

function finite(time: number): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}
