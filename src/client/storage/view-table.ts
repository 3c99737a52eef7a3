import { promisifyRequest } from './native-promise.js';
import * as z from 'zod/mini';
import { TimeoutDatabase } from './database.js';
import { readStored } from './stored-rows.js';

const view = z.object({
  sort: z.enum(['given', 'label', 'id', 'group', 'value', 'state', 'changed-at']),
  isReversed: z.boolean(),
  /** Only items of this group are shown; absent: items of every group. */
  group: z.optional(z.string()),
  /** Groups whose items are hidden below their heading. */
  collapsed: z.readonly(z.array(z.string())),
});

/** The order, group and collapsed groups that one person has chosen for one list. */
export type SavedView = Readonly<z.output<typeof view>>;

/**
 * Saved views in IndexedDB, one for each person and editor. They have a database of their own, so that a fault with views never
 * endangers an edit.
 *
 * Every function may reject: storage can be missing, full or forbidden.
 */
export class ViewTable {
  readonly #db = new TimeoutDatabase('vendor-inventory-views', {
    version: 1,
    tables: ['views'],
  });

  async read(owner: string, editor: string): Promise<SavedView | undefined> {
    const stored = await this.#db.transact('readonly', (views) =>
      promisifyRequest<unknown>(views.get([owner, editor])),
    );
    return stored === undefined ? undefined : readStored(view, stored, 'views');
  }

  async write(owner: string, editor: string, saved: SavedView): Promise<void> {
    await this.#db.transact('readwrite', (views) => promisifyRequest(views.put(saved, [owner, editor]) as IDBRequest));
  }

  /** Deletes the views of all editors of a person. */
  async remove(owner: string): Promise<void> {
    // An array sorts after every string (Indexed Database API, 2.4).
    const all = IDBKeyRange.bound([owner], [owner, []]);
    await this.#db.transact('readwrite', (views) => promisifyRequest(views.delete(all) as IDBRequest));
  }

  close(): void {
    this.#db.close();
  }
}
