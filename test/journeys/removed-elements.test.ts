import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { useDemo } from './use-demo.js';

/** Longer than a call is waited for, which may know who has asked. */
const TIMEOUT_MS = 180_000;
const TAGS = ['inventory-editor', 'availability-toggle'] as const;

/**
 * An admin page that draws itself anew by script lives for a day. As it is served, because what a minifier writes in another
 * place may know more there.
 */
describe('an element that a page has taken away', () => {
  const demo = useDemo();
  let page: Page;

  before(async () => {
    page = await demo.browser.newPage();
    // With nothing else on it that would keep them.
    await page.goto(`${demo.servers.hostUrl}/page.css`);
    await page.evaluate(makeSessions, TAGS);
    await page.evaluate((script) => import(script), `${demo.servers.proxyUrl}/widget.js`);
  });

  for (const [tag, by] of TAGS.flatMap((tag) => [[tag, 'address'] as const, [tag, 'function'] as const])) {
    it(`<${tag}> is let go of by the page, where a session's ${by} made it the first of its kind`, async () => {
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
  // One that lives on, and knows nothing of the element.
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
