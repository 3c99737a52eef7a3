import { promisifyRequest } from 'idb-keyval';
import type { ItemId } from '../domain/item.js';
import { PatientDb } from './patient-db.js';

/** What one person closed together, and has not opened again. */
export interface Closing {
  /** When, in milliseconds since the epoch by this device's clock. */
  readonly at: number;
  /** Items that were available before. */
  readonly ids: readonly ItemId[];
}

/**
 * Closings in IndexedDB, one for each person, in a database of their own: a season may lie between closing and opening.
 *
 * Every function may reject: storage can be missing, full or forbidden.
 */
export class ClosingDb {
  readonly #db = new PatientDb('vendor-inventory-closings', {
    version: 1,
    tables: ['closings'],
    upgrade(database) {
      database.createObjectStore('closings');
    },
  });

  read(owner: string): Promise<Closing | undefined> {
    return this.#db.transact('readonly', (closings) => promisifyRequest<Closing | undefined>(closings.get(owner)));
  }

  /** @param closing `undefined`: there is none any more */
  async write(owner: string, closing: Closing | undefined): Promise<void> {
    await this.#db.transact('readwrite', (closings) =>
      promisifyRequest((closing === undefined ? closings.delete(owner) : closings.put(closing, owner)) as IDBRequest),
    );
  }

  close(): void {
    this.#db.close();
  }
}
