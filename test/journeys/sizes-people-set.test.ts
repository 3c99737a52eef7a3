import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sharedByTests } from '../support/shared-by-tests.js';
import { startDemoServers } from './demo-servers.js';
import { openBrowser } from './browser-user.js';

const getServers = sharedByTests(startDemoServers, (servers) => servers.close());

/** @returns the host's page with that many items in its editor, in a browser with these flags */
async function openEditor(count: number, width: number, ...flags: string[]): Promise<{ browser: Browser; page: Page }> {
  const browser = await openBrowser(...flags);
  const context = await browser.newContext({ viewport: null });
  const page = await context.newPage();
  await page.goto(`${getServers().hostUrl}/?saving=manual`);
  const editor = page.locator('inventory-editor');
  await editor.evaluate(
    (element, [many, px]) => {
      const items = Array.from({ length: many }, (_, at) => ({
        id: `cruise-${String(at)}`,
        label: `Cruise ${String(at)} along the coast`,
        group: 'On the water',
        ...(at % 3 > 0 && { available: at % 3 === 1 }),
      }));
      Object.assign(element, { items });
      element.style.inlineSize = `${String(px)}px`;
    },
    [count, width] as const,
  );
  await editor.getByText('Cruise 3 along the coast', { exact: true }).waitFor();
  return { browser, page };
}

for (const ratio of [3, 5])
  describe(`a list of 100,000 items at a device pixel ratio of ${String(ratio)}`, () => {
    for (const [layout, width] of [
      ['a table', 1_000],
      ['cards', 380],
    ] as const)
      it(`scrolls to its last row, as ${layout}`, async () => {
        const flags = [`--force-device-scale-factor=${String(ratio)}`, '--window-size=1200,900'];
        const { browser, page } = await openEditor(100_000, width, ...flags);

        // A row may be higher than its estimate, so that the end moves while the list scrolls.
        await page.locator('inventory-editor').evaluate(async (element) => {
          const scroller = element.shadowRoot?.querySelector('.scroller');
          for (let frame = 0; frame < 30; frame += 1) {
            if (scroller) scroller.scrollTop = scroller.scrollHeight;
            await new Promise(requestAnimationFrame);
          }
        });
        const last = page.locator('inventory-editor .sheet .row').filter({ hasText: 'Cruise 99999 along the coast' });
        await last.waitFor();
        const [ratioThere, isInSight] = await last.evaluate((row) => {
          const { bottom } = row.getBoundingClientRect();
          const view = row.closest('.scroller')?.getBoundingClientRect().bottom ?? 0;
          return [devicePixelRatio, bottom <= view + 1] as const;
        });
        await browser.close();

        assert.deepEqual([ratioThere, isInSight], [ratio, true]);
      });
  });
