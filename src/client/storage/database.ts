import { promisifyRequest } from 'idb-keyval';

/** What does not settle in time rejects with the `TimeoutError` of the signal; the work may end all the same. */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const patience = AbortSignal.timeout(milliseconds);
  const isOver = new Promise<never>((_, reject) => {
    patience.addEventListener('abort', () => {
      reject(patience.reason as Error);
    });
  });
  return Promise.race([work, isOver]);
}

/** A browser whose storage hangs says nothing at all. */
const PATIENCE_MS = 5_000;
/** Of one that has opened: a hundred thousand rows are read in one piece, which takes a slow phone longer. */
const WORKING_PATIENCE_MS = 20_000;

export interface PatientDbOptions<Table extends string> {
  readonly version: number;
  /** Every transaction is about all of them, in this order. */
  readonly tables: readonly Table[];
  /** Where nothing is said, all tables are made. @param before the version that is there, 0 where there is none */
  readonly upgrade?: (database: IDBDatabase, before: number, transaction: IDBTransaction) => void;
  /** It is open, for the first time or again: it may be another one than before. */
  readonly onOpen?: (database: IDBDatabase) => void;
}

/**
 * A database of the browser that is asked for an answer, and not waited for for ever. A transaction resolves when it is
 * complete with strict durability, and what fails leaves nothing half done. A handle that died is opened again at the next call;
 * another tab that wants to upgrade or delete gets its way, and what is there then is opened at once.
 *
 * Every call may reject: storage can be missing, full, forbidden, held by another tab, or not answer.
 */
export class PatientDb<Table extends string> {
  readonly #name: string;
  readonly #options: PatientDbOptions<Table>;
  #open: Promise<IDBDatabase> | undefined;
  #isStuck = false;

  constructor(name: string, options: PatientDbOptions<Table>) {
    this.#name = name;
    this.#options = options;
  }

  /** @param work ends with its last request: a transaction waits for nothing else */
  async transact<T>(mode: 'readonly' | 'readwrite', work: (...tables: IDBObjectStore[]) => Promise<T>): Promise<T> {
    const transaction = await this.#begin(mode);
    try {
      const tables = this.#options.tables.map((table) => transaction.objectStore(table));
      const [result] = await inTime(Promise.all([work(...tables), promisifyRequest(transaction)]), WORKING_PATIENCE_MS);
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
      // Browsers lose the connection of a live page without an event: a fresh one is tried once.
      if ((error as Error).name !== 'InvalidStateError') throw error;
      this.close();
      return start();
    }
  }

  async #database(): Promise<IDBDatabase> {
    if (this.#isStuck) throw new DOMException('storage is silent', 'TimeoutError');
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
    const {
      version,
      tables,
      upgrade = (made) => {
        for (const name of tables) made.createObjectStore(name);
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
    // It has ended by itself, as it does when the disk is full.
    return;
  }
}
