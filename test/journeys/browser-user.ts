import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findBrowser } from '../support/find-browser.js';

/** A person at the host page, and all data that their browser has received. */
export interface BrowserUser {
  readonly page: Page;
  /** The bodies of all responses, the console, and the reports of the content security policy. */
  received(): Promise<string>;
  /** Data that a script on the page can read: storage, databases, the DOM, URLs of requests. */
  stored(): Promise<string>;
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/**
 * How long to wait for a condition on the page, in milliseconds. It is no claim about speed; it only ends a wait for
 * something that never happens.
 */
const TIMEOUT_MS = 180_000;

/** @param flags of Chromium, in addition to those that every test needs */
export async function openBrowser(...flags: string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--disable-gpu', ...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));
  return browser;
}

/** @param device properties of the person's device, as in `{ viewport, hasTouch }` */
export async function visit(browser: Browser, url: string, device: BrowserContextOptions = {}): Promise<BrowserUser> {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  const bodies: Promise<string>[] = [];
  const console: string[] = [];
  const violations: string[] = [];
  page.on('response', (response) => {
    const head = JSON.stringify(response.headers());
    // The body of an event stream ends with the page.
    if (head.includes('text/event-stream')) return;
    // A body that never arrived, as when a process is killed, cannot be searched.
    bodies.push(
      response.text().then(
        (text) => `${response.url()} ${head} ${text}`,
        () => head,
      ),
    );
  });
  page.on('console', (message) => console.push(message.text()));
  page.on('pageerror', (error) => console.push(error.message));
  await page.exposeFunction('reportViolation', (text: string) => violations.push(text));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      const report = (globalThis as unknown as { reportViolation(text: string): void }).reportViolation;
      report(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  await page.goto(url);
  return {
    page,
    violations,
    received: async () => [...(await Promise.all(bodies)), ...console].join('\n'),
    stored: () => page.evaluate(readEverything),
    close: () => context.close(),
  };
}

/** Runs in the page, so it may not use variables of this file. */
async function readEverything(): Promise<string> {
  const found: unknown[] = [
    { ...localStorage },
    { ...sessionStorage },
    document.cookie,
    document.documentElement.outerHTML,
    performance.getEntries().map((entry) => entry.name),
  ];
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onerror = () => {
        reject(new Error('no database'));
      };
    });
    for (const store of database.objectStoreNames) {
      found.push(
        await new Promise((resolve, reject) => {
          const request = database.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => {
            resolve(request.result);
          };
          request.onerror = () => {
            reject(new Error('no rows'));
          };
        }),
      );
    }
    database.close();
  }
  return JSON.stringify(found);
}
