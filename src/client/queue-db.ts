import type { Edit, EditId } from '../domain/edit.js';
import { newEditId } from './edit-id.js';
import { answerOf, endOf, inTime, visitAll } from './indexed-db.js';

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

const VERSION = 2;
/** A browser whose storage hangs says nothing at all. */
const PATIENCE_MS = 5_000;
const STORE = 'edits';

/** No byte of it has left, or the proxy wants none of it: a newer wish may take its place. */
export function isUnsent({ stage }: Pick<QueuedEdit, 'stage'>): boolean {
  return stage === 'stored' || stage === 'refused';
}

/**
 * The queue's rows in IndexedDB; their key counts up, which is the order in which edits were made, whatever the clock says.
 * A write resolves when its transaction is complete with strict durability, so that "on this device" is said of what
 * survives the browser; what fails leaves nothing half done. A handle that died is opened again at the next call.
 *
 * Every function may reject: storage can be missing, full, forbidden, held by another tab, or not answer. What to do then
 * is the queue's business.
 */
export class QueueDb {
  /** The database was deleted under this page, and there is an empty one in its place. */
  onLost: () => void = () => undefined;
  readonly #name: string;
  #open: Promise<IDBDatabase> | undefined;
  #isStuck = false;
  #known = '';
  #hasAsked = false;

  constructor(name = 'vendor-inventory') {
    this.#name = name;
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
    const add = async (store: IDBObjectStore, row: QueuedEdit): Promise<QueuedEdit | undefined> => {
      if (how === 'moved') {
        const key = await answerOf<IDBValidKey | undefined>(store.index('edit').getKey([row.owner, row.edit_id]));
        if (key !== undefined) {
          // An earlier try was taken for failed.
          store.put(row, key);
          return row;
        }
      }
      let [replaced, others, isOutdated] = [0, 0, false];
      await visitAll<QueuedEdit>(store.index('item').openCursor([row.owner, row.id]), (other, cursor) => {
        if (how === 'moved') isOutdated ||= row.stage !== 'handed-over' && other.updated_at > row.updated_at;
        else if (isUnsent(other)) {
          cursor.delete();
          gone.push(other.edit_id);
          replaced += 1;
        } else others += 1;
      });
      if (isOutdated || (how === 'withdrawal' && replaced > 0 && others === 0)) return undefined;
      store.add(row);
      return row;
    };
    const added = await this.#transact('readwrite', (store) => Promise.all(rows.map((row) => add(store, row))));
    this.#askToKeep();
    return { added: added.filter((row) => row !== undefined), gone };
  }

  /**
   * Changes rows in one transaction.
   *
   * @param edits of whatever is there of them; all of the owner where none is named
   * @param change `undefined` removes the row
   * @returns the rows as they are now
   */
  change(
    owner: string,
    edits: readonly EditId[] | undefined,
    change: (row: QueuedEdit) => QueuedEdit | undefined,
  ): Promise<QueuedEdit[]> {
    return this.#transact('readwrite', async (store) => {
      const changed: QueuedEdit[] = [];
      const visit = (before: QueuedEdit, cursor: IDBCursorWithValue): void => {
        const row = change(before);
        if (row === undefined) cursor.delete();
        else if (row !== before) cursor.update(row);
        if (row !== undefined) changed.push(row);
      };
      const found = edits?.map((edit) => store.index('edit').openCursor([owner, edit]));
      await Promise.all((found ?? [store.index('owner').openCursor(owner)]).map((request) => visitAll(request, visit)));
      return changed;
    });
  }

  /** In the order in which they were made. */
  all(owner: string): Promise<QueuedEdit[]> {
    return this.#transact('readonly', (store) => answerOf<QueuedEdit[]>(store.index('owner').getAll(owner)));
  }

  /** What is there of these. */
  async some(owner: string, edits: readonly EditId[]): Promise<QueuedEdit[]> {
    const rows = await this.#transact('readonly', (store) =>
      Promise.all(edits.map((edit) => answerOf<QueuedEdit | undefined>(store.index('edit').get([owner, edit])))),
    );
    return rows.filter((row) => row !== undefined);
  }

  async #transact<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    const transaction = await this.#begin(mode);
    const end = endOf(transaction);
    try {
      const [result] = await inTime(Promise.all([work(transaction.objectStore(STORE)), end]), PATIENCE_MS);
      return result;
    } catch (error) {
      abort(transaction);
      if (error instanceof DOMException && error.name === 'TimeoutError') this.#forget();
      throw error;
    }
  }

  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const start = async () => (await this.#database()).transaction(STORE, mode, { durability: 'strict' });
    try {
      return await start();
    } catch (error) {
      // Browsers lose the connection of a live page without an event: a fresh one is tried once.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      this.#forget();
      return start();
    }
  }

  async #database(): Promise<IDBDatabase> {
    if (this.#isStuck) throw new DOMException('storage does not answer', 'TimeoutError');
    const open = (this.#open ??= this.#openAnew());
    try {
      return await inTime(open, PATIENCE_MS);
    } catch (error) {
      // Whoever waits for an answer that may never come waits once: it is tried again when it has come.
      if (this.#open === open) this.#isStuck = true;
      throw error;
    }
  }

  async #openAnew(): Promise<IDBDatabase> {
    try {
      const request = indexedDB.open(this.#name, VERSION);
      request.onupgradeneeded = ({ oldVersion }) => {
        upgrade(request, oldVersion);
      };
      const database = await answerOf<IDBDatabase>(request);
      // Another tab wants to upgrade or delete: let go, and look at once what is there then.
      database.onversionchange = () => {
        this.#forget();
        this.#database().catch(() => undefined);
      };
      database.onclose = () => {
        this.#open = undefined;
      };
      this.#isStuck = false;
      const stores = [...database.objectStoreNames].join();
      if (this.#known !== '' && this.#known !== stores) this.onLost();
      this.#known = stores;
      return database;
    } catch (error) {
      this.#isStuck = false;
      this.#open = undefined;
      throw error;
    }
  }

  /** Only now that there is something to lose: some browsers ask the person. */
  #askToKeep(): void {
    // Absent on insecure origins. Whatever the answer is, nothing depends on it.
    if (!this.#hasAsked && 'storage' in navigator) void navigator.storage.persist().catch(() => false);
    this.#hasAsked = true;
  }

  #forget(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.then((database) => void database.close()).catch(() => undefined);
  }
}

function upgrade({ result: database, transaction }: IDBOpenDBRequest, before: number): void {
  const edits =
    before === 0 ? database.createObjectStore(STORE, { autoIncrement: true }) : transaction?.objectStore(STORE);
  if (before === 0) {
    edits?.createIndex('owner', 'owner');
    edits?.createIndex('edit', ['owner', 'edit_id'], { unique: true });
  }
  edits?.createIndex('item', ['owner', 'id']);
  // Empty: its name tells this database from another one that somebody makes in its place.
  database.createObjectStore(`made ${newEditId()}`);
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself, as it does when the disk is full.
    return;
  }
}
