import { promisifyRequest } from 'idb-keyval';
import type { ItemId } from '../../domain/item.js';
import { PatientDb } from './patient-db.js';

/** One wish that is not saved, as the page that made it leaves it behind. */
export interface KeptWish {
  readonly id: ItemId;
  readonly available: boolean;
  /** The value that the wish stands on; absent where nobody had told one. */
  readonly base?: boolean | undefined;
  /** When that value was made, in milliseconds since the epoch. */
  readonly stamp: number;
}

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
      const [keys, times] = await Promise.all([
        keysIn(pages, below(owner)),
        promisifyRequest<number[]>(pages.getAll(below(owner))),
      ]);
      const counts = await all<number>(keys.map((key) => rows.count(below(...key))));
      return keys.map(([, page], at) => ({ owner, page, at: times[at] as number, count: counts[at] as number }));
    });
    return kept.filter(({ count }) => count > 0);
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
      const chunk = await this.#db.transact('readonly', (rows) =>
        promisifyRequest<KeptWish[]>(rows.getAll(range, CHUNK)),
      );
      const last = chunk.at(-1);
      if (last === undefined) return;
      yield chunk;
      range = IDBKeyRange.bound([owner, page, last.id], [owner, page, []], true);
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

function keysIn(pages: IDBObjectStore, range?: IDBKeyRange): Promise<[owner: string, page: string][]> {
  return promisifyRequest(pages.getAllKeys(range) as IDBRequest);
}

function all<T>(requests: readonly IDBRequest[]): Promise<T[]> {
  return Promise.all(requests.map((request) => promisifyRequest<T>(request)));
}

/** All keys that begin with these words: a list sorts after every text (Indexed Database API, 2.4). */
function below(...words: string[]): IDBKeyRange {
  return IDBKeyRange.bound(words, [...words, []]);
}
