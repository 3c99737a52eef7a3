import type { z } from 'zod/mini';
import { isItemId, isTimestamp, type ItemId } from '../../domain/item.js';
import { EDIT_STATES, type EditState } from '../../domain/edit-state.js';
import type { history, HistoryEntry } from '../../contract/history.js';
import { jsonResponse, ApiError, permissionMissing } from '../http/problem-response.js';
import { hasPermission } from '../access/permissions.js';
import { pageForSession } from '../http/paging.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';

const PAGE = 100;

/** What the caller asks for. Each of the filters that is there has to match. */
interface HistoryQuery {
  readonly item: ItemId | undefined;
  readonly cursor: number | undefined;
  /** Who made the edit. */
  readonly subject: string | undefined;
  readonly state: EditState | undefined;
  /** Accepted at this time or later, and before that one. */
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/**
 * `GET /v1/history?item=&subject=&state=&from=&until=&cursor=`: who changed what, when, from, to, with which outcome; newest
 * first. Where few of many edits match, a page may be short or empty and have a `next` all the same.
 */
export async function readHistory(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'history')) throw permissionMissing('history');
  const query = parseQuery(new URL(request.url).searchParams);
  const { item, cursor } = query;
  const { rows, next } = await pageForSession(session, {
    limit: PAGE,
    from: cursor,
    read: (before, limit) => context.outbox.history(session.vendor, { item, before, limit }),
    cursorOf: ({ seq }) => seq,
    matches: (entry) => matches(entry, query),
    signal: request.signal,
  });
  const body: z.infer<typeof history> = {
    history: rows,
    ...(next !== undefined && { next: String(next) }),
  };
  return jsonResponse(body);
}

const NAMES: ReadonlySet<string> = new Set(['item', 'cursor', 'subject', 'state', 'from', 'until']);

function parseQuery(query: URLSearchParams): HistoryQuery {
  if ([...query.keys()].some((name) => !NAMES.has(name))) throw new ApiError('invalid_query');
  const read = <Value extends string>(name: string, isValid: (text: string) => text is Value): Value | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    if (!isValid(text)) throw new ApiError('invalid_query');
    return text;
  };
  const cursor = read('cursor', (text): text is string => /^\d{1,15}$/.test(text));
  return {
    item: read('item', isItemId),
    cursor: cursor === undefined ? undefined : Number(cursor),
    subject: query.get('subject') ?? undefined,
    state: read('state', (text): text is EditState => EDIT_STATES.some((state) => state === text)),
    from: read('from', isTimestamp),
    until: read('until', isTimestamp),
  };
}

function matches(entry: HistoryEntry, { subject, state, from, until }: HistoryQuery): boolean {
  const at = Date.parse(entry.accepted_at);
  return (
    (subject === undefined || entry.subject === subject) &&
    (state === undefined || entry.state === state) &&
    (from === undefined || at >= Date.parse(from)) &&
    (until === undefined || at < Date.parse(until))
  );
}
