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

/** By the routine that speaks: its words come in the language of the database. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

type Listener = (vendor: string, elsewhere?: boolean) => void;

/**
 * PostgreSQL over a few connections: one that writes, some that read, and one that listens.
 *
 * A transaction that writes takes its locks first, in one order over all processes (`Scope`): those that are about one vendor, or
 * about a lane that is being delivered, follow one another, and all others run side by side. So every one sees all that was
 * written before of what it is about, nothing deadlocks, and a vendor's numbers and revisions appear in the order of the commits.
 * The locks go with the transaction, and the server ends a transaction whose process says nothing any more.
 *
 * What others have to hear is sent with the commit: NOTIFY is part of it. A lost connection is a `StorageFailed`, and the next
 * call finds the database again.
 */
export class PostgresDriver implements Database {
  readonly dialect = POSTGRES;
  readonly readers: Readers;
  readonly notifications: PostgresNotifications;
  readonly #options: ConnectionOptions;
  readonly #clock: 'caller' | 'database';
  readonly #listeners = new Set<Listener>();
  readonly #writes: GroupCommit;
  /** Names this process in what it tells others. */
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
      // Whatever state it is in, the server undoes what was not committed when the connection goes.
      rollback: () => {
        this.#writer = undefined;
        return endQuietly(client);
      },
    };
  }

  /** A connection may have been lost since it was last used: then nothing has happened yet, and a new one will do. */
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

  /** @returns what time it is there */
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
    // An operator cancelled the wait: it is committed here, of which PostgreSQL only warns, and the standby may not have it.
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
  // Alone with everything, it needs no other.
  const wanted =
    isShared.get('') === true ? [...isShared].sort(([a], [b]) => (a < b ? -1 : 1)) : [['', false] as const];
  const locks = wanted.map(([key, shared]) => {
    const number = `hashtextextended(${escapeLiteral(`write ${schema} ${key}`)}, 0)`;
    return `pg_advisory_xact_lock${shared ? '_shared' : ''}(${number})`;
  });
  return locks.map((lock) => `SELECT ${lock}`).join('; ');
}
