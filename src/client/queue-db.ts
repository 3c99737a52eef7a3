import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { Edit, EditId } from '../domain/edit.js';

/** One row for each edit that has not settled. */
export interface QueuedEdit extends Edit {
  /** Whose edits these are: proxy, vendor and subject. Rows of somebody else are neither shown nor sent. */
  readonly owner: string;
  /** `stored` waits to be sent; `handed-over` has a receipt and waits for the portal; `refused` waits for a person. */
  readonly stage: 'stored' | 'handed-over' | 'refused';
  /** Problem code, where refused. */
  readonly reason?: string | undefined;
}

interface QueueSchema extends DBSchema {
  /** The key counts up: the order in which edits were made, whatever the clock says. */
  edits: {
    key: number;
    value: QueuedEdit;
    indexes: { owner: string; edit: [string, string] };
  };
}

const NAME = 'vendor-inventory';
const VERSION = 1;

/**
 * The queue's rows in IndexedDB. A write resolves when its transaction is complete with strict durability, so that
 * "on this device" is said of what survives the browser. A handle that died is opened again at the next call.
 *
 * Every function may reject: storage can be missing, full or forbidden. What to do then is the queue's business.
 */
export class QueueDb {
  #open: Promise<IDBPDatabase<QueueSchema>> | undefined;

  async add(row: QueuedEdit, replaces: EditId | undefined): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const key = replaces && (await transaction.store.index('edit').getKey([row.owner, replaces]));
    await Promise.all([
      transaction.store.add(row),
      key === undefined ? undefined : transaction.store.delete(key),
      transaction.done,
    ]);
  }

  async update(
    owner: string,
    edit: EditId,
    change: Partial<Pick<QueuedEdit, 'stage' | 'reason' | 'owner'>>,
  ): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const cursor = await transaction.store.index('edit').openCursor([owner, edit]);
    if (cursor) await cursor.update({ ...cursor.value, ...change });
    await transaction.done;
  }

  async remove(owner: string, edit: EditId): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    const key = await transaction.store.index('edit').getKey([owner, edit]);
    if (key !== undefined) await transaction.store.delete(key);
    await transaction.done;
  }

  async removeAll(owner: string): Promise<void> {
    const transaction = await this.#transaction('readwrite');
    for (const key of await transaction.store.index('owner').getAllKeys(owner)) await transaction.store.delete(key);
    await transaction.done;
  }

  /** In the order in which they were made. */
  async all(owner: string): Promise<QueuedEdit[]> {
    return (await this.#transaction('readonly')).store.index('owner').getAll(owner);
  }

  async close(): Promise<void> {
    (await this.#open)?.close();
    this.#open = undefined;
  }

  async #transaction<M extends 'readonly' | 'readwrite'>(mode: M): Promise<IDBPTransaction<QueueSchema, ['edits'], M>> {
    const open = this.#database();
    const database = await open;
    try {
      return database.transaction('edits', mode, { durability: 'strict' });
    } catch (error) {
      // Browsers lose the connection of a live page without an event: a fresh one is tried once.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      if (this.#open === open) this.#open = undefined;
      return (await this.#database()).transaction('edits', mode, { durability: 'strict' });
    }
  }

  #database(): Promise<IDBPDatabase<QueueSchema>> {
    this.#open ??= openDB<QueueSchema>(NAME, VERSION, {
      upgrade(database) {
        const edits = database.createObjectStore('edits', { autoIncrement: true });
        edits.createIndex('owner', 'owner');
        edits.createIndex('edit', ['owner', 'edit_id'], { unique: true });
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
