import type { Client } from 'pg';
import { noLog, type Log } from '../../../runtime/log.js';
import { connect, endQuietly, type ConnectionOptions } from './postgres-connection.js';

/** PostgreSQL takes no longer note than 7999 bytes. */
const MAX_PAYLOAD_BYTES = 7999;
const RETRY_MS = 1_000;
/** Between two heartbeats, and the longest that an answer to one takes. */
const HEARTBEAT_MS = 3_000;

/** What one process tells the others when it commits: who it is, and whose edits changed. */
export function toPayload(sender: string, vendor: string): string {
  const payload = `${sender} ${vendor}`;
  return Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES ? sender : payload;
}

/**
 * Hears what other processes tell, on a connection of its own. Hints only: while the connection is lost nothing is heard,
 * and no change is announced twice. A heartbeat finds a connection that a network dropped without a word: a listener sends nothing of
 * its own, so it would wait for hours.
 */
export class PostgresNotifications {
  readonly #options: ConnectionOptions;
  readonly #self: string;
  readonly #onChange: (vendor: string) => void;
  readonly #log: Log;
  readonly #others = new Map<string, (payload: string) => void>();
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isDeaf = false;
  #closed = false;

  constructor(options: ConnectionOptions, self: string, onChange: (vendor: string) => void, log: Log = noLog) {
    this.#options = options;
    this.#self = self;
    this.#onChange = onChange;
    this.#log = log;
  }

  /** Hears another channel too, this process's own notes included. Before it listens. */
  also(channel: string, onChange: (payload: string) => void): void {
    this.#others.set(channel, onChange);
  }

  /** Resolves when it listens, or will try again. */
  async listen(): Promise<void> {
    let client: Client | undefined;
    try {
      client = await connect(this.#options);
      if (this.#closed) return await endQuietly(client);
      this.#client = client;
      client.on('notification', ({ channel, payload = '' }) => {
        const other = this.#others.get(channel);
        if (other === undefined) this.#onNotification(payload);
        else other(payload);
      });
      client.once('end', () => this.#reconnect('the connection was lost'));
      await client.query([this.#options.schema, ...this.#others.keys()].map((name) => `LISTEN ${name}`).join('; '));
      if (this.#isDeaf) this.#log('info', 'changes by other proxies are heard of again');
      this.#isDeaf = false;
      this.#planHeartbeat(client);
    } catch (error) {
      // It may live on, and may even listen where only the answer was lost: beside the next one, it would tell all twice.
      if (client !== undefined) await endQuietly(client);
      this.#reconnect(String(error));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#heartbeat);
    if (this.#client !== undefined) await endQuietly(this.#client);
  }

  #onNotification(payload: string): void {
    const [sender = '', ...rest] = payload.split(' ');
    // This process has told its own listeners already.
    if (sender !== this.#self && rest.length > 0) this.#onChange(rest.join(' '));
  }

  #planHeartbeat(client: Client): void {
    clearTimeout(this.#heartbeat);
    if (this.#closed || client !== this.#client) return;
    this.#heartbeat = setTimeout(() => void this.#beat(client), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  async #beat(client: Client): Promise<void> {
    let timeout: NodeJS.Timeout | undefined;
    const isAlive = await Promise.race([
      client.query('SELECT 1').then(
        () => true,
        () => false,
      ),
      new Promise<false>((resolve) => {
        timeout = setTimeout(() => resolve(false), HEARTBEAT_MS);
        timeout.unref();
      }),
    ]);
    clearTimeout(timeout);
    if (isAlive) return this.#planHeartbeat(client);
    if (client !== this.#client) return;
    // A graceful end would wait for an answer, too.
    client.connection.stream.destroy();
    this.#reconnect('the connection is silent');
  }

  #reconnect(error: string): void {
    this.#client = undefined;
    if (this.#closed || this.#timer !== undefined) return;
    if (!this.#isDeaf) this.#log('warn', 'changes by other proxies are not heard of', { error });
    this.#isDeaf = true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.listen();
    }, RETRY_MS);
    this.#timer.unref();
  }
}
