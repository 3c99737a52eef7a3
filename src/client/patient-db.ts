import {
  openDB,
  type DBSchema,
  type IDBPDatabase,
  type IDBPTransaction,
  type OpenDBCallbacks,
  type StoreNames,
} from 'idb';

/** A browser whose storage hangs says nothing at all. */
const PATIENCE_MS = 5_000;

export interface PatientDbOptions<Schema extends DBSchema> {
  readonly version: number;
  readonly upgrade: NonNullable<OpenDBCallbacks<Schema>['upgrade']>;
  /** It is open, for the first time or again: it may be another one than before. */
  readonly onOpen?: (database: IDBPDatabase<Schema>) => void;
}

/**
 * A database of the browser that is asked for an answer, and not waited for for ever. A transaction resolves when it is
 * complete with strict durability, and what fails leaves nothing half done. A handle that died is opened again at the next call;
 * another tab that wants to upgrade or delete gets its way, and what is there then is opened at once.
 *
 * Every call may reject: storage can be missing, full, forbidden, held by another tab, or not answer.
 */
export class PatientDb<Schema extends DBSchema> {
  readonly #name: string;
  readonly #options: PatientDbOptions<Schema>;
  #open: Promise<IDBPDatabase<Schema>> | undefined;
  #isStuck = false;

  constructor(name: string, options: PatientDbOptions<Schema>) {
    this.#name = name;
    this.#options = options;
  }

  async transact<T, Name extends StoreNames<Schema>, M extends 'readonly' | 'readwrite'>(
    stores: Name[],
    mode: M,
    work: (transaction: IDBPTransaction<Schema, Name[], M>) => Promise<T>,
  ): Promise<T> {
    const transaction = await this.#begin(stores, mode);
    try {
      const [result] = await inTime(Promise.all([work(transaction), transaction.done]));
      return result;
    } catch (error) {
      abort(transaction);
      if (error instanceof DOMException && error.name === 'TimeoutError') this.close();
      throw error;
    }
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.then((database) => void database.close()).catch(() => undefined);
  }

  async #begin<Name extends StoreNames<Schema>, M extends 'readonly' | 'readwrite'>(stores: Name[], mode: M) {
    const start = async () => (await this.#database()).transaction(stores, mode, { durability: 'strict' });
    try {
      return await start();
    } catch (error) {
      // Browsers lose the connection of a live page without an event: a fresh one is tried once.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      this.close();
      return start();
    }
  }

  async #database(): Promise<IDBPDatabase<Schema>> {
    if (this.#isStuck) throw new DOMException('storage does not answer', 'TimeoutError');
    const open = (this.#open ??= this.#openAnew());
    try {
      return await inTime(open);
    } catch (error) {
      // Whoever waits for an answer that may never come waits once: it is tried again when it has come.
      if (this.#open === open) this.#isStuck = true;
      throw error;
    }
  }

  async #openAnew(): Promise<IDBPDatabase<Schema>> {
    const { version, upgrade, onOpen } = this.#options;
    try {
      const database = await openDB<Schema>(this.#name, version, {
        upgrade,
        blocking: () => {
          this.close();
          this.#database().catch(() => undefined);
        },
        terminated: () => {
          this.#open = undefined;
        },
      });
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

function abort(transaction: { abort(): void; readonly done: Promise<void> }): void {
  transaction.done.catch(() => undefined);
  try {
    transaction.abort();
  } catch {
    // It has ended by itself, as it does when the disk is full.
    return;
  }
}

/** @throws {DOMException} `TimeoutError` where the work takes longer; it may end all the same */
function inTime<T>(work: Promise<T>): Promise<T> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(patience.reason as Error);
    };
    patience.addEventListener('abort', giveUp);
    const isOver = (): void => {
      patience.removeEventListener('abort', giveUp);
    };
    work.then(resolve, reject).then(isOver, isOver);
  });
}
