import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { useDemo } from './use-demo.js';

/** Longer than the timeout of a call, which may refer to the element that made it. */
const TIMEOUT_MS = 180_000;
const TAGS = ['inventory-editor', 'availability-toggle'] as const;

/**
 * An admin page that re-renders itself by script stays open for a day. The test uses the served bundle, because a
 * minifier may move code to where it closes over more.
 */
describe('an element that a page has removed', () => {
  const demo = useDemo();
  let page: Page;

  before(async () => {
    page = await demo.browser.newPage();
    // A page without other elements, which could refer to them.
    await page.goto(`${demo.servers.hostUrl}/page.css`);
    await page.evaluate(makeSessions, TAGS);
    await page.evaluate((script) => import(script), `${demo.servers.proxyUrl}/widget.js`);
  });

  for (const [tag, by] of TAGS.flatMap((tag) => [[tag, 'address'] as const, [tag, 'function'] as const])) {
    it(`can be garbage-collected: the first <${tag}> with a session ${by}`, async () => {
      await page.evaluate(showAndRemove, { tag, by });

      const end = Date.now() + TIMEOUT_MS;
      while (Date.now() < end && (await page.evaluate(isThere))) await page.requestGC();

      assert.equal(await page.evaluate(isThere), false);
    });
  }
});

interface Kept {
  readonly removed: WeakRef<Element>;
}

/** Runs in the page. */
async function showAndRemove({ tag, by }: { tag: string; by: string }): Promise<void> {
  const element = document.createElement(tag);
  if (by === 'address') element.setAttribute('session', `/inventory-session?for=${tag}`);
  // A function that outlives the element and does not refer to it.
  else
    Object.assign(element, { getSession: (window as unknown as { sessions: Record<string, unknown> }).sessions[tag] });
  element.setAttribute('item', 'kayak-tour-2');
  await new Promise((resolve) => {
    element.addEventListener('inventory-ready', resolve);
    document.body.append(element);
  });
  element.remove();
  Object.assign(window, { removed: new WeakRef(element) });
}

/** Runs in the page. */
function makeSessions(tags: readonly string[]): void {
  const sessions = tags.map((tag) => [
    tag,
    async () =>
      ((await (await fetch(`/inventory-session?of=${tag}`, { method: 'POST' })).json()) as { token: string }).token,
  ]);
  Object.assign(window, { sessions: Object.fromEntries(sessions) as unknown });
}

/** Runs in the page. */
function isThere(): boolean {
  return (window as unknown as Kept).removed.deref() !== undefined;
}
