import type { Client } from 'pg';
import { connect, endQuietly, type ConnectionOptions } from './postgres-connection.js';

/** PostgreSQL takes no longer note than 7999 bytes. */
const MOST_BYTES = 7999;
const AGAIN_MS = 1_000;

/** What one process tells the others when it commits: who it is, and whose edits changed. */
export function noteOf(sender: string, vendor: string): string {
  const note = `${sender} ${vendor}`;
  return Buffer.byteLength(note) > MOST_BYTES ? sender : note;
}

/**
 * Hears what other processes tell, on a connection of its own. Hints only: while the connection is lost nothing is heard,
 * and nothing is said twice.
 */
export class PostgresNews {
  readonly #options: ConnectionOptions;
  readonly #self: string;
  readonly #heard: (vendor: string) => void;
  readonly #others = new Map<string, (note: string) => void>();
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ConnectionOptions, self: string, heard: (vendor: string) => void) {
    this.#options = options;
    this.#self = self;
    this.#heard = heard;
  }

  /** Hears what is told on another channel too, this process's own notes included. Before it listens. */
  also(channel: string, heard: (note: string) => void): void {
    this.#others.set(channel, heard);
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
        if (other === undefined) this.#hear(payload);
        else other(payload);
      });
      client.once('end', () => this.#again());
      await client.query([this.#options.schema, ...this.#others.keys()].map((name) => `LISTEN ${name}`).join('; '));
    } catch {
      // It may live on, and may even listen where only the answer was lost: beside the next one, it would tell all twice.
      if (client !== undefined) await endQuietly(client);
      this.#again();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#client !== undefined) await endQuietly(this.#client);
  }

  #hear(note: string): void {
    const [sender = '', ...rest] = note.split(' ');
    // This process has told its own listeners already.
    if (sender !== this.#self && rest.length > 0) this.#heard(rest.join(' '));
  }

  #again(): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.listen();
    }, AGAIN_MS);
    this.#timer.unref();
  }
}
