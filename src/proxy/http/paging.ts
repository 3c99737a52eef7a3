import type { ItemId } from '../../domain/item.js';
import { canAccessItem } from '../access/permissions.js';
import type { ProxySession } from '../access/session.js';

/** Rows of one read, which takes the outbox some milliseconds. */
const MAX_ROWS = 1000;
/** Reads for one page. A client that may see few of many rows requests the next page, and uses no more time than others. */
const MAX_READS = 5;

export interface PageRequest<Row, Cursor> {
  readonly limit: number;
  /** The cursor after which the page begins; `undefined` for the first page. */
  readonly from: Cursor | undefined;
  /** Reads the next rows. Fewer than `max` are the last ones. */
  readonly read: (from: Cursor | undefined, max: number) => Promise<readonly Row[]>;
  readonly cursorOf: (row: Row) => Cursor;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Reads the next rows that a session may see. A session that is confined to some items gets a full page too, unless thousands
 * of other rows lie between its own: then the page has the rows that were found so far, perhaps none.
 *
 * @returns the rows, and the cursor of the next page if there may be one
 */
export async function pageForSession<Row extends { readonly id: ItemId }, Cursor>(
  session: ProxySession,
  { limit, from, read, cursorOf, signal }: PageRequest<Row, Cursor>,
): Promise<{ readonly rows: Row[]; readonly next?: Cursor | undefined }> {
  const found: Row[] = [];
  let cursor = from;
  // The client has disconnected while its request waited.
  if (signal.aborted) return { rows: found, next: cursor };
  for (let reads = 1; ; reads += 1) {
    // The first read has the size of the page, because most sessions may see every row.
    const max = reads === 1 ? limit : Math.max(limit, MAX_ROWS);
    const rows = await read(cursor, max);
    found.push(...rows.filter((row) => canAccessItem(session, row.id)));
    // The next page begins after the last row of a full page, and otherwise after all rows that were read.
    const last = found.length > limit ? found[limit - 1] : rows.at(-1);
    if (last !== undefined) cursor = cursorOf(last);
    const isLast = rows.length < max && found.length <= limit;
    if (isLast || found.length >= limit || reads === MAX_READS || signal.aborted) {
      return { rows: found.slice(0, limit), next: isLast ? undefined : cursor };
    }
    await yieldToEventLoop();
  }
}

/**
 * Resolves after the tasks that are queued now. SQLite answers synchronously, so a loop of reads would otherwise block all
 * other requests. It uses a message, because a timer would wait for at least a millisecond.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
