import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { untilDelivered } from './deliveries.js';
import { useDemo, PHONE } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** The details of an item on a phone. Its last changes come from the proxy, if the person may read them. */
describe('the details of an item', () => {
  const demo = useDemo();

  const open = (search: string): Promise<BrowserUser> => demo.visit(search, PHONE);
  const editorOf = ({ page }: BrowserUser): Locator => page.locator('inventory-editor');
  const rowOf = (user: BrowserUser): Locator => editorOf(user).locator('.sheet .row', { hasText: 'Evening sailing' });
  const asked = ({ page }: BrowserUser): Promise<string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('/v1/history')),
    );

  it('change the item by their switch, and then list that change', async () => {
    const user = await open('?saving=auto');
    await rowOf(user).locator('.name').tap();
    const details = editorOf(user).getByRole('dialog', { name: 'Evening sailing' });
    await details.getByText('No changes yet.').waitFor();

    await details.getByRole('switch').tap();

    await untilDelivered(demo.servers, 1);
    const entry = details.locator('.history li').filter({ hasText: 'On the portal' });
    await entry.waitFor();
    assert.match(await entry.innerText(), /becomes “(Not a|A)vailable”[\s\S]*You/);
    assert.deepEqual(user.violations, []);
    await user.close();
  });

  it('neither request nor show a history if the person may not read it', async () => {
    const user = await open('?state=visitor');
    await rowOf(user).locator('.name').tap();
    const details = editorOf(user).getByRole('dialog', { name: 'Evening sailing' });
    await details.getByText('Status').waitFor();

    assert.equal(await details.getByText('Last changes').count(), 0);
    assert.deepEqual(await asked(user), []);
    await user.close();
  });
});
