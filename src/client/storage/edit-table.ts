import { NativePromise, promisifyRequest } from './native-promise.js';
import * as z from 'zod/mini';
import { changeSetId, editId, itemId, timestamp } from '../../contract/fields.js';
import type { EditId } from '../../domain/edit.js';
import { newEditId } from './edit-id.js';
import { TimeoutDatabase } from './database.js';
import { readStored } from './stored-rows.js';

const queuedEdit = z.object({
  /** The person who made the edit: proxy, vendor and subject. Rows of another person are neither shown nor sent. */
  owner: z.string(),
  edit_id: editId,
  id: itemId,
  available: z.boolean(),
  updated_at: timestamp,
  base: z.optional(timestamp),
  label: z.optional(z.string()),
  from: z.optional(z.boolean()),
  change_set: z.optional(changeSetId),
  /**
   * `stored` waits to be sent; `sending` may have been sent, perhaps by a page that has closed; `handed-over` has a receipt
   * and waits for the portal; `refused` waits for a person.
   */
  stage: z.enum(['stored', 'sending', 'handed-over', 'refused']),
  /** Made together with many others: a person's single choice may be sent before it. */
  bulk: z.optional(z.boolean()),
  /** Problem code of a refused edit. */
  reason: z.optional(z.string()),
});

/** One row for each edit that has not settled. */
export type QueuedEdit = Readonly<z.output<typeof queuedEdit>>;

/** Whether a newer edit may replace this one: no byte of it was sent, or the proxy rejected it. */
export function isUnsent({ stage }: Pick<QueuedEdit, 'stage'>): boolean {
  return stage === 'stored' || stage === 'refused';
}

/**
 * The rows of the edit queue in IndexedDB. Their auto-increment key gives the order in which edits were made, independent of
 * the clock. The exception are edits that the proxy has already and that were written again after the database was lost.
 * A write resolves when it is complete with strict durability, so an edit shown as "on this device" survives the browser.
 *
 * Every function may reject. The queue handles the failure.
 */
export class EditTable {
  /** Called when the database was deleted while this page was open, and an empty one has replaced it. */
  onLost: () => void = () => undefined;
  readonly #db: TimeoutDatabase<'edits'>;
  #knownStores = '';
  #hasRequestedPersistence = false;

  constructor(name = 'vendor-inventory') {
    this.#db = new TimeoutDatabase<'edits'>(name, {
      version: 2,
      tables: ['edits'],
      upgrade(database, before, transaction) {
        if (before === 0) {
          const edits = database.createObjectStore('edits', { autoIncrement: true });
          edits.createIndex('owner', 'owner');
          edits.createIndex('edit', ['owner', 'edit_id'], { unique: true });
        }
        transaction.objectStore('edits').createIndex('item', ['owner', 'id']);
        // An empty store with a random name, by which this database differs from one that replaces it.
        database.createObjectStore(`made ${newEditId()}`);
      },
      onOpen: ({ objectStoreNames }) => {
        const stores = [...objectStoreNames].join();
        if (this.#knownStores && this.#knownStores !== stores) this.onLost();
        this.#knownStores = stores;
      },
    });
  }

  /**
   * Adds rows. It decides which ones in the same transaction, because another tab may be sending.
   *
   * @param rows those of one item in the order in which they were made
   * @param how `new` replaces the unsent rows of its item. `withdrawal` does so too, and is not added if the item had only
   *   unsent rows. `moved` is an earlier edit, and is not added if the item has a newer one
   * @param left edits that were sent, though the database could not store that
   * @returns the rows that are stored now, and the ids of the replaced ones
   */
  async add(
    rows: readonly QueuedEdit[],
    how: 'new' | 'withdrawal' | 'moved',
    left?: ReadonlyMap<EditId, unknown>,
  ): Promise<{ added: QueuedEdit[]; gone: EditId[] }> {
    const gone: EditId[] = [];
    const add = async (edits: IDBObjectStore, row: QueuedEdit): Promise<QueuedEdit | undefined> => {
      const others = await entries(edits.index('item'), [row.owner, row.id]);
      let key: number | undefined;
      if (how === 'moved') {
        // An earlier write of the row timed out and took effect all the same. A stage that it has reached since stays.
        const [storedKey, stored] = others.find(([, { edit_id }]) => edit_id === row.edit_id) ?? [];
        if (stored !== undefined && !isUnsent(stored)) return row;
        key = storedKey;
        const isOutdated =
          row.stage !== 'handed-over' && others.some(([, { updated_at }]) => updated_at > row.updated_at);
        if (key === undefined && isOutdated) return undefined;
      } else {
        const replaced = others.filter(([, other]) => isUnsent(other) && !left?.has(other.edit_id));
        for (const [replacedKey, { edit_id }] of replaced) {
          edits.delete(replacedKey);
          gone.push(edit_id);
        }
        if (how === 'withdrawal' && replaced.length > 0 && replaced.length === others.length) return undefined;
      }
      await promisifyRequest(key === undefined ? edits.add(row) : edits.put(row, key));
      return row;
    };
    const added = await this.#db.transact('readwrite', (edits) =>
      NativePromise.all(rows.map((row) => add(edits, row))),
    );
    this.#requestPersistence();
    return { added: added.filter((row) => row !== undefined), gone };
  }

  /**
   * Changes rows in one transaction.
   *
   * @param owner one owner, or a range of several
   * @param edits limits the change to those that are stored; all rows of the owner if it is absent
   * @param change returns `undefined` to remove the row
   * @returns the rows after the change
   */
  change(
    owner: string | IDBKeyRange,
    edits: readonly EditId[] | undefined,
    change: (row: QueuedEdit) => QueuedEdit | undefined,
  ): Promise<QueuedEdit[]> {
    return this.#db.transact('readwrite', async (table) => {
      const changeRows = async (index: string, query: IDBValidKey | IDBKeyRange): Promise<QueuedEdit[]> => {
        const changed: QueuedEdit[] = [];
        for (const [key, before] of await entries(table.index(index), query)) {
          const row = change(before);
          if (row === undefined) table.delete(key);
          else {
            changed.push(row);
            if (row !== before) table.put(row, key);
          }
        }
        return changed;
      };
      const byEdit = edits?.map((edit) => changeRows('edit', [owner as string, edit]));
      return (await NativePromise.all(byEdit ?? [changeRows('owner', owner)])).flat();
    });
  }

  /** @returns all rows of an owner, in the order in which the edits were made */
  all(owner: string): Promise<QueuedEdit[]> {
    return this.#db.transact('readonly', (table) =>
      promisifyRequest<unknown[]>(table.index('owner').getAll(owner)).then((rows) => rows.flatMap(toRows)),
    );
  }

  /** @returns those of the edits that are stored */
  some(owner: string, edits: readonly EditId[]): Promise<QueuedEdit[]> {
    return this.#db.transact('readonly', (table) =>
      NativePromise.all(edits.map((edit) => promisifyRequest<unknown>(table.index('edit').get([owner, edit])))).then(
        (rows) => rows.filter((row) => row !== undefined).flatMap(toRows),
      ),
    );
  }

  /** Requests persistent storage with the first edit and not before, because some browsers ask the person. */
  #requestPersistence(): void {
    // `storage` is absent on insecure origins. The queue works without the permission too, so the result is ignored.
    if (!this.#hasRequestedPersistence) {
      void (navigator as Partial<Navigator>).storage?.persist().catch(() => false);
    }
    this.#hasRequestedPersistence = true;
  }
}

function toRows(stored: unknown): QueuedEdit[] {
  const row = readStored(queuedEdit, stored, 'edits');
  return row === undefined ? [] : [row];
}

/** @returns rows with their keys in the order of the index; rows of one owner are in the order of their keys */
async function entries(index: IDBIndex, query: IDBValidKey | IDBKeyRange): Promise<[key: number, row: QueuedEdit][]> {
  const [keys, rows] = await NativePromise.all([
    promisifyRequest(index.getAllKeys(query)),
    promisifyRequest<unknown[]>(index.getAll(query)),
  ]);
  return rows.flatMap((stored, at) => toRows(stored).map((row): [number, QueuedEdit] => [keys[at] as number, row]));
}
