import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { inventoryUpdate } from '../../src/contract/portal.js';
import type { JournalEntry, JournalPage } from '../../src/sandbox/journal.js';
import type { StoredItem } from '../../src/sandbox/portal-items.js';
import { createSandboxPortal, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import type { Evidence } from './evidence.js';
import { CLIENT_ID } from './proxy-process.js';

/** One call of the proxy at a socket. */
export interface PortalCall {
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Reads the whole body. A fault need not call it. */
  body(): Promise<Buffer>;
  /** Applies the call and sends the complete response of the sandbox portal, or the given one in place of a success. */
  serve(instead?: Partial<PortalReply>): Promise<void>;
  /** Applies the call, or the given body, and returns the response of the sandbox portal without sending it. */
  answer(instead?: string): Promise<PortalReply>;
  /** Records that a complete response was sent without `serve`. */
  noteComplete(): Promise<void>;
}

export interface PortalReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Handles a call with a fault instead of serving it. */
export type Misbehaviour = (call: PortalCall) => Promise<void>;

/**
 * The sandbox portal at a socket of this process, so that it survives every kill of a proxy, with its journal as the
 * reference. A misbehaviour does what a fetch handler cannot do (cut off a body, close the connection).
 */
export class PortalOfRecord {
  readonly clientSecret = randomBytes(24).toString('base64url');
  readonly url: string;
  /** If it is set, it handles every call. */
  misbehaviour: Misbehaviour | undefined;
  readonly #evidence: Evidence;
  readonly #sandbox: SandboxPortal;
  readonly #server: ReturnType<typeof createServer>;
  readonly #entries: JournalEntry[] = [];
  readonly #complete = new Set<string>();

  private constructor(evidence: Evidence, server: ReturnType<typeof createServer>, tokenLifetimeSeconds?: number) {
    this.#evidence = evidence;
    this.#server = server;
    this.#sandbox = createSandboxPortal({ clientId: CLIENT_ID, clientSecret: this.clientSecret, tokenLifetimeSeconds });
    this.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    evidence.mustNotAppear('the client secret', this.clientSecret);
  }

  static async open(
    evidence: Evidence,
    { tokenLifetimeSeconds }: { tokenLifetimeSeconds?: number } = {},
  ): Promise<PortalOfRecord> {
    const server = createServer({ keepAliveTimeout: 60_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const portal = new PortalOfRecord(evidence, server, tokenLifetimeSeconds);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // The caller was killed during the call, so there is no one to respond to.
      portal.#receive(request, response).catch(() => response.destroy());
    });
    return portal;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let whole: Promise<Buffer> | undefined;
    const body = (): Promise<Buffer> => (whole ??= buffer(request));
    const answer = async (instead?: string): Promise<PortalReply> => {
      const sent = instead === undefined ? await body() : Buffer.from(instead);
      const answered = await this.#sandbox.fetch(
        new Request(this.url + (request.url ?? '/'), {
          method: request.method ?? 'GET',
          headers: headersOf(request),
          body: request.method === 'GET' ? null : new Uint8Array(sent),
        }),
      );
      const bytes = Buffer.from(await answered.arrayBuffer());
      this.#noteToken(bytes);
      return { status: answered.status, headers: answered.headers, body: bytes };
    };
    const noteComplete = async (): Promise<void> => {
      this.#noteComplete(await body());
    };
    const serve = async (instead?: Partial<PortalReply>): Promise<void> => {
      const own = await answer();
      const { status, headers, body: bytes } = own.status === 200 ? { ...own, ...instead } : own;
      const { writable } = request.socket;
      response.writeHead(status, Object.fromEntries(headers)).end(bytes);
      await once(response, 'finish');
      if (writable && status >= 200 && status < 300) await noteComplete();
    };
    const call = { path: request.url ?? '/', request, response, body, serve, answer, noteComplete };
    await (this.misbehaviour ?? ((one: PortalCall) => one.serve()))(call);
  }

  /** Everything that the portal has received so far, in order. */
  async journal(): Promise<readonly JournalEntry[]> {
    const after = this.#entries.at(-1)?.seq ?? 0;
    const page = await this.#ask<JournalPage>(`/sandbox/journal?after=${String(after)}`);
    if (page.dropped > after) throw new Error(`the journal let ${String(page.dropped)} entries go: read it oftener`);
    // Entries without a status are read again.
    const open = page.entries.findIndex(({ status }) => status === null);
    this.#entries.push(...(open === -1 ? page.entries : page.entries.slice(0, open)));
    return open === -1 ? this.#entries : [...this.#entries, ...page.entries.slice(open)];
  }

  async items(): Promise<readonly StoredItem[]> {
    return (await this.#ask<{ items: StoredItem[] }>('/sandbox/items')).items;
  }

  /** Revokes all earlier tokens. */
  async expireTokens(): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    await this.#sandbox.fetch(
      new Request(`${this.url}/sandbox/expire-tokens`, { method: 'POST', headers, body: '{}' }),
    );
  }

  /** Whether the complete 2xx response to a call with this item and timestamp was sent. */
  answeredWhole(id: string, updated_at: string): boolean {
    return this.#complete.has(wordOf(id, updated_at));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #ask<T>(path: string): Promise<T> {
    return (await (await this.#sandbox.fetch(new Request(this.url + path))).json()) as T;
  }

  #noteComplete(sent: Buffer): void {
    const update = inventoryUpdate.safeParse(JSON.parse(sent.toString() || '{}'));
    for (const { id, updated_at } of update.data?.inventory ?? []) this.#complete.add(wordOf(id, updated_at));
  }

  #noteToken(bytes: Buffer): void {
    const token = /"access_token":"([^"]+)"/.exec(bytes.toString('latin1'))?.[1];
    if (token !== undefined) this.#evidence.mustNotAppear('a token of the portal', token);
  }
}

function wordOf(id: string, updated_at: string): string {
  return `${updated_at} ${id}`;
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 && !/^(host|connection|transfer-encoding|content-length|keep-alive)$/i.test(name)
      ? [[name, rawHeaders[at + 1] ?? '']]
      : [],
  );
}
