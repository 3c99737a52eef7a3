import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { EditBatch, Listing } from '../../src/contract/widget.js';
import { bulkSession } from './bulk-session.js';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Items</title><body>
<script type="module" src="/widget/widget.js"></script></body></html>`;

export function idOf(number: number): string {
  return `tour-${String(number).padStart(6, '0')}`;
}

/** A fake proxy with any number of items that responds at once, to measure the work of a page. */
export class BigInventory {
  /** Whether every value is inverted. */
  isFlipped = false;
  readonly #size: number;
  readonly #server: Server;

  constructor(size: number) {
    this.#size = size;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @returns the URL of a page with the script and without an element */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new TypeError('it listens on a port');
    return `http://127.0.0.1:${String(address.port)}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const json = (body: object): void => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    switch (`${request.method ?? ''} ${pathname}`) {
      case 'GET /':
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
        return;
      case 'GET /widget/v1/session':
        json(bulkSession());
        return;
      case 'GET /widget/v1/inventory':
        json(this.#page(Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit'))));
        return;
      case 'POST /widget/v1/inventory':
        json(receipts(JSON.parse(await text(request)) as EditBatch));
        return;
      case 'GET /widget/v1/events':
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': here\n\n');
        return;
      default:
        if (!/^\/widget\/[\w./-]+\.js$/.test(pathname)) response.writeHead(404).end();
        else response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(await readFile(DIST + pathname));
    }
  }

  #page(from: number, limit: number): Listing {
    const end = Math.min(from + limit, this.#size);
    const updated_at = this.isFlipped ? '2026-11-21T09:00:00.000Z' : '2026-11-21T08:00:00.000Z';
    const inventory = Array.from({ length: end - from }, (_, at) => ({
      id: idOf(from + at),
      available: ((from + at) % 3 === 0) !== this.isFlipped,
      updated_at,
      state: 'delivered',
    }));
    const next = end < this.#size ? { next: String(end) } : {};
    return { inventory: inventory as unknown as Listing['inventory'], revision: this.isFlipped ? 2 : 1, ...next };
  }
}

function receipts({ inventory }: EditBatch): object {
  return {
    receipts: inventory.map(({ edit_id, id, updated_at }, at) => {
      return { edit_id, id, seq: at + 1, state: 'delivered', updated_at };
    }),
  };
}
