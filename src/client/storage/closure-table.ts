import { promisifyRequest } from 'idb-keyval';
import type { ItemId } from '../../domain/item.js';
import { PatientDb } from './patient-db.js';

/** What one person closed together, and has not opened again. */
export interface Closing {
  /** When, in milliseconds since the epoch by this device's clock. */
  readonly at: number;
  /** Items that were available before. */
  readonly ids: readonly ItemId[];
}

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
    return this.#db.transact('readonly', (closings) => promisifyRequest<Closing | undefined>(closings.get(owner)));
  }

  /**
   * Other tabs write here too: what is there is read and changed in one transaction.
   *
   * @param change none: it is wiped
   */
  async change(owner: string, change?: Change): Promise<void> {
    await this.#db.transact('readwrite', async (closings) => {
      const made = change?.(await promisifyRequest<Closing | undefined>(closings.get(owner)));
      await promisifyRequest((made === undefined ? closings.delete(owner) : closings.put(made, owner)) as IDBRequest);
    });
  }

  close(): void {
    this.#db.close();
  }
}
