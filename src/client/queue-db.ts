import type { DBSchema, IDBPObjectStore } from 'idb';
import type { Edit, EditId } from '../domain/edit.js';
import { newEditId } from './edit-id.js';
import { PatientDb } from './patient-db.js';

/** One row for each edit that has not settled. */
export interface QueuedEdit extends Edit {
  /** Whose edits these are: proxy, vendor and subject. Rows of somebody else are neither shown nor sent. */
  readonly owner: string;
  /**
   * `stored` waits to be sent, and nobody has seen it; `sending` may have left, perhaps with a page that is gone;
   * `handed-over` has a receipt and waits for the portal; `refused` waits for a person.
   */
  readonly stage: 'stored' | 'sending' | 'handed-over' | 'refused';
  /** Problem code, where refused. */
  readonly reason?: string | undefined;
}

interface QueueSchema extends DBSchema {
  /** The key counts up: the order in which edits were made, whatever the clock says. */
  edits: {
    key: number;
    value: QueuedEdit;
    indexes: { owner: string; edit: [string, string]; item: [string, string] };
  };
}

type Rows<M extends 'readonly' | 'readwrite'> = IDBPObjectStore<QueueSchema, 'edits'[], 'edits', M>;

/** No byte of it has left, or the proxy wants none of it: a newer wish may take its place. */
export function isUnsent({ stage }: Pick<QueuedEdit, 'stage'>): boolean {
  return stage === 'stored' || stage === 'refused';
}

/**
 * The queue's rows in IndexedDB; their key counts up, which is the order in which edits were made, whatever the clock says.
 * A write resolves when it is complete with strict durability, so that "on this device" is said of what survives the browser.
 *
 * Every function may reject: what to do then is the queue's business.
 */
export class QueueDb {
  /** The database was deleted under this page, and there is an empty one in its place. */
  onLost: () => void = () => undefined;
  readonly #db: PatientDb<QueueSchema>;
  #known = '';
  #hasAsked = false;

  constructor(name = 'vendor-inventory') {
    this.#db = new PatientDb<QueueSchema>(name, {
      version: 2,
      upgrade(database, before, _now, transaction) {
        if (before === 0) {
          const edits = database.createObjectStore('edits', { autoIncrement: true });
          edits.createIndex('owner', 'owner');
          edits.createIndex('edit', ['owner', 'edit_id'], { unique: true });
        }
        transaction.objectStore('edits').createIndex('item', ['owner', 'id']);
        // Empty: its name tells this database from another one that somebody makes in its place.
        database.createObjectStore(`made ${newEditId()}` as 'edits');
      },
      onOpen: ({ objectStoreNames }) => {
        const stores = [...objectStoreNames].join();
        if (this.#known !== '' && this.#known !== stores) this.onLost();
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
   * @returns those that are stored now, and the ones that gave way
   */
  async add(
    rows: readonly QueuedEdit[],
    how: 'new' | 'withdrawal' | 'moved',
  ): Promise<{ added: QueuedEdit[]; gone: EditId[] }> {
    const gone: EditId[] = [];
    const add = async (store: Rows<'readwrite'>, row: QueuedEdit): Promise<QueuedEdit | undefined> => {
      if (how === 'moved') {
        const key = await store.index('edit').getKey([row.owner, row.edit_id]);
        if (key !== undefined) {
          // An earlier try was taken for failed.
          await store.put(row, key);
          return row;
        }
      }
      let [replaced, others, isOutdated] = [0, 0, false];
      for (
        let cursor = await store.index('item').openCursor([row.owner, row.id]);
        cursor;
        cursor = await cursor.continue()
      ) {
        const other = cursor.value;
        if (how === 'moved') isOutdated ||= row.stage !== 'handed-over' && other.updated_at > row.updated_at;
        else if (isUnsent(other)) {
          await cursor.delete();
          gone.push(other.edit_id);
          replaced += 1;
        } else others += 1;
      }
      if (isOutdated || (how === 'withdrawal' && replaced > 0 && others === 0)) return undefined;
      await store.add(row);
      return row;
    };
    const added = await this.#transact('readwrite', (store) => Promise.all(rows.map((row) => add(store, row))));
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
    return this.#transact('readwrite', async (store) => {
      const changed: QueuedEdit[] = [];
      const walk = async (found: Promise<Cursor | null>): Promise<void> => {
        for (let cursor = await found; cursor; cursor = await cursor.continue()) {
          const row = change(cursor.value);
          if (row === undefined) await cursor.delete();
          else if (row !== cursor.value) await cursor.update(row);
          if (row !== undefined) changed.push(row);
        }
      };
      const found = edits?.map(
        (edit) => store.index('edit').openCursor([owner as string, edit]) as Promise<Cursor | null>,
      );
      await Promise.all((found ?? [store.index('owner').openCursor(owner) as Promise<Cursor | null>]).map(walk));
      return changed;
    });
  }

  /** In the order in which they were made. */
  all(owner: string): Promise<QueuedEdit[]> {
    return this.#transact('readonly', (store) => store.index('owner').getAll(owner));
  }

  /** What is there of these. */
  async some(owner: string, edits: readonly EditId[]): Promise<QueuedEdit[]> {
    const rows = await this.#transact('readonly', (store) =>
      Promise.all(edits.map((edit) => store.index('edit').get([owner, edit]))),
    );
    return rows.filter((row) => row !== undefined);
  }

  #transact<T, M extends 'readonly' | 'readwrite'>(mode: M, work: (store: Rows<M>) => Promise<T>): Promise<T> {
    return this.#db.transact(['edits'], mode, (transaction) => work(transaction.objectStore('edits')));
  }

  /** Only now that there is something to lose: some browsers ask the person. */
  #askToKeep(): void {
    // Absent on insecure origins. Whatever the answer is, nothing depends on it.
    if (!this.#hasAsked && 'storage' in navigator) void navigator.storage.persist().catch(() => false);
    this.#hasAsked = true;
  }
}

/** Of whichever index. */
interface Cursor {
  readonly value: QueuedEdit;
  delete(): Promise<void>;
  update(row: QueuedEdit): Promise<number>;
  continue(): Promise<Cursor | null>;
}
