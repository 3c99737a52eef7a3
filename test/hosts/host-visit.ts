import { join, normalize } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import type { TestInventory } from '../../src/proxy/node/testing/test-inventory.js';
import { listen } from '../../src/proxy/node/server/http-server.js';
import { freePort } from '../journeys/free-port.js';
import { serveTestInventory } from './installed.js';

export interface Host {
  readonly origin: string;
  readonly inventory: TestInventory;
  close(): Promise<void>;
}

/** Starts a host at a port. @returns a function that stops it */
export type StartHost = (port: number, inventory: TestInventory) => Promise<() => Promise<unknown>>;

/** Starts a host with its own proxy and sandbox portal. */
export async function openHost(start: StartHost): Promise<Host> {
  const port = await freePort();
  const origin = `http://localhost:${String(port)}`;
  const inventory = await serveTestInventory({ origins: [origin] });
  const stop = await start(port, inventory);
  return {
    origin,
    inventory,
    async close() {
      await stop();
      await inventory.close();
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
};

/** Serves the files of a folder. */
export function serveFolder(folder: string): StartHost {
  return serveWith(async ({ pathname }) => {
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    return new Response(await readFile(join(folder, normalize(path))), { headers: { 'Content-Type': type } });
  });
}

/** Serves the responses of a function. */
export function serveWith(answer: (url: URL, inventory: TestInventory) => Promise<Response> | Response): StartHost {
  return async (port, inventory) => {
    const server = await listen(async ({ url }) => answer(new URL(url), inventory), { host: '127.0.0.1', port });
    return () => server.close();
  };
}

/** A page of a host, and the problems that its browser reported. */
export interface HostVisit {
  readonly page: Page;
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: readonly string[];
}

export async function visitHost(browser: Browser, { origin, inventory }: Host, path = '/'): Promise<HostVisit> {
  // Each page has its own browser context, so that it does not see the unsaved changes of an earlier test.
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${origin}${path}?proxy=${encodeURIComponent(inventory.url)}`);
  return { page, complaints };
}
