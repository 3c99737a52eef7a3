import { NativePromise, promisifyRequest } from './native-promise.js';
import * as z from 'zod/mini';
import { itemId } from '../../contract/fields.js';
import type { ItemId } from '../../domain/item.js';
import { TimeoutDatabase } from './database.js';
import { readStored } from './stored-rows.js';

const storedDraft = z.object({
  id: itemId,
  available: z.boolean(),
  /** The value that the draft is based on; absent if there was none. */
  base: z.optional(z.boolean()),
  /** The time of that value, in milliseconds since the epoch. */
  stamp: z.number(),
});

/** One draft, stored so that it survives its page. */
export type StoredDraft = Readonly<z.output<typeof storedDraft>>;

const pageKey = z.tuple([z.string(), z.string()]);
/** When the drafts of a page were last written. */
const pageTime = z.number();

/** The drafts of one person in one page. */
export interface StoredPage {
  readonly owner: string;
  readonly page: string;
  /** When they were last written, in milliseconds since the epoch by this device's clock. */
  readonly at: number;
  readonly count: number;
}

const NAME = 'vendor-inventory-drafts';
const CHUNK = 1_000;

/**
 * Drafts in IndexedDB. They have a database of their own, so that a fault with drafts never endangers an edit. Rows of one
 * person are never read for another, and rows of two pages never mix.
 *
 * Every function may reject: storage can be missing, full or forbidden. The draft autosave handles the failure.
 */
export class DraftTable {
  readonly #db: TimeoutDatabase<'drafts' | 'pages'>;

  /** @param onOpen called after each opening of the database, also one that ends after its calls have timed out */
  constructor(onOpen?: () => void) {
    this.#db = new TimeoutDatabase(NAME, {
      version: 2,
      tables: ['drafts', 'pages'],
      upgrade(database, before, transaction) {
        if (before === 1) transaction.objectStore('wishes').name = 'drafts';
        else for (const name of ['drafts', 'pages']) database.createObjectStore(name);
      },
      ...(onOpen && { onOpen }),
    });
  }

  /** Writes some drafts of a page and deletes others, in one transaction. */
  async write(
    owner: string,
    page: string,
    at: number,
    drafts: readonly StoredDraft[],
    removed: readonly ItemId[],
  ): Promise<void> {
    await this.#db.transact('readwrite', (rows, pages) =>
      all([
        ...drafts.map((draft) => rows.put(draft, [owner, page, draft.id])),
        ...removed.map((id) => rows.delete([owner, page, id])),
        pages.put(at, [owner, page]),
      ]),
    );
  }

  /** @returns the pages with drafts of this person, in no order */
  async pages(owner: string): Promise<StoredPage[]> {
    const stored = await this.#db.transact('readonly', async (rows, pages) => {
      const keys = await readPageKeys(pages, rangeWithPrefix(owner));
      const times = await all<unknown>(keys.map((key) => pages.get(key)));
      const counts = await all<number>(keys.map((key) => rows.count(rangeWithPrefix(...key))));
      return keys.map(([, page], at) => ({ page, time: times[at], count: counts[at] ?? 0 }));
    });
    return stored.flatMap(({ page, time, count }) => {
      const at = readStored(pageTime, time, 'pages');
      return at === undefined || count === 0 ? [] : [{ owner, page, at, count }];
    });
  }

  /** @returns all people who have drafts on this device */
  async owners(): Promise<ReadonlySet<string>> {
    const keys = await this.#db.transact('readonly', (_rows, pages) => readPageKeys(pages));
    return new Set(keys.map(([owner]) => owner));
  }

  /** Deletes these rows of a page, and the page with the last of them. */
  drop({ owner, page, at, count }: StoredPage, ids: readonly ItemId[]): Promise<void> {
    return ids.length < count ? this.write(owner, page, at, [], ids) : this.remove(owner, page);
  }

  /** Moves the drafts from before the person was known to that person. */
  async move(from: string, to: string): Promise<void> {
    for (const { page, at } of await this.pages(from)) {
      for await (const drafts of this.drafts(from, page)) await this.write(to, page, at, drafts, []);
    }
    await this.remove(from);
  }

  /** Reads the drafts of a page in chunks, ordered by id. */
  async *drafts(owner: string, page: string): AsyncGenerator<StoredDraft[]> {
    let range = rangeWithPrefix(owner, page);
    for (;;) {
      const [keys, chunk] = await this.#db.transact('readonly', (rows) =>
        NativePromise.all([
          promisifyRequest(rows.getAllKeys(range, CHUNK)),
          promisifyRequest<unknown[]>(rows.getAll(range, CHUNK)),
        ]),
      );
      const last = keys.at(-1);
      if (last === undefined) return;
      yield chunk.map((stored) => readStored(storedDraft, stored, 'drafts')).filter((draft) => draft !== undefined);
      range = IDBKeyRange.bound(last, [owner, page, []], true);
    }
  }

  /** Deletes the drafts of one page, or of all pages of a person if none is named. */
  async remove(...key: [owner: string] | [owner: string, page: string]): Promise<void> {
    const range = rangeWithPrefix(...key);
    await this.#db.transact('readwrite', (rows, pages) => all([rows.delete(range), pages.delete(range)]));
  }

  close(): void {
    this.#db.close();
  }
}

async function readPageKeys(pages: IDBObjectStore, range?: IDBKeyRange): Promise<[owner: string, page: string][]> {
  const keys = await promisifyRequest(pages.getAllKeys(range));
  return keys.map((key) => readStored(pageKey, key, 'pages')).filter((key) => key !== undefined);
}

function all<T>(requests: readonly IDBRequest[]): Promise<T[]> {
  return NativePromise.all(requests.map((request) => promisifyRequest<T>(request)));
}

/** The range of all keys that begin with these parts: an array sorts after every string (Indexed Database API, 2.4). */
function rangeWithPrefix(...parts: string[]): IDBKeyRange {
  return IDBKeyRange.bound(parts, [...parts, []]);
}
