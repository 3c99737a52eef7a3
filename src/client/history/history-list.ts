import { history, MAX_HISTORY_PAGE, type HistoryEntry } from '../../contract/history.js';
import type { EditState } from '../../domain/edit-state.js';
import type { ItemId } from '../../domain/item.js';
import { ApiError } from '../api/api-error.js';
import { accepts } from '../schema.js';
import type { InventoryStore } from '../store/inventory-store.js';

/** The filters of a request. An entry has to match each filter that is set. */
export interface HistoryFilter {
  readonly item?: ItemId | undefined;
  /** The person who made the edit. */
  readonly subject?: string | undefined;
  readonly state?: EditState | undefined;
  /** Accepted on this day (`YYYY-MM-DD`) of the zone, an IANA name. */
  readonly day?: string | undefined;
  readonly time_zone?: string | undefined;
  readonly change_set?: string | undefined;
  /** One entry for the edits of a change set. */
  readonly collapse?: 'change_set' | undefined;
}

type Store = Pick<InventoryStore, 'call'>;

export const HISTORY = 'v1/history';

/**
 * The history of one item or of all items, newest first, as far as it was loaded. Its promises:
 *
 * - Only the newest request counts: a late response to an earlier one is dropped.
 * - A failed request keeps the loaded entries, and `retry()` repeats it.
 * - The entries are those of the time of the request; the list does not update itself.
 */
export class HistoryList {
  entries: readonly HistoryEntry[] = [];
  status: 'loading' | 'ready' | 'failed' = 'loading';
  /** Code of the failure. */
  problem: string | undefined;
  readonly #store: Store;
  readonly #onChange: () => void;
  #filter: HistoryFilter = {};
  #next: string | undefined;
  /** The cursor of the last request; `undefined`: the newest entries. */
  #cursor: string | undefined;
  #call = 0;

  constructor(store: Store, onChange: () => void) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** Whether there may be older entries. */
  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  /** Reads the newest entries. If the filter is the same, the loaded entries stay until the response arrives. */
  async read(filter: HistoryFilter = this.#filter): Promise<void> {
    if (filter !== this.#filter) this.entries = [];
    this.#filter = filter;
    await this.#load(undefined);
  }

  /** Reads the next older entries. */
  async more(): Promise<void> {
    if (this.#next !== undefined && this.status === 'ready') await this.#load(this.#next);
  }

  /** Repeats the request that failed. */
  async retry(): Promise<void> {
    if (this.status === 'failed') await this.#load(this.#cursor);
  }

  close(): void {
    this.#call += 1;
  }

  async #load(cursor: string | undefined): Promise<void> {
    const call = (this.#call += 1);
    const filter = this.#filter;
    this.#cursor = cursor;
    this.status = 'loading';
    this.problem = undefined;
    this.#onChange();
    try {
      let page = await readPage(this.#store, HISTORY, { ...filter, cursor });
      // If few of many edits match, a page may be empty without being the last one.
      while (page.history.length === 0 && page.next !== undefined && call === this.#call)
        page = await readPage(this.#store, HISTORY, { ...filter, cursor: page.next });
      if (call !== this.#call) return;
      this.entries = cursor === undefined ? page.history : [...this.entries, ...page.history];
      this.#next = page.next;
      this.status = 'ready';
    } catch (error) {
      if (call !== this.#call) return;
      if (!(error instanceof ApiError)) throw error;
      this.status = 'failed';
      this.problem = error.code;
    }
    this.#onChange();
  }
}

/** All pages of a history, the newest first. @throws {ApiError} */
export async function* readPages(
  store: Store,
  path: string,
  filter: HistoryFilter,
  signal: AbortSignal,
): AsyncGenerator<readonly HistoryEntry[]> {
  let cursor: string | undefined;
  do {
    const { history: entries, next } = await readPage(store, path, {
      ...filter,
      limit: String(MAX_HISTORY_PAGE),
      cursor,
    });
    signal.throwIfAborted();
    yield entries;
    cursor = next;
  } while (cursor !== undefined);
}

async function readPage(
  store: Store,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly history: readonly HistoryEntry[]; readonly next?: string }> {
  const given = Object.entries(query).filter((part): part is [string, string] => part[1] !== undefined);
  const response = await store.call(path, { query: Object.fromEntries(given) });
  const body: unknown = await response.json().catch((error: unknown) => {
    throw new ApiError('unreachable', `${path}: ${String(error)}`);
  });
  if (!accepts(history, body)) throw new ApiError('unreadable', 'the history has another shape');
  const { next } = body;
  return { history: body.history, ...(next !== undefined && { next }) };
}
