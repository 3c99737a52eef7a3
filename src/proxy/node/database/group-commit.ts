import type { Scope, Transaction } from '../../outbox/sql/tables/database.js';
import { LeaseLost, StorageFailed } from '../../outbox/outbox.js';

interface Job {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly about: Scope;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** An open transaction. */
export interface Session {
  readonly transaction: Transaction;
  /** @throws {StorageFailed} if it is not certain that the transaction is on the disk */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * A group with this many edits takes no more callers, so that answered callers can send more while the rest is written. In
 * smaller groups, the sync of the disk dominates the time.
 */
const ENOUGH_EDITS = 2_000;

/** A group is tried this often when it collides with transactions of other processes. */
const MAX_TRIES = 5;

/** Another process has written a conflicting row at the same moment. The transaction is repeated and then sees that row. */
export class Collision extends StorageFailed {}

/**
 * Writes the work of many callers in one transaction, so that they share one sync of the disk, which costs more than all of
 * their work.
 *
 * Callers of the same turn of the event loop form one group, or several if they have very many edits. So do callers that
 * arrive while a group is being written. A group starts when the turn ends, so a single caller does not wait for others.
 * Results are returned only after the commit. A job that fails does not affect the others: the transaction is rolled back,
 * and the other jobs are repeated. If the disk fails, nothing of the group is stored, and each caller gets the error.
 *
 * Jobs run one after the other and see the writes of earlier ones.
 */
export class GroupCommit {
  readonly #begin: (about: readonly Scope[]) => Promise<Session>;
  readonly #committed: (changed: ReadonlySet<string>) => void;
  #queue: Job[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  /** @param committed called with the vendors whose edits changed */
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

  /** Resolves when all earlier calls are done. */
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

  /** @returns the jobs that have to be repeated, without the one that failed */
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
          // `LeaseLost` is thrown before the first write, so the transaction can go on.
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
