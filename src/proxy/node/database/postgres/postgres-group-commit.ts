import { randomUUID } from 'node:crypto';
import type { Client, QueryResult } from 'pg';
import { LeaseLost, StorageFailed } from '../../../outbox/outbox.js';
import type { Written } from '../outbox-rows.js';
import { connect, endQuietly, isBug, isLost, storageFailed } from './postgres-connection.js';
import type { ConnectionOptions, Queries, Statement } from './postgres-connection.js';
import { askDurable, expectDurable, SELECT_SETTINGS } from './postgres-database.js';
import { noteOf } from './postgres-news.js';

/** Work on many requests of one kind at once: it answers each. */
export type Together<Request, Answer> = (
  transaction: Queries,
  requests: readonly Request[],
) => Promise<readonly Written<Answer>[]>;

/** A request is answered together with its neighbours; other work comes alone. */
type Task<Request> =
  { readonly request: Request } | { readonly work: (transaction: Queries) => Promise<Written<unknown>> };

interface Job<Request> {
  readonly task: Task<Request>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** By the routine that speaks: its words come in the language of the database. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

type Outcome = { readonly written: Written<unknown> } | { readonly lost: LeaseLost };

/**
 * Writes of many callers in one transaction, as for SQLite (`sqlite-group-commit.ts`): they share one sync, and here also
 * the way to the server and back. Whoever calls while a group is on its way is in the next one.
 *
 * Transactions that write follow one another, over all processes: each takes the same lock first. So every one sees all
 * that was written before, nothing deadlocks, and numbers (sequence, revision) appear in the order of the commits. It costs
 * that one process waits while another commits, and its group grows meanwhile: the more load, the fewer transactions. The
 * lock goes with the transaction, and the server ends a transaction whose process says nothing any more.
 *
 * What others have to hear is sent with the commit: NOTIFY is part of it.
 */
export class PostgresGroupCommit<Request, Answer> {
  /** Names this process in what it tells others. */
  readonly sender = randomUUID();
  readonly #options: ConnectionOptions;
  readonly #together: Together<Request, Answer>;
  readonly #tell: (vendor: string) => void;
  #client: Client | undefined;
  #queue: Job<Request>[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: ConnectionOptions, together: Together<Request, Answer>, tell: (vendor: string) => void) {
    this.#options = options;
    this.#together = together;
    this.#tell = tell;
  }

  submit(request: Request): Promise<Answer> {
    return this.#add({ request }) as Promise<Answer>;
  }

  run<T>(work: (transaction: Queries) => Promise<Written<T>>): Promise<T> {
    return this.#add({ work }) as Promise<T>;
  }

  /** Resolves when what was asked for before is done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    if (this.#client !== undefined) await endQuietly(this.#client);
  }

  #add(task: Task<Request>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new StorageFailed('the outbox is closed');
      this.#queue.push({ task, resolve, reject });
      this.#running ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      // Everybody who calls in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#queue;
      this.#queue = [];
      await this.#commit(group);
    }
    this.#running = undefined;
  }

  async #commit(group: readonly Job<Request>[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#transact(group);
    } catch (error) {
      // One of them is wrong. Each for itself, so that it harms nobody but itself.
      if (group.length > 1 && !(error instanceof StorageFailed)) for (const job of group) await this.#commit([job]);
      else for (const job of group) job.reject(error);
      return;
    }
    for (const [index, outcome] of outcomes.entries()) {
      if ('lost' in outcome) group[index]?.reject(outcome.lost);
      else group[index]?.resolve(outcome.written.answer);
    }
    for (const vendor of changedBy(outcomes)) this.#tell(vendor);
  }

  async #transact(group: readonly Job<Request>[]): Promise<Outcome[]> {
    const client = await this.#begin();
    try {
      const outcomes = await this.#outcomes({ query: (...asked) => ask(client, ...asked) }, group);
      await this.#end(client, changedBy(outcomes));
      return outcomes;
    } catch (error) {
      // Whatever state it is in, the server undoes what was not committed when the connection goes.
      this.#client = undefined;
      void endQuietly(client);
      throw error;
    }
  }

  async #outcomes(transaction: Queries, group: readonly Job<Request>[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < group.length; at = outcomes.length) {
      const requests = requestsFrom(group, at);
      if (requests.length > 0) {
        const written = await this.#together(transaction, requests);
        outcomes.push(...written.map((one) => ({ written: one })));
        continue;
      }
      const task = group[at]?.task;
      if (task === undefined || !('work' in task)) throw new TypeError('a job is a request or work');
      try {
        outcomes.push({ written: await task.work(transaction) });
      } catch (error) {
        // Found out before anything is written.
        if (!(error instanceof LeaseLost)) throw error;
        outcomes.push({ lost: error });
      }
    }
    return outcomes;
  }

  /** A connection may have been lost since it was last used: then nothing has happened yet, and a new one will do. */
  async #begin(): Promise<Client> {
    const lock = `pg_advisory_xact_lock(hashtextextended('write ${this.#options.schema}', 0))`;
    const begin = async (client: Client): Promise<void> => {
      const text = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT ${lock}; ${SELECT_SETTINGS}`;
      const results: unknown = await client.query(text);
      expectDurable((results as readonly QueryResult<Record<string, string>>[]).at(-1)?.rows[0]);
    };
    const used = this.#client;
    if (used !== undefined) {
      try {
        await begin(used);
        return used;
      } catch (error) {
        this.#client = undefined;
        void endQuietly(used);
        if (!isLost(error)) throw storageFailed(error);
      }
    }
    const client = await connect(this.#options);
    try {
      await askDurable(client);
      await begin(client);
    } catch (error) {
      await endQuietly(client);
      throw storageFailed(error);
    }
    this.#client = client;
    return client;
  }

  async #end(client: Client, vendors: Iterable<string>): Promise<void> {
    const channel = client.escapeLiteral(this.#options.schema);
    const notes = Array.from(vendors, (vendor) => client.escapeLiteral(noteOf(this.sender, vendor)));
    const statements = [...notes.map((note) => `SELECT pg_notify(${channel}, ${note})`), 'COMMIT'];
    let results: unknown;
    let waitEnded = false;
    const hear = ({ routine }: { readonly routine?: string | undefined }): void => {
      waitEnded ||= routine === WAIT_FOR_STANDBY;
    };
    client.on('notice', hear);
    try {
      results = await client.query(statements.join('; '));
    } catch (error) {
      throw storageFailed(error);
    } finally {
      client.off('notice', hear);
    }
    // Somebody cancelled the wait: it is committed here, of which PostgreSQL only warns, and the standby may not have it.
    if (waitEnded) throw new StorageFailed('PostgreSQL did not wait for its standby: the statement was cancelled');
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    // A transaction that has failed is rolled back by COMMIT, without an error.
    if ((last as { readonly command?: string }).command !== 'COMMIT') {
      throw new StorageFailed('PostgreSQL did not commit');
    }
  }
}

async function ask<Row>(client: Client, statement: Statement, ...values: unknown[]): Promise<Row[]> {
  try {
    const { rows } = await client.query({ ...statement, values });
    return rows as Row[];
  } catch (error) {
    throw isBug(error) ? error : storageFailed(error);
  }
}

/** The requests in a row from there on. */
function requestsFrom<Request>(group: readonly Job<Request>[], start: number): Request[] {
  const requests: Request[] = [];
  for (const { task } of group.slice(start)) {
    if (!('request' in task)) break;
    requests.push(task.request);
  }
  return requests;
}

function changedBy(outcomes: readonly Outcome[]): Set<string> {
  return new Set(outcomes.flatMap((outcome) => ('written' in outcome ? [...outcome.written.changed] : [])));
}
