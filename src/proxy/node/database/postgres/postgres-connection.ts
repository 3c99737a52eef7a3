import { Client, DatabaseError, Pool, types, type ClientConfig } from 'pg';
import { StorageFailed } from '../../../outbox/outbox.js';
import { Collision } from '../group-commit.js';

export type Value = string | number | Uint8Array | null;

export interface ConnectionOptions {
  readonly url: string;
  /** The schema of the tables, so that several programs can share a database. */
  readonly schema: string;
  /** Timeout of one statement in milliseconds. @default 15_000 */
  readonly statementMs?: number;
}

export const DEFAULT_SCHEMA = 'vendor_inventory';
const CONNECT_MS = 5_000;
/** Timeout of one statement, including its wait for locks. */
const STATEMENT_MS = 15_000;
/** Timeout for a lock. It is shorter, so that the database gives up first and reports the reason. */
export const LOCK_MS = STATEMENT_MS - 5_000;
const READERS = 4;
const BIGINT = 20;
/** Milliseconds on the database's clock at this moment, not at the start of the transaction. */
export const CLOCK = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';
/** Error codes of PostgreSQL (appendix A of its documentation). */
const TABLES_GONE = '42P01';
const NO_RIGHTS = '42501';
const NO_SCHEMA = '3F000';
const PREPARED_ALREADY = '42P05';
const NOT_PREPARED = '26000';
/** A unique violation, a serialization failure and a deadlock. */
const COLLISIONS = ['23505', '40001', '40P01'];
const IS_SHARED = 'a pooler before it lends one session to several connections; it has to be in session mode';
const IS_IT_THE_RIGHT_ONE =
  'is it the right database, and a pooler before it in session mode? A restart of the proxy makes the tables again';

/** As in the README. PostgreSQL reports "no schema has been selected" if the role may not use an existing schema. */
export const RIGHTS_NEEDED = 'the role needs CREATE on the database, or a schema of that name that is its own';

/**
 * The session settings of all connections of this outbox.
 *
 * Each statement is a few short index scans. Sequential scans and hash and merge joins are switched off, because before the
 * first ANALYZE the planner would choose them. A process that freezes within a transaction would block all others, so the
 * server ends its session. The timeouts are set here, because a role may have its own that are too short for waiting for
 * locks.
 */
function sessionOf(schema: string): string {
  return `SET search_path = ${schema}; SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off;
    SET enable_mergejoin = off; SET lock_timeout = ${String(LOCK_MS)}; SET statement_timeout = ${String(STATEMENT_MS)};
    SET idle_in_transaction_session_timeout = ${String(STATEMENT_MS)}`;
}

/** @throws {StorageFailed} */
export async function connect({ url, schema, statementMs = STATEMENT_MS }: ConnectionOptions): Promise<Client> {
  let client: Client | undefined;
  try {
    // This also reads the files that the URL names, such as the root certificate for verifying the server's certificate.
    client = new Client({ ...configOf(url), query_timeout: statementMs });
    // Without a listener a lost connection would end the process; instead, the next use of the connection fails.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(sessionOf(schema));
    return client;
  } catch (error) {
    if (client !== undefined) await endQuietly(client);
    throw storageFailed(error);
  }
}

interface Asked {
  query(sql: string): unknown;
}

/** A pool of connections for reads. */
export class Readers {
  readonly #pool: Pool;

  constructor({ url, schema }: ConnectionOptions) {
    // The pool awaits the returned promise, although its types do not say so.
    const onConnect = (client: Asked): unknown => client.query(sessionOf(schema));
    this.#pool = new Pool({ ...configOf(url), max: READERS, onConnect });
    this.#pool.on('error', () => undefined);
  }

  query<Row>(text: string, ...values: readonly Value[]): Promise<Row[]> {
    return ask<Row>(this.#pool, text, values);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

const NAMES = new Map<string, string>();

/** Runs a statement as a named prepared statement, which the server parses once per connection. */
export async function ask<Row>(connection: Client | Pool, text: string, values: readonly Value[]): Promise<Row[]> {
  const name = NAMES.get(text) ?? `s${String(NAMES.size)}`;
  NAMES.set(text, name);
  try {
    const { rows } = await connection.query({ name, text, values: [...values] });
    return rows as Row[];
  } catch (error) {
    throw isBug(error) ? error : storageFailed(error);
  }
}

export async function endQuietly(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // The connection was lost already, so there is nothing to end.
    return;
  }
}

/** Whether the statement is wrong. That is not the database's fault, so trying again would not help. */
export function isBug(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  // Wrong data, a violated constraint or wrong SQL. Missing tables, missing rights and sessions shared by a pooler are not
  // bugs: the operator can correct them.
  return (
    /^(?:22|23|42)/.test(error.code ?? '') && !hasCode(error, TABLES_GONE, NO_RIGHTS, PREPARED_ALREADY, ...COLLISIONS)
  );
}

function hasCode(error: Error, ...codes: readonly string[]): boolean {
  return error instanceof DatabaseError && codes.includes(error.code ?? '');
}

/** Whether the connection is lost, and the statement with it. */
export function isLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(?:08|57P)/.test(error.code ?? '');
}

export function storageFailed(error: unknown): StorageFailed {
  if (error instanceof StorageFailed) return error;
  if (error instanceof Error && hasCode(error, ...COLLISIONS))
    return new Collision(`PostgreSQL: ${explain(error)}`, { cause: error });
  return new StorageFailed(`PostgreSQL: ${explain(error)}`, { cause: error });
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of one host name were tried.
  if (error instanceof AggregateError) return error.errors.map(explain).join('; ');
  const [line = ''] = error.message.split('\n', 1);
  if (hasCode(error, TABLES_GONE)) return `${line}; ${IS_IT_THE_RIGHT_ONE}`;
  if (hasCode(error, PREPARED_ALREADY, NOT_PREPARED)) return `${line}; ${IS_SHARED}`;
  return hasCode(error, NO_RIGHTS, NO_SCHEMA) ? `${line}; ${RIGHTS_NEEDED}` : line;
}

function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'vendor-inventory',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    types: {
      // Times, timestamps and counts are far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT ? Number : (types.getTypeParser(oid, format) as (text: string) => unknown),
    },
  };
}
