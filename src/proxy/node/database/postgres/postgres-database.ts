import type { Client } from 'pg';
import type { Log } from '../../../runtime/log.js';
import { StorageFailed } from '../../../outbox/outbox.js';
import { POSTGRES } from '../../../outbox/sql/tables/database.js';
import { schemaFor, SCHEMA_VERSION } from '../../../outbox/sql/tables/schema.js';
import { CLOCK, connect, endQuietly, LOCK_MS, storageFailed, type ConnectionOptions } from './postgres-connection.js';
import { TOKEN_TABLE } from './postgres-tokens.js';

/** How long another process may take to create the tables. */
const MIGRATION_MS = 60 * 60_000;

/** Settings with which the database would silently break a promise of the outbox. */
const PROMISES = [
  { setting: 'fsync', wrong: ['off'], why: 'a power cut would damage the database' },
  { setting: 'full_page_writes', wrong: ['off'], why: 'a power cut would damage the database' },
  { setting: 'synchronous_commit', wrong: ['off'], why: 'a crash would lose what was promised' },
  { setting: 'transaction_read_only', wrong: ['on'], why: 'nothing could be written; is it a standby?' },
] as const;

export type Settings = Readonly<Record<string, string | null>> & { readonly now: string };

const NAMES = [...PROMISES.map(({ setting }) => setting), 'server_encoding'];

/** Selects one row of `Settings`. They may change while a connection is open, by `ALTER SYSTEM` and a reload. */
export const SELECT_SETTINGS = `SELECT ${NAMES.map((name) => `current_setting('${name}', true) AS ${name}`).join()}, ${CLOCK} AS now`;

/** @throws {StorageFailed} with one clear line if the database could lose what it has committed */
export function expectDurable(settings: Settings | undefined): void {
  const valueOf = (name: string): string => settings?.[name] ?? 'unknown';
  for (const { setting, wrong, why } of PROMISES) {
    const value = valueOf(setting);
    if (value === 'unknown' || wrong.some((one) => one === value)) {
      throw new StorageFailed(`PostgreSQL has ${setting} = ${value}: ${why}`);
    }
  }
  if (valueOf('server_encoding') !== 'UTF8') {
    throw new StorageFailed(`PostgreSQL has server_encoding = ${valueOf('server_encoding')}; this needs UTF8`);
  }
}

/** @throws {StorageFailed} as `expectDurable` */
export async function askDurable(client: Client): Promise<void> {
  const { rows } = await client.query<Settings>(SELECT_SETTINGS);
  expectDurable(rows[0]);
}

/**
 * Checks the tables for a command that only reads them. It changes nothing.
 *
 * @returns how many milliseconds the database's clock is ahead of this machine's clock
 * @throws {StorageFailed} if no proxy of this version has created its tables
 */
export async function expectTables(options: ConnectionOptions): Promise<{ readonly clockAhead: number }> {
  const { schema } = options;
  const client = await connect(options);
  try {
    const asked = Date.now();
    const found = await client.query<{ now: number; made: boolean }>(
      `SELECT ${CLOCK} AS now, to_regclass($1) IS NOT NULL AS made`,
      [`${schema}.migration`],
    );
    const received = Date.now();
    if (found.rows[0]?.made !== true) throw new StorageFailed(`no proxy has made its tables in schema ${schema} yet`);
    const last = await client.query<{ version: number }>('SELECT max(version) AS version FROM migration');
    if (last.rows[0]?.version !== SCHEMA_VERSION) {
      throw new StorageFailed(
        `the tables in schema ${schema} are those of another version; use the command of that one`,
      );
    }
    return { clockAhead: Math.round(found.rows[0].now - (asked + received) / 2) };
  } catch (error) {
    throw storageFailed(error);
  } finally {
    await endQuietly(client);
  }
}

/**
 * Creates the tables if there are none. If several proxies start at once, one does it and the others wait.
 *
 * @throws {StorageFailed} with one clear line, before anything is changed; or the signal's reason if it is aborted
 */
export async function createTables(
  options: ConnectionOptions,
  { log, signal }: { readonly log: Log | undefined; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { schema } = options;
  const client = await connect({ ...options, statementMs: MIGRATION_MS });
  // Ending the connection fails pending statements and rolls back the transaction.
  const giveUp = (): void => void endQuietly(client);
  signal?.addEventListener('abort', giveUp);
  try {
    signal?.throwIfAborted();
    await askDurable(client);
    // The wait for another process may be long. A lock on a table is never awaited so long, because all others would queue
    // behind it.
    await client.query(
      // A role may have a shorter timeout of its own, in which the work could never finish.
      `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${String(MIGRATION_MS)};
      SET LOCAL lock_timeout = ${String(MIGRATION_MS)}`,
    );
    const lock = `advisory_xact_lock(hashtextextended('migrate ${schema}', 0))`;
    const tried = await client.query<{ locked: boolean }>(`SELECT pg_try_${lock} AS locked`);
    if (tried.rows[0]?.locked !== true) {
      log?.('info', 'another process creates the tables; waiting for it');
      await client.query(`SELECT pg_${lock}`);
    }
    await client.query(`SET LOCAL lock_timeout = ${String(LOCK_MS)}`);
    const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
    if (found.rows.length === 0) await client.query(`CREATE SCHEMA ${schema}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const last = await client.query<{ version: number }>('SELECT coalesce(max(version), 0) AS version FROM migration');
    const version = last.rows[0]?.version ?? 0;
    if (version !== 0 && version !== SCHEMA_VERSION) {
      const age = version > SCHEMA_VERSION ? 'a newer' : 'an older';
      throw new StorageFailed(
        `the tables in schema ${schema} were written by ${age} version; start that version, or use another database`,
      );
    }
    if (version === 0) {
      await client.query(`${schemaFor(POSTGRES)}; ${TOKEN_TABLE}`);
      await client.query('INSERT INTO migration (version) VALUES ($1)', [SCHEMA_VERSION]);
    }
    await client.query('COMMIT');
  } catch (error) {
    signal?.throwIfAborted();
    throw storageFailed(error);
  } finally {
    signal?.removeEventListener('abort', giveUp);
    // This also rolls back an open transaction.
    await endQuietly(client);
  }
}
