import { NativePromise, promisifyRequest } from './native-promise.js';

/** Rejects with the signal's `TimeoutError` after that time. The work itself goes on and may still take effect. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const timeout = AbortSignal.timeout(milliseconds);
  const timedOut = new NativePromise<never>((_, reject) => {
    timeout.addEventListener('abort', () => {
      reject(timeout.reason as Error);
    });
  });
  return NativePromise.race([work, timedOut]);
}

/** Storage of some browsers can hang, and then sends no event at all. */
const OPEN_TIMEOUT_MS = 5_000;
/** Longer, because a hundred thousand rows are read in one transaction, which takes time on a slow phone. */
const TRANSACTION_TIMEOUT_MS = 20_000;

export interface TimeoutDatabaseOptions<Table extends string> {
  readonly version: number;
  /** Every transaction spans all tables, and passes them in this order. */
  readonly tables: readonly Table[];
  /** Default: creates all tables. @param before the stored version, 0 for a new database */
  readonly upgrade?: (database: IDBDatabase, before: number, transaction: IDBTransaction) => void;
  /** Called after each opening. The database may be another one than before, if that one was deleted. */
  readonly onOpen?: (database: IDBDatabase) => void;
}

/**
 * A database in IndexedDB whose calls have a timeout. A transaction resolves when it is complete with strict durability; one
 * that fails has no effect. A connection that was lost is opened again at the next call. If another tab upgrades or deletes
 * the database, this one gives way and opens the new database at once.
 *
 * Every call may reject: storage can be missing, full, forbidden, blocked by another tab, or hang.
 */
export class TimeoutDatabase<Table extends string> {
  readonly #name: string;
  readonly #options: TimeoutDatabaseOptions<Table>;
  #open: Promise<IDBDatabase> | undefined;
  #isStuck = false;

  constructor(name: string, options: TimeoutDatabaseOptions<Table>) {
    this.#name = name;
    this.#options = options;
  }

  /** @param work may await requests of this transaction only: IndexedDB commits a transaction that has no pending request */
  async transact<T>(mode: 'readonly' | 'readwrite', work: (...tables: IDBObjectStore[]) => Promise<T>): Promise<T> {
    const transaction = await this.#begin(mode);
    try {
      const tables = this.#options.tables.map((table) => transaction.objectStore(table));
      const [result] = await withTimeout(
        NativePromise.all([work(...tables), promisifyRequest(transaction)]),
        TRANSACTION_TIMEOUT_MS,
      );
      return result;
    } catch (error) {
      abort(transaction);
      if ((error as Error).name === 'TimeoutError') this.close();
      throw error;
    }
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.then((database) => void database.close()).catch(() => undefined);
  }

  async #begin(mode: 'readonly' | 'readwrite'): Promise<IDBTransaction> {
    const { tables } = this.#options;
    const start = async () => (await this.#database()).transaction(tables, mode, { durability: 'strict' });
    try {
      return await start();
    } catch (error) {
      // Browsers may lose the connection of a live page without an event, so a new one is tried once.
      if ((error as Error).name !== 'InvalidStateError') throw error;
      this.close();
      return start();
    }
  }

  async #database(): Promise<IDBDatabase> {
    if (this.#isStuck) throw new DOMException('storage is silent', 'TimeoutError');
    const open = (this.#open ??= this.#connect());
    try {
      return await withTimeout(open, OPEN_TIMEOUT_MS);
    } catch (error) {
      // Only one call waits for an opening that hangs. Later calls reject at once, until the opening has ended.
      if (this.#open === open) this.#isStuck = true;
      throw error;
    }
  }

  async #connect(): Promise<IDBDatabase> {
    const {
      version,
      tables,
      upgrade = (created) => {
        for (const name of tables) created.createObjectStore(name);
      },
      onOpen,
    } = this.#options;
    try {
      const request = indexedDB.open(this.#name, version);
      request.onupgradeneeded = ({ oldVersion }) => {
        upgrade(request.result, oldVersion, request.transaction as IDBTransaction);
      };
      const database = await promisifyRequest(request);
      database.onversionchange = () => {
        this.close();
        this.#database().catch(() => undefined);
      };
      database.onclose = () => {
        this.#open = undefined;
      };
      onOpen?.(database);
      return database;
    } catch (error) {
      this.#open = undefined;
      throw error;
    } finally {
      this.#isStuck = false;
    }
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The browser has aborted it already, as it does when the disk is full.
    return;
  }
}
