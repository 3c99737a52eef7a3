import { promisifyRequest } from './native-promise.js';
import * as z from 'zod/mini';
import { changeSetId, itemId } from '../../contract/fields.js';
import { TimeoutDatabase } from './database.js';
import { readStored } from './stored-rows.js';

const closure = z.object({
  /** The time of the closing, in milliseconds since the epoch by this device's clock. */
  at: z.number(),
  /** Items that were available before. */
  ids: z.readonly(z.array(itemId)),
  /** Change sets that the proxy's offer leaves out: they were made on this device, or this person chose "Leave closed". */
  ignored: z.optional(z.readonly(z.array(changeSetId))),
});

/** The items that one person closed together, and has not reopened. */
export type SavedClosure = Readonly<z.output<typeof closure>>;

/** Maps the stored closure to the new one; `undefined` means none on both sides. */
export type Change = (stored: SavedClosure | undefined) => SavedClosure | undefined;

/**
 * Saved closures in IndexedDB, one for each person. They have a database of their own, because a season may pass between
 * closing and reopening.
 *
 * Every function may reject: storage can be missing, full or forbidden.
 */
export class ClosureTable {
  readonly #db = new TimeoutDatabase('vendor-inventory-closings', {
    version: 1,
    tables: ['closings'],
  });

  read(owner: string): Promise<SavedClosure | undefined> {
    return this.#db.transact('readonly', (table) => readClosure(table, owner));
  }

  /**
   * Reads and changes the stored closure in one transaction, because other tabs write it too.
   *
   * @param change without it, the closure is deleted
   */
  async change(owner: string, change?: Change): Promise<void> {
    await this.#db.transact('readwrite', async (table) => {
      const changed = change?.(await readClosure(table, owner));
      await promisifyRequest((changed === undefined ? table.delete(owner) : table.put(changed, owner)) as IDBRequest);
    });
  }

  close(): void {
    this.#db.close();
  }
}

async function readClosure(table: IDBObjectStore, owner: string): Promise<SavedClosure | undefined> {
  const stored = await promisifyRequest<unknown>(table.get(owner));
  return stored === undefined ? undefined : readStored(closure, stored, 'closings');
}
