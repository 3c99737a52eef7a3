import { randomUUID } from 'node:crypto';
import { escapeLiteral, type Client, type QueryResult } from 'pg';
import { StorageFailed } from '../../../outbox/outbox.js';
import type { Log } from '../../../runtime/log.js';
import { POSTGRES, type Database, type Scope, type Transaction } from '../../../outbox/sql/tables/database.js';
import { GroupCommit, type Session } from '../group-commit.js';
import {
  ask,
  CLOCK,
  connect,
  endQuietly,
  isLost,
  Readers,
  storageFailed,
  type ConnectionOptions,
  type Value,
} from './postgres-connection.js';
import { askDurable, expectDurable, SELECT_SETTINGS, type Settings } from './postgres-database.js';
import { toPayload, PostgresNotifications } from './postgres-notify.js';

/** The routine that issues the warning identifies it, because its text is in the language of the database. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

type Listener = (vendor: string, elsewhere?: boolean) => void;

/**
 * PostgreSQL over a few connections: one that writes, some that read, and one that listens.
 *
 * A transaction that writes first takes its locks, in the same order in all processes (`Scope`). Transactions on the same
 * vendor, or on a lane that is being delivered, run one after the other; all others run concurrently. So each sees all
 * earlier writes to its scope, there are no deadlocks, and the numbers and revisions of a vendor become visible in the
 * order of the commits. Locks end with their transaction, and the server ends the transaction of a process that is silent
 * for too long.
 *
 * Other processes are notified by NOTIFY in the same transaction, so a notification is sent only if the transaction
 * commits. A lost connection is a `StorageFailed`, and the next call reconnects.
 */
export class PostgresDriver implements Database {
  readonly dialect = POSTGRES;
  readonly readers: Readers;
  readonly notifications: PostgresNotifications;
  readonly #options: ConnectionOptions;
  readonly #clock: 'caller' | 'database';
  readonly #listeners = new Set<Listener>();
  readonly #writes: GroupCommit;
  /** Identifies this process in its notifications. */
  readonly #sender = randomUUID();
  #writer: Client | undefined;

  constructor(options: ConnectionOptions, clock: 'caller' | 'database', log?: Log) {
    this.#options = options;
    this.#clock = clock;
    this.readers = new Readers(options);
    this.#writes = new GroupCommit(
      (about) => this.#begin(about),
      (changed) => {
        for (const vendor of changed) this.#notify(vendor, false);
      },
    );
    this.notifications = new PostgresNotifications(options, this.#sender, (vendor) => this.#notify(vendor, true), log);
  }

  query<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]> {
    return this.readers.query<Row>(sql, ...values);
  }

  async now(callers: number): Promise<number> {
    if (this.#clock === 'caller') return callers;
    const [row] = await this.query<{ now: number }>(`SELECT ${CLOCK} AS now`);
    return row?.now ?? callers;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>, about?: Scope): Promise<T> {
    return this.#writes.run(work, about);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#writes.close();
    await Promise.all([this.#writer && endQuietly(this.#writer), this.notifications.close(), this.readers.close()]);
  }

  #notify(vendor: string, elsewhere: boolean): void {
    for (const listener of this.#listeners) listener(vendor, elsewhere);
  }

  async #begin(about: readonly Scope[]): Promise<Session> {
    const { client, clock } = await this.#connected(locksOf(this.#options.schema, about));
    const changed = new Set<string>();
    return {
      transaction: {
        dialect: POSTGRES,
        query: (sql, ...values) => ask(client, sql, values),
        now: (callers) => (this.#clock === 'caller' ? callers : clock),
        changed,
      },
      commit: () => this.#commit(client, changed),
      // In whatever state it is, the server rolls back the transaction when the connection ends.
      rollback: () => {
        this.#writer = undefined;
        return endQuietly(client);
      },
    };
  }

  /** A connection may have been lost since its last use. Then nothing has been written, and a new connection is used. */
  async #connected(locks: string): Promise<{ readonly client: Client; readonly clock: number }> {
    const used = this.#writer;
    if (used !== undefined) {
      try {
        return { client: used, clock: await this.#start(used, locks) };
      } catch (error) {
        this.#writer = undefined;
        void endQuietly(used);
        if (!isLost(error)) throw storageFailed(error);
      }
    }
    const client = await connect(this.#options);
    try {
      await askDurable(client);
      const clock = await this.#start(client, locks);
      this.#writer = client;
      return { client, clock };
    } catch (error) {
      await endQuietly(client);
      throw storageFailed(error);
    }
  }

  /** @returns the time of the database in milliseconds since the epoch */
  async #start(client: Client, locks: string): Promise<number> {
    const text = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${locks}; ${SELECT_SETTINGS}`;
    const results: unknown = await client.query(text);
    const settings = (results as readonly QueryResult<Settings>[]).at(-1)?.rows[0];
    expectDurable(settings);
    return Number(settings?.now);
  }

  async #commit(client: Client, vendors: Iterable<string>): Promise<void> {
    const channel = client.escapeLiteral(this.#options.schema);
    const payloads = Array.from(vendors, (vendor) => client.escapeLiteral(toPayload(this.#sender, vendor)));
    const statements = [...payloads.map((payload) => `SELECT pg_notify(${channel}, ${payload})`), 'COMMIT'];
    let results: unknown;
    let waitEnded = false;
    const onNotice = ({ routine }: { readonly routine?: string | undefined }): void => {
      waitEnded ||= routine === WAIT_FOR_STANDBY;
    };
    client.on('notice', onNotice);
    try {
      results = await client.query(statements.join('; '));
    } catch (error) {
      throw storageFailed(error);
    } finally {
      client.off('notice', onNotice);
    }
    // An operator has cancelled the wait. The commit is on this server, of which PostgreSQL only warns, and may be missing
    // on the standby.
    if (waitEnded) throw new StorageFailed('PostgreSQL did not wait for its standby: the statement was cancelled');
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    // A transaction that has failed is rolled back by COMMIT, without an error.
    if ((last as { readonly command?: string }).command !== 'COMMIT') {
      throw new StorageFailed('PostgreSQL did not commit');
    }
  }
}

/** The statement that takes the locks of these scopes, sorted. */
function locksOf(schema: string, about: readonly Scope[]): string {
  const isShared = new Map<string, boolean>([['', true]]);
  const add = (key: string, shared: boolean): void => {
    isShared.set(key, shared && (isShared.get(key) ?? true));
  };
  for (const { vendor, into = [], lane, rowsOnly } of about) {
    if (vendor !== undefined) add(JSON.stringify({ vendor }), false);
    for (const name of into) add(JSON.stringify({ lane: name }), true);
    if (lane !== undefined) add(JSON.stringify({ lane }), false);
    if (vendor === undefined && into.length === 0 && lane === undefined && rowsOnly !== true) add('', false);
  }
  // The exclusive lock on everything includes all others.
  const wanted =
    isShared.get('') === true ? [...isShared].sort(([a], [b]) => (a < b ? -1 : 1)) : [['', false] as const];
  const locks = wanted.map(([key, shared]) => {
    const number = `hashtextextended(${escapeLiteral(`write ${schema} ${key}`)}, 0)`;
    return `pg_advisory_xact_lock${shared ? '_shared' : ''}(${number})`;
  });
  return locks.map((lock) => `SELECT ${lock}`).join('; ');
}
