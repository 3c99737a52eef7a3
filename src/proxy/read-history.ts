import type { z } from 'zod/mini';
import { isItemId } from '../domain/item.js';
import type { history, HistoryEntry } from '../contract/widget.js';
import { type Answer, jsonAnswer, Refusal } from './answers.js';
import { mayDo, mayTouch } from './permissions.js';
import type { RouteContext } from './route.js';
import type { ProxySession } from './session.js';

const PAGE = 100;

/** `GET /v1/history?item=&cursor=`: who changed what, when, from, to, with which outcome; newest first. */
export async function readHistory(request: Request, session: ProxySession, context: RouteContext): Promise<Answer> {
  if (!mayDo(session, 'history')) throw new Refusal('permission_missing');
  const query = new URL(request.url).searchParams;
  const item = query.get('item') ?? undefined;
  const cursor = query.get('cursor') ?? undefined;
  const unknown = [...query.keys()].some((key) => key !== 'item' && key !== 'cursor');
  if (unknown || (item !== undefined && !isItemId(item)) || (cursor !== undefined && !/^\d{1,15}$/.test(cursor))) {
    throw new Refusal('invalid_query');
  }
  const entries: HistoryEntry[] = [];
  let before = cursor === undefined ? undefined : Number(cursor);
  let more = true;
  // A session that is confined to some items may see few rows of a page; it gets a full one all the same.
  while (more && entries.length < PAGE) {
    const rows = await context.outbox.history(session.vendor, { item, before, limit: PAGE - entries.length });
    more = rows.length === PAGE - entries.length;
    before = rows.at(-1)?.seq ?? before;
    entries.push(...rows.filter((row) => mayTouch(session, row.id)));
  }
  const body: z.infer<typeof history> = {
    history: entries,
    ...(more && before !== undefined && { next: String(before) }),
  };
  return jsonAnswer(body);
}
