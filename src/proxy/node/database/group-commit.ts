import type { Scope, Transaction } from '../../outbox/sql/tables/database.js';
import { LeaseLost, StorageFailed } from '../../outbox/outbox.js';

interface Job {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly about: Scope;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A transaction that has begun. */
export interface Session {
  readonly transaction: Transaction;
  /** @throws {StorageFailed} where it is not certain that it is on the disk */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * A group of so many takes no more callers: those that are answered send more while the rest is written. With fewer it is mostly
 * syncs that are waited for.
 */
const ENOUGH_EDITS = 2_000;

/** A group collides with those of other processes so often, and no more. */
const MAX_TRIES = 5;

/** Another process has written the same at the same moment: once more, and this one sees it. */
export class Collision extends StorageFailed {}

/**
 * Writes of many callers in one transaction: they share one sync of the disk, which costs more than all of their work.
 *
 * Callers of one turn of the event loop are one group, or a few where it is about very many edits, and so are those that call
 * while a group is on its way; it runs when the turn ends, so that a lone caller waits for no other. Results are handed out after
 * the commit and not before. A job that fails does not harm its neighbours: the transaction is undone, and theirs are done once
 * more. When the disk fails nothing of the group is there, and each caller gets the error.
 *
 * Jobs run one after the other and see what earlier ones wrote.
 */
export class GroupCommit {
  readonly #begin: (about: readonly Scope[]) => Promise<Session>;
  readonly #committed: (changed: ReadonlySet<string>) => void;
  #queue: Job[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  /** @param committed gets the vendors whose edits changed */
  constructor(begin: (about: readonly Scope[]) => Promise<Session>, committed: (changed: ReadonlySet<string>) => void) {
    this.#begin = begin;
    this.#committed = committed;
  }

  run<T>(work: (transaction: Transaction) => Promise<T>, about: Scope = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) throw new StorageFailed('the outbox is closed');
      this.#queue.push({ work, about, resolve: (value) => resolve(value as T), reject });
      this.#running ??= this.#runAll();
    });
  }

  /** Resolves when what was asked for before is done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#queue.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      let jobs = 0;
      for (let edits = 0; edits < ENOUGH_EDITS && jobs < this.#queue.length; jobs += 1)
        edits += this.#queue[jobs]?.about.edits ?? 1;
      let group = this.#queue.splice(0, jobs);
      for (let tries = 1; group.length > 0; tries += 1) group = await this.#commit(group, tries < MAX_TRIES);
    }
    this.#running = undefined;
  }

  /** @returns the jobs that have to run once more, without the one that failed */
  async #commit(group: readonly Job[], mayCollide: boolean): Promise<Job[]> {
    const answers: (() => void)[] = [];
    let session: Session | undefined;
    try {
      session = await this.#begin(group.map(({ about }) => about));
      for (const job of group) {
        try {
          const value = await job.work(session.transaction);
          answers.push(() => job.resolve(value));
        } catch (error) {
          if (error instanceof StorageFailed) throw error;
          // That is found out before anything is written.
          if (error instanceof LeaseLost) answers.push(() => job.reject(error));
          else {
            await session.rollback();
            job.reject(error);
            return group.filter((other) => other !== job);
          }
        }
      }
      await session.commit();
    } catch (error) {
      await session?.rollback().catch(() => undefined);
      if (error instanceof Collision && mayCollide) return [...group];
      for (const job of group) job.reject(error);
      return [];
    }
    for (const answer of answers) answer();
    this.#committed(session.transaction.changed);
    return [];
  }
}
