import { promisifyRequest } from 'idb-keyval';
import * as z from 'zod/mini';
import { editId, itemId, timestamp } from '../../contract/fields.js';
import type { EditId } from '../../domain/edit.js';
import { newEditId } from './edit-id.js';
import { PatientDb } from './database.js';
import { readStored } from './stored-rows.js';

const queuedEdit = z.object({
  /** Whose edits these are: proxy, vendor and subject. Rows of another person are neither shown nor sent. */
  owner: z.string(),
  edit_id: editId,
  id: itemId,
  available: z.boolean(),
  updated_at: timestamp,
  base: z.optional(timestamp),
  label: z.optional(z.string()),
  /**
   * `stored` waits to be sent; `sending` may have left, perhaps with a page that is gone; `handed-over` has a receipt and
   * waits for the portal; `refused` waits for a person.
   */
  stage: z.enum(['stored', 'sending', 'handed-over', 'refused']),
  /** Problem code, where refused. */
  reason: z.optional(z.string()),
});

/** One row for each edit that has not settled. */
export type QueuedEdit = Readonly<z.output<typeof queuedEdit>>;

/** No byte of it has left, or the proxy wants none of it: a newer wish may take its place. */
export function isUnsent({ stage }: Pick<QueuedEdit, 'stage'>): boolean {
  return stage === 'stored' || stage === 'refused';
}

/**
 * The queue's rows in IndexedDB; their key counts up, which is the order in which edits were made, whatever the clock says: but
 * for those that the proxy has already, and that were brought back to a disk which had lost them.
 * A write resolves when it is complete with strict durability, so that "on this device" is said of what survives the browser.
 *
 * Every function may reject: what to do then is the queue's business.
 */
export class QueueDb {
  /** The database was deleted under this page, and there is an empty one in its place. */
  onLost: () => void = () => undefined;
  readonly #db: PatientDb<'edits'>;
  #known = '';
  #hasAsked = false;

  constructor(name = 'vendor-inventory') {
    this.#db = new PatientDb<'edits'>(name, {
      version: 2,
      tables: ['edits'],
      upgrade(database, before, transaction) {
        if (before === 0) {
          const edits = database.createObjectStore('edits', { autoIncrement: true });
          edits.createIndex('owner', 'owner');
          edits.createIndex('edit', ['owner', 'edit_id'], { unique: true });
        }
        transaction.objectStore('edits').createIndex('item', ['owner', 'id']);
        // Empty: its name tells this database from another one that somebody makes in its place.
        database.createObjectStore(`made ${newEditId()}`);
      },
      onOpen: ({ objectStoreNames }) => {
        const stores = [...objectStoreNames].join();
        if (this.#known && this.#known !== stores) this.onLost();
        this.#known = stores;
      },
    });
  }

  /**
   * Adds rows, decided in the one transaction: another tab may be sending.
   *
   * @param rows of one item in the order in which they were made
   * @param how `new`: in the place of those of its item that nobody has sent. `withdrawal`: as well, and where it finds
   * nothing but such rows it is not added. `moved`: made earlier, so it gives way to a newer one of its item
   * @param left these have, though the disk could not be told
   * @returns those that are stored now, and the ones that gave way
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
        // An earlier try was taken for failed. What became of it since is kept.
        const [known, there] = others.find(([, { edit_id }]) => edit_id === row.edit_id) ?? [];
        if (there !== undefined && !isUnsent(there)) return row;
        key = known;
        const isOutdated =
          row.stage !== 'handed-over' && others.some(([, { updated_at }]) => updated_at > row.updated_at);
        if (key === undefined && isOutdated) return undefined;
      } else {
        const replaced = others.filter(([, other]) => isUnsent(other) && !left?.has(other.edit_id));
        for (const [unwanted, { edit_id }] of replaced) {
          edits.delete(unwanted);
          gone.push(edit_id);
        }
        if (how === 'withdrawal' && replaced.length > 0 && replaced.length === others.length) return undefined;
      }
      await promisifyRequest(key === undefined ? edits.add(row) : edits.put(row, key));
      return row;
    };
    const added = await this.#db.transact('readwrite', (edits) => Promise.all(rows.map((row) => add(edits, row))));
    this.#askToKeep();
    return { added: added.filter((row) => row !== undefined), gone };
  }

  /**
   * Changes rows in one transaction.
   *
   * @param owner one, or the range of several
   * @param edits of whatever is there of them; all of the owner where none is named
   * @param change `undefined` removes the row
   * @returns the rows as they are now
   */
  change(
    owner: string | IDBKeyRange,
    edits: readonly EditId[] | undefined,
    change: (row: QueuedEdit) => QueuedEdit | undefined,
  ): Promise<QueuedEdit[]> {
    return this.#db.transact('readwrite', async (table) => {
      const walk = async (index: string, query: IDBValidKey | IDBKeyRange): Promise<QueuedEdit[]> => {
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
      const walks = edits?.map((edit) => walk('edit', [owner as string, edit])) ?? [walk('owner', owner)];
      return (await Promise.all(walks)).flat();
    });
  }

  /** In the order in which they were made. */
  all(owner: string): Promise<QueuedEdit[]> {
    return this.#db.transact('readonly', (table) =>
      promisifyRequest<unknown[]>(table.index('owner').getAll(owner)).then((rows) => rows.flatMap(toRows)),
    );
  }

  /** What is there of these. */
  some(owner: string, edits: readonly EditId[]): Promise<QueuedEdit[]> {
    return this.#db.transact('readonly', (table) =>
      Promise.all(edits.map((edit) => promisifyRequest<unknown>(table.index('edit').get([owner, edit])))).then((rows) =>
        rows.filter((row) => row !== undefined).flatMap(toRows),
      ),
    );
  }

  /** Only now that there is something to lose: some browsers ask the person. */
  #askToKeep(): void {
    // Absent on insecure origins. Whatever the answer is, nothing depends on it.
    if (!this.#hasAsked) void (navigator as Partial<Navigator>).storage?.persist().catch(() => false);
    this.#hasAsked = true;
  }
}

function toRows(stored: unknown): QueuedEdit[] {
  const row = readStored(queuedEdit, stored, 'edits');
  return row === undefined ? [] : [row];
}

/** Rows with their keys, in the order of the index, which is that of the keys where they are of one owner. */
async function entries(index: IDBIndex, query: IDBValidKey | IDBKeyRange): Promise<[key: number, row: QueuedEdit][]> {
  const [keys, rows] = await Promise.all([
    promisifyRequest(index.getAllKeys(query)),
    promisifyRequest<unknown[]>(index.getAll(query)),
  ]);
  return rows.flatMap((stored, at) => toRows(stored).map((row): [number, QueuedEdit] => [keys[at] as number, row]));
}
