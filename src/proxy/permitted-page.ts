import type { ItemId } from '../domain/item.js';
import { nextTask } from './next-task.js';
import { mayTouch } from './permissions.js';
import type { ProxySession } from './session.js';

/** Rows at a time: some milliseconds of work for a store. */
const MOST_ROWS = 1000;

export interface PageWanted<Row, Place> {
  readonly limit: number;
  /** Where the page before it ended. */
  readonly from: Place | undefined;
  /** The next rows from there on: fewer than `most` where there are no more. */
  readonly read: (from: Place | undefined, most: number) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => Place;
}

/**
 * The next rows that a session may see, and where the page after them goes on, if there may be one. A session that is
 * confined to some items gets a full page all the same, however many rows of others stand in between.
 */
export async function permittedPage<Row extends { readonly id: ItemId }, Place>(
  session: ProxySession,
  { limit, from, read, placeOf }: PageWanted<Row, Place>,
): Promise<{ readonly rows: Row[]; readonly next?: Place | undefined }> {
  const found: Row[] = [];
  let place = from;
  // What it may see of a first page tells nothing of how far apart the others are.
  for (let most = limit; ; most = Math.max(limit, MOST_ROWS)) {
    const rows = await read(place, most);
    found.push(...rows.filter(({ id }) => mayTouch(session, id)));
    // A page that is cut goes on behind its own last row, and any other behind all that was read.
    const last = found.length > limit ? found[limit - 1] : rows.at(-1);
    if (last !== undefined) place = placeOf(last);
    const isLast = rows.length < most && found.length <= limit;
    if (isLast || found.length >= limit) return { rows: found.slice(0, limit), next: isLast ? undefined : place };
    await nextTask();
  }
}
