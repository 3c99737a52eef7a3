import type SqliteDatabase from 'better-sqlite3';
import { StorageFailed } from '../../../outbox/outbox.js';
import { SQLITE, type Database, type Scope, type Transaction } from '../../../outbox/sql/tables/database.js';
import { GroupCommit, type Session } from '../group-commit.js';
import { isStorageError, storageFailed } from './sqlite-database.js';

type Value = string | number | null;

/**
 * SQLite in this process over one connection. Statements are synchronous. A read waits while a transaction is open, because
 * on the same connection it would see uncommitted data.
 */
export class SqliteDriver implements Database {
  readonly dialect = SQLITE;
  readonly #database: SqliteDatabase.Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement<unknown[]>>();
  readonly #listeners = new Set<(vendor: string) => void>();
  readonly #writes: GroupCommit;
  /** Resolves when the open transaction ends. */
  #open: Promise<void> | undefined;

  constructor(database: SqliteDatabase.Database) {
    this.#database = database;
    this.#writes = new GroupCommit(
      () => this.#begin(),
      (changed) => {
        for (const vendor of changed) for (const listener of this.#listeners) listener(vendor);
      },
    );
  }

  async query<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]> {
    while (this.#open !== undefined) await this.#open;
    return this.#run<Row>(sql, values);
  }

  now(callers: number): Promise<number> {
    return Promise.resolve(callers);
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>, about?: Scope): Promise<T> {
    return this.#writes.run(work, about);
  }

  subscribe(listener: (vendor: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#writes.close();
    this.#database.close();
  }

  #begin(): Promise<Session> {
    let ended: (() => void) | undefined;
    this.#run('BEGIN IMMEDIATE', []);
    this.#open = new Promise((resolve) => (ended = resolve));
    const end = (): void => {
      this.#open = undefined;
      ended?.();
    };
    const query = <Row>(sql: string, ...values: readonly Value[]): Promise<Row[]> =>
      new Promise((resolve) => {
        resolve(this.#run<Row>(sql, values));
      });
    return Promise.resolve({
      transaction: { dialect: SQLITE, query, now: (callers) => callers, changed: new Set<string>() },
      commit: () =>
        new Promise((resolve) => {
          this.#run('COMMIT', []);
          end();
          resolve();
        }),
      rollback: () =>
        new Promise((resolve) => {
          try {
            // After some errors SQLite has rolled back already.
            if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
          } finally {
            end();
          }
          resolve();
        }),
    });
  }

  #run<Row>(sql: string, values: readonly Value[]): Row[] {
    try {
      const statement = this.#prepare(sql);
      const named = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
      const bound = values.length === 0 ? [] : [named];
      if (statement.reader) return statement.all(...bound) as Row[];
      statement.run(...bound);
      return [];
    } catch (error) {
      if (!this.#database.open) throw new StorageFailed('the outbox is closed', { cause: error });
      throw isStorageError(error) ? storageFailed(this.#database.name, error) : error;
    }
  }

  /**
   * Prepares a statement so that it is planned once.
   *
   * SQLite plans a statement with a join or an ORDER BY again for each bound value, in case another plan is better for that
   * value. Here none is, and planning takes 5 to 30 times as long as running the statement. A unary plus before the
   * parameter disables that.
   */
  #prepare(sql: string): SqliteDatabase.Statement<unknown[]> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<unknown[]>(sql.replace(/\$(\d+)/g, '+?$1'));
    this.#statements.set(sql, statement);
    return statement;
  }
}
