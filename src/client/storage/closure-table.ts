import { promisifyRequest } from 'idb-keyval';
import * as z from 'zod/mini';
import { itemId } from '../../contract/fields.js';
import { PatientDb } from './database.js';
import { readStored } from './stored-rows.js';

const closing = z.object({
  /** When, in milliseconds since the epoch by this device's clock. */
  at: z.number(),
  /** Items that were available before. */
  ids: z.readonly(z.array(itemId)),
});

/** What one person closed together, and has not opened again. */
export type Closing = Readonly<z.output<typeof closing>>;

/** Of what is there; `undefined`: there is none, or none any more. */
export type Change = (there: Closing | undefined) => Closing | undefined;

/**
 * Closings in IndexedDB, one for each person, in a database of their own: a season may lie between closing and opening.
 *
 * Every function may reject: storage can be missing, full or forbidden.
 */
export class ClosingDb {
  readonly #db = new PatientDb('vendor-inventory-closings', {
    version: 1,
    tables: ['closings'],
  });

  read(owner: string): Promise<Closing | undefined> {
    return this.#db.transact('readonly', (closings) => readClosing(closings, owner));
  }

  /**
   * Other tabs write here too: what is there is read and changed in one transaction.
   *
   * @param change none: it is wiped
   */
  async change(owner: string, change?: Change): Promise<void> {
    await this.#db.transact('readwrite', async (closings) => {
      const made = change?.(await readClosing(closings, owner));
      await promisifyRequest((made === undefined ? closings.delete(owner) : closings.put(made, owner)) as IDBRequest);
    });
  }

  close(): void {
    this.#db.close();
  }
}

async function readClosing(closings: IDBObjectStore, owner: string): Promise<Closing | undefined> {
  const stored = await promisifyRequest<unknown>(closings.get(owner));
  return stored === undefined ? undefined : readStored(closing, stored, 'closings');
}
