import type { ItemId } from '../../domain/item.js';
import { canAccessItem } from '../access/permissions.js';
import type { ProxySession } from '../access/session.js';

/** Rows at a time: some milliseconds of work for a store. */
const MAX_ROWS = 1000;
/** Questions for one page: a person who may see few rows of many asks again, and takes no more of the store's time than others. */
const MAX_READS = 5;

export interface PageRequest<Row, Place> {
  readonly limit: number;
  /** Where the page before it ended. */
  readonly from: Place | undefined;
  /** The next rows from there on: fewer than `max` where there are no more. */
  readonly read: (from: Place | undefined, max: number) => Promise<readonly Row[]>;
  readonly cursorOf: (row: Row) => Place;
  /** The client has gone. */
  readonly signal: AbortSignal;
}

/**
 * The next rows that a session may see, and where the page after them goes on, if there may be one. A session that is
 * confined to some items gets a full page all the same, unless thousands of rows of others stand in between: then what was
 * found so far, perhaps nothing, and where to go on.
 */
export async function pageForSession<Row extends { readonly id: ItemId }, Place>(
  session: ProxySession,
  { limit, from, read, cursorOf: placeOf, signal }: PageRequest<Row, Place>,
): Promise<{ readonly rows: Row[]; readonly next?: Place | undefined }> {
  const found: Row[] = [];
  let place = from;
  // The client has left while the request waited for its place.
  if (signal.aborted) return { rows: found, next: place };
  for (let reads = 1; ; reads += 1) {
    // What it may see of a first page tells nothing of how far apart the others are.
    const max = reads === 1 ? limit : Math.max(limit, MAX_ROWS);
    const rows = await read(place, max);
    found.push(...rows.filter((row) => canAccessItem(session, row.id)));
    // A page that is cut goes on behind its own last row, and any other behind all that was read.
    const last = found.length > limit ? found[limit - 1] : rows.at(-1);
    if (last !== undefined) place = placeOf(last);
    const isLast = rows.length < max && found.length <= limit;
    if (isLast || found.length >= limit || reads === MAX_READS || signal.aborted) {
      return { rows: found.slice(0, limit), next: isLast ? undefined : place };
    }
    await yieldToEventLoop();
  }
}

/**
 * Lets whatever else there is to do go first: SQLite and memory answer at once, so that who asks them again and again
 * would keep everybody else waiting. A message, and no timer: it waits for nothing but its turn.
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
