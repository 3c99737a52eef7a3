import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { LeaseLost, StorageFailed } from '../outbox.js';
import type { Written } from './outbox-rows.js';
import {
  connect,
  endQuietly,
  isBug,
  storageFailed,
  type ConnectionOptions,
  type Queries,
  type Statement,
} from './postgres-connection.js';
import { expectDurable } from './postgres-database.js';

/** Work on many requests of one kind at once: it answers each. */
export type Together<Request, Answer> = (
  transaction: Queries,
  requests: readonly Request[],
) => Promise<readonly Written<Answer>[]>;

interface Job<Request> {
  /** A request that is answered together with its neighbours, or work of its own kind. */
  readonly task: { readonly request: Request } | { readonly work: (transaction: Queries) => Promise<Written<unknown>> };
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

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

  #add(task: Job<Request>['task']): Promise<unknown> {
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
    try {
      const outcomes = await this.#transact(group);
      for (const [index, outcome] of outcomes.entries()) {
        const job = group[index];
        if ('lost' in outcome) job?.reject(outcome.lost);
        else job?.resolve(outcome.written.answer);
      }
      for (const vendor of changedBy(outcomes)) this.#tell(vendor);
    } catch (error) {
      // One job is wrong. Each for itself, so that it harms nobody but itself.
      if (group.length > 1 && !(error instanceof StorageFailed)) for (const job of group) await this.#commit([job]);
      else for (const job of group) job.reject(error);
    }
  }

  async #transact(group: readonly Job<Request>[]): Promise<Outcome[]> {
    const { schema } = this.#options;
    const client = await this.#connected();
    try {
      await client.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(hashtextextended('write ${schema}', 0))`,
      );
      const outcomes = await this.#outcomes(new Transaction(client), group);
      await this.#end(client, [...changedBy(outcomes)]);
      return outcomes;
    } catch (error) {
      // Never to be used again: whatever state it is in, the server undoes what was not committed.
      this.#client = undefined;
      await endQuietly(client);
      throw error instanceof LeaseLost || isBug(error) || !isFromDriver(error) ? error : storageFailed(error);
    }
  }

  async #outcomes(transaction: Queries, group: readonly Job<Request>[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let requests: Request[] = [];
    const answer = async (): Promise<void> => {
      if (requests.length > 0) {
        const written = await this.#together(transaction, requests);
        outcomes.push(...written.map((one) => ({ written: one })));
      }
      requests = [];
    };
    for (const { task } of group) {
      if ('request' in task) {
        requests.push(task.request);
        continue;
      }
      await answer();
      try {
        outcomes.push({ written: await task.work(transaction) });
      } catch (error) {
        // Found out before anything is written.
        if (!(error instanceof LeaseLost)) throw error;
        outcomes.push({ lost: error });
      }
    }
    await answer();
    return outcomes;
  }

  async #end(client: Client, vendors: readonly string[]): Promise<void> {
    const notes = vendors.map((vendor) => client.escapeLiteral(`${this.sender} ${vendor}`));
    const channel = client.escapeLiteral(this.#options.schema);
    const results: unknown = await client.query(
      [...notes.map((note) => `SELECT pg_notify(${channel}, ${note})`), 'COMMIT'].join('; '),
    );
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    // A transaction that has failed is rolled back by COMMIT, without an error.
    if ((last as { command?: string }).command !== 'COMMIT') throw new StorageFailed('PostgreSQL did not commit');
  }

  async #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const client = await connect(this.#options);
    try {
      await expectDurable(client);
    } catch (error) {
      await endQuietly(client);
      throw storageFailed(error);
    }
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    this.#client = client;
    return client;
  }
}

class Transaction implements Queries {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async query<Row>(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    try {
      const { rows } = await this.#client.query({ ...statement, values });
      return rows as Row[];
    } catch (error) {
      throw isBug(error) ? error : storageFailed(error);
    }
  }
}
