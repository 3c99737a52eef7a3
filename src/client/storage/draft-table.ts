import { promisifyRequest } from 'idb-keyval';
import * as z from 'zod/mini';
import { itemId } from '../../contract/fields.js';
import type { ItemId } from '../../domain/item.js';
import { PatientDb } from './database.js';
import { readStored } from './stored-rows.js';

const keptWish = z.object({
  id: itemId,
  available: z.boolean(),
  /** The value that the draft is based on; absent where there was none. */
  base: z.optional(z.boolean()),
  /** When that value was made, in milliseconds since the epoch. */
  stamp: z.number(),
});

/** One draft that is not saved, as the page that made it leaves it behind. */
export type KeptWish = Readonly<z.output<typeof keptWish>>;

const pageKey = z.tuple([z.string(), z.string()]);
/** When a page was written last. */
const pageTime = z.number();

/** What one page has left of one person. */
export interface KeptPage {
  readonly owner: string;
  readonly page: string;
  /** When it was written last, in milliseconds since the epoch by this device's clock. */
  readonly at: number;
  readonly count: number;
}

const NAME = 'vendor-inventory-drafts';
const CHUNK = 1_000;

/**
 * Drafts in IndexedDB, in a database of their own: what becomes of a draft never endangers an edit. Rows of one person
 * are never read for another; rows of two pages never mix.
 *
 * Every function may reject: storage can be missing, full or forbidden. What to do then is the keeper's business.
 */
export class DraftDb {
  readonly #db = new PatientDb(NAME, {
    version: 1,
    tables: ['wishes', 'pages'],
  });

  /** Writes some wishes of a page, and takes others away, in one transaction. */
  async write(
    owner: string,
    page: string,
    at: number,
    wishes: readonly KeptWish[],
    gone: readonly ItemId[],
  ): Promise<void> {
    await this.#db.transact('readwrite', (rows, pages) =>
      all([
        ...wishes.map((wish) => rows.put(wish, [owner, page, wish.id])),
        ...gone.map((id) => rows.delete([owner, page, id])),
        pages.put(at, [owner, page]),
      ]),
    );
  }

  /** In no order. */
  async pages(owner: string): Promise<KeptPage[]> {
    const kept = await this.#db.transact('readonly', async (rows, pages) => {
      const keys = await keysIn(pages, below(owner));
      const times = await all<unknown>(keys.map((key) => pages.get(key)));
      const counts = await all<number>(keys.map((key) => rows.count(below(...key))));
      return keys.map(([, page], at) => ({ page, time: times[at], count: counts[at] ?? 0 }));
    });
    return kept.flatMap(({ page, time, count }) => {
      const at = readStored(pageTime, time, 'pages');
      return at === undefined || count === 0 ? [] : [{ owner, page, at, count }];
    });
  }

  /** Everybody who has drafts here. */
  async owners(): Promise<ReadonlySet<string>> {
    const keys = await this.#db.transact('readonly', (_rows, pages) => keysIn(pages));
    return new Set(keys.map(([owner]) => owner));
  }

  /** Deletes these rows of a page, and the page with the last of them. */
  drop({ owner, page, at, count }: KeptPage, ids: readonly ItemId[]): Promise<void> {
    return ids.length < count ? this.write(owner, page, at, [], ids) : this.remove(owner, page);
  }

  /** Nobody's drafts turn out to be somebody's. */
  async move(from: string, to: string): Promise<void> {
    for (const { page, at } of await this.pages(from)) {
      for await (const wishes of this.wishes(from, page)) await this.write(to, page, at, wishes, []);
    }
    await this.remove(from);
  }

  /** In chunks, by id. */
  async *wishes(owner: string, page: string): AsyncGenerator<KeptWish[]> {
    let range = below(owner, page);
    for (;;) {
      const [keys, chunk] = await this.#db.transact('readonly', (rows) =>
        Promise.all([
          promisifyRequest(rows.getAllKeys(range, CHUNK)),
          promisifyRequest<unknown[]>(rows.getAll(range, CHUNK)),
        ]),
      );
      const last = keys.at(-1);
      if (last === undefined) return;
      yield chunk.map((stored) => readStored(keptWish, stored, 'wishes')).filter((wish) => wish !== undefined);
      range = IDBKeyRange.bound(last, [owner, page, []], true);
    }
  }

  /** What all pages have left of a person, if none is named. */
  async remove(...whose: [owner: string] | [owner: string, page: string]): Promise<void> {
    const range = below(...whose);
    await this.#db.transact('readwrite', (rows, pages) => all([rows.delete(range), pages.delete(range)]));
  }

  close(): void {
    this.#db.close();
  }
}

async function keysIn(pages: IDBObjectStore, range?: IDBKeyRange): Promise<[owner: string, page: string][]> {
  const keys = await promisifyRequest(pages.getAllKeys(range));
  return keys.map((key) => readStored(pageKey, key, 'pages')).filter((key) => key !== undefined);
}

function all<T>(requests: readonly IDBRequest[]): Promise<T[]> {
  return Promise.all(requests.map((request) => promisifyRequest<T>(request)));
}

/** All keys that begin with these words: a list sorts after every text (Indexed Database API, 2.4). */
function below(...words: string[]): IDBKeyRange {
  return IDBKeyRange.bound(words, [...words, []]);
}
