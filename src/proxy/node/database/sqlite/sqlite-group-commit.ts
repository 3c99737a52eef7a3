import type Database from 'better-sqlite3';
import { StorageFailed } from '../../../outbox/outbox.js';
import { isStorageError, storageFailed } from './sqlite-database.js';

interface Job {
  readonly work: () => unknown;
  readonly edits: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What is kept in memory of what is on the disk. */
export interface Kept {
  /** Whether a job of this transaction has something that `write` has yet to write. */
  readonly isUnwritten: boolean;
  /** Called before the commit. */
  write(): void;
  /** Called after a transaction was undone: what is on the disk has to be read again. */
  forget(): void;
}

const NOTHING_KEPT: Kept = { isUnwritten: false, write: () => undefined, forget: () => undefined };

/**
 * A group of so many takes nobody else: whoever is answered sends more while the rest is written. With fewer it is mostly syncs
 * that are waited for.
 */
const ENOUGH_EDITS = 2_000;

/**
 * Writes of many callers in one transaction: they share one sync of the disk, which costs more than all of their work.
 *
 * Whoever calls in one turn of the event loop is one group, or a few where it is about very many edits; it runs when the turn
 * ends, so that a lone caller waits for nobody. Results are handed out after the commit and not before. A job that fails does
 * not harm its neighbours: its writes are undone, theirs are done. When the disk fails nothing of the group is there, and each
 * caller hears so.
 *
 * Jobs run one after the other and see what earlier ones wrote. They may run twice, so they touch nothing but the
 * database, and what `kept` reads from it again.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement<[]>;
  readonly #commit: Database.Statement<[]>;
  readonly #changes: Database.Statement<[], number>;
  readonly #kept: Kept;
  #queue: Job[] = [];

  constructor(database: Database.Database, kept = NOTHING_KEPT) {
    this.#database = database;
    this.#kept = kept;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /** @param edits that it is about */
  run<T>(work: () => T, edits = 1): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!this.#database.open) throw new StorageFailed('the outbox is closed');
      if (this.#queue.length === 0) this.#runLater();
      this.#queue.push({ work, edits, resolve: (value) => resolve(value as T), reject });
    });
  }

  /** Runs what is queued, now. */
  flush(): void {
    while (this.#queue.length > 0) this.#runNext();
  }

  #runLater(): void {
    setImmediate(() => {
      try {
        this.#runNext();
      } finally {
        if (this.#queue.length > 0) this.#runLater();
      }
    });
  }

  #runNext(): void {
    let jobs = 0;
    for (let edits = 0; edits < ENOUGH_EDITS && jobs < this.#queue.length; jobs += 1)
      edits += this.#queue[jobs]?.edits ?? 0;
    let group = this.#queue.splice(0, jobs);
    while (group.length > 0) group = this.#run(group);
  }

  /** @returns the jobs that have to run once more, without the one that failed after something was written */
  #run(group: readonly Job[]): Job[] {
    const answers: (() => void)[] = [];
    try {
      this.#begin.run();
      const before = this.#changes.get();
      for (const job of group) {
        try {
          const value = job.work();
          answers.push(() => job.resolve(value));
        } catch (error) {
          if (isStorageError(error)) throw error;
          // Which of them wrote is not worth asking after each: most groups come to a good end.
          if (this.#kept.isUnwritten || this.#changes.get() !== before) {
            this.#rollBack();
            job.reject(error);
            return group.filter((other) => other !== job);
          }
          answers.push(() => job.reject(error));
        }
      }
      this.#kept.write();
      this.#commit.run();
    } catch (error) {
      const failed = storageFailed(this.#database.name, error);
      this.#rollBack();
      for (const job of group) job.reject(failed);
      return [];
    }
    for (const answer of answers) answer();
    return [];
  }

  #rollBack(): void {
    // After some errors SQLite has rolled back by itself.
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    this.#kept.forget();
  }
}
