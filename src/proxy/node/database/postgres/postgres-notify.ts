import type { Client } from 'pg';
import { noLog, type Log } from '../../../runtime/log.js';
import { connect, endQuietly, type ConnectionOptions } from './postgres-connection.js';

/** Longest payload of NOTIFY in PostgreSQL. */
const MAX_PAYLOAD_BYTES = 7999;
const RETRY_MS = 1_000;
/** Interval of heartbeats, and the timeout of each. */
const HEARTBEAT_MS = 3_000;

/** The payload of a notification: the process that committed, and the vendor whose edits changed. */
export function toPayload(sender: string, vendor: string): string {
  const payload = `${sender} ${vendor}`;
  return Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES ? sender : payload;
}

/**
 * Listens for notifications of other processes on a separate connection. They are only hints: while the connection is lost
 * none arrive, and missed ones are not repeated. A heartbeat detects a connection that the network dropped silently: a
 * listener sends nothing itself, so it would wait for hours.
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

  /**
   * Listens on another channel, too, where this process also gets its own notifications. It has to be called before
   * `listen`.
   */
  also(channel: string, onChange: (payload: string) => void): void {
    this.#others.set(channel, onChange);
  }

  /** Resolves when it listens, or has scheduled another try. */
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
      // If only the response was lost, the old connection may still listen, and every notification would arrive twice.
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
    // This process has notified its own subscribers already.
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
    // A graceful end would wait for a response as well.
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
