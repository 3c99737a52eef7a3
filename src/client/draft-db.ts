import type { DBSchema, IDBPObjectStore } from 'idb';
import type { ItemId } from '../domain/item.js';
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

interface DraftSchema extends DBSchema {
  wishes: { key: [owner: string, page: string, id: string]; value: KeptWish };
  pages: { key: [owner: string, page: string]; value: number };
}

type Tables = 'wishes' | 'pages';
type Table<Name extends Tables, M extends 'readonly' | 'readwrite'> = IDBPObjectStore<DraftSchema, Tables[], Name, M>;

const NAME = 'vendor-inventory-drafts';
const CHUNK = 1_000;

/**
 * Drafts in IndexedDB, in a database of their own: what becomes of a draft never endangers an edit. Rows of one person
 * are never read for another; rows of two pages never mix.
 *
 * Every function may reject: storage can be missing, full or forbidden. What to do then is the keeper's business.
 */
export class DraftDb {
  readonly #db = new PatientDb<DraftSchema>(NAME, {
    version: 1,
    upgrade(database) {
      database.createObjectStore('wishes');
      database.createObjectStore('pages');
    },
  });

  /** Writes some wishes of a page, and takes others away, in one transaction. */
  async write(
    owner: string,
    page: string,
    at: number,
    wishes: readonly KeptWish[],
    gone: readonly ItemId[],
  ): Promise<void> {
    await this.#transact('readwrite', (rows, pages) =>
      Promise.all([
        ...wishes.map((wish) => rows.put(wish, [owner, page, wish.id])),
        ...gone.map((id) => rows.delete([owner, page, id])),
        pages.put(at, [owner, page]),
      ]),
    );
  }

  /** The oldest first. */
  async pages(owner: string): Promise<KeptPage[]> {
    const kept = await this.#transact('readonly', async (rows, pages) => {
      const [keys, times] = await Promise.all([pages.getAllKeys(below(owner)), pages.getAll(below(owner))]);
      return Promise.all(
        keys.map(async (key, at) => ({
          owner,
          page: key[1],
          at: times[at] ?? 0,
          count: await rows.count(below(...key)),
        })),
      );
    });
    return kept.filter(({ count }) => count > 0).sort((a, b) => a.at - b.at);
  }

  /** Everybody who has drafts here. */
  async owners(): Promise<ReadonlySet<string>> {
    const keys = await this.#transact('readonly', (_rows, pages) => pages.getAllKeys());
    return new Set(keys.map(([owner]) => owner));
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
      const chunk = await this.#transact('readonly', (rows) => rows.getAll(range, CHUNK));
      const last = chunk.at(-1);
      if (last === undefined) return;
      yield chunk;
      range = IDBKeyRange.bound([owner, page, last.id], [owner, page, []], true);
    }
  }

  /** @param page of all pages, if none is named */
  async remove(owner: string, page?: string): Promise<void> {
    await this.#transact('readwrite', (rows, pages) =>
      Promise.all([
        rows.delete(page === undefined ? below(owner) : below(owner, page)),
        pages.delete(page === undefined ? below(owner) : IDBKeyRange.only([owner, page])),
      ]),
    );
  }

  close(): void {
    this.#db.close();
  }

  #transact<T, M extends 'readonly' | 'readwrite'>(
    mode: M,
    work: (rows: Table<'wishes', M>, pages: Table<'pages', M>) => Promise<T>,
  ): Promise<T> {
    return this.#db.transact<T, Tables, M>(['wishes', 'pages'], mode, (transaction) =>
      work(transaction.objectStore('wishes'), transaction.objectStore('pages')),
    );
  }
}

/** All keys that begin with these words: a list sorts after every text (Indexed Database API, 2.4). */
function below(...words: string[]): IDBKeyRange {
  return IDBKeyRange.bound(words, [...words, []]);
}
