import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { ItemId } from '../domain/item.js';

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
  readonly page: string;
  /** When it was written last, in milliseconds since the epoch by this device's clock. */
  readonly at: number;
  readonly count: number;
}

interface DraftSchema extends DBSchema {
  wishes: { key: [owner: string, page: string, id: string]; value: KeptWish };
  pages: { key: [owner: string, page: string]; value: number };
}

type DraftTransaction<M extends IDBTransactionMode> = IDBPTransaction<DraftSchema, ['wishes', 'pages'], M>;

const NAME = 'vendor-inventory-drafts';
const CHUNK = 1_000;

/**
 * Drafts in IndexedDB, in a database of their own: what becomes of a draft never endangers an edit. Rows of one person
 * are never read for another; rows of two pages never mix.
 *
 * Every function may reject: storage can be missing, full or forbidden. What to do then is the keeper's business.
 */
export class DraftDb {
  #open: Promise<IDBPDatabase<DraftSchema>> | undefined;

  /** Writes some wishes of a page, and takes others away, in one transaction. */
  async write(
    owner: string,
    page: string,
    at: number,
    wishes: readonly KeptWish[],
    gone: readonly ItemId[],
  ): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const rows = transaction.objectStore('wishes');
    await Promise.all([
      ...wishes.map((wish) => rows.put(wish, [owner, page, wish.id])),
      ...gone.map((id) => rows.delete([owner, page, id])),
      transaction.objectStore('pages').put(at, [owner, page]),
      transaction.done,
    ]);
  }

  /** The oldest first. */
  async pages(owner: string): Promise<KeptPage[]> {
    const transaction = await this.#transaction('readonly');
    const pages: KeptPage[] = [];
    for await (const { key, value } of transaction.objectStore('pages').iterate(below(owner))) {
      const count = await transaction.objectStore('wishes').count(below(...key));
      if (count > 0) pages.push({ page: key[1], at: value, count });
    }
    return pages.sort((a, b) => a.at - b.at);
  }

  /** In chunks, by id. */
  async *wishes(owner: string, page: string): AsyncGenerator<KeptWish[]> {
    let range = below(owner, page);
    for (;;) {
      const chunk = await (await this.#transaction('readonly')).objectStore('wishes').getAll(range, CHUNK);
      const last = chunk.at(-1);
      if (last === undefined) return;
      yield chunk;
      range = IDBKeyRange.bound([owner, page, last.id], [owner, page, []], true);
    }
  }

  /** @param page of all pages, if none is named */
  async remove(owner: string, page?: string): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    await Promise.all([
      transaction.objectStore('wishes').delete(page === undefined ? below(owner) : below(owner, page)),
      transaction.objectStore('pages').delete(page === undefined ? below(owner) : IDBKeyRange.only([owner, page])),
      transaction.done,
    ]);
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    (await open)?.close();
  }

  async #transaction<M extends 'readonly' | 'readwrite'>(mode: M): Promise<DraftTransaction<M>> {
    const open = this.#database();
    const begin = (database: IDBPDatabase<DraftSchema>): DraftTransaction<M> =>
      database.transaction(['wishes', 'pages'], mode, { durability: 'strict' });
    const database = await open;
    try {
      return begin(database);
    } catch (error) {
      // Browsers lose the connection of a live page without an event: a fresh one is tried once.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      if (this.#open === open) this.#open = undefined;
      return begin(await this.#database());
    }
  }

  #database(): Promise<IDBPDatabase<DraftSchema>> {
    this.#open ??= openDB<DraftSchema>(NAME, 1, {
      upgrade(database) {
        database.createObjectStore('wishes');
        database.createObjectStore('pages');
      },
      // Another tab wants to upgrade or delete: let go, and open again when there is something to write.
      blocking: () => void this.close(),
      terminated: () => {
        this.#open = undefined;
      },
    }).catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    return this.#open;
  }
}

/** All keys that begin with these words: a list sorts after every text (Indexed Database API, 2.4). */
function below(...words: string[]): IDBKeyRange {
  return IDBKeyRange.bound(words, [...words, []]);
}
