import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { untilDelivered } from './deliveries.js';
import { DESKTOP, useDemo, PHONE } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

const COUNT = 12;

/** The desktop closes all items for a storm. The phone of an assistant, who may not read the history, reopens them. */
describe('a vendor with an assistant who may not read the history', () => {
  const demo = useDemo();
  let desk: BrowserUser;
  let phone: BrowserUser;

  before(async () => {
    desk = await demo.visit('?state=many&saving=auto', DESKTOP);
    phone = await demo.visit('?state=many&saving=auto', PHONE);
    await giveItems(desk, 'many');
    await giveItems(phone, 'assistant');
  });

  const editorOf = ({ page }: BrowserUser): Locator => page.locator('inventory-editor');

  /** Two of the items are unavailable. */
  async function giveItems(user: BrowserUser, role: string): Promise<void> {
    await editorOf(user).evaluate(
      (element, [as, count]) => {
        element.setAttribute('session', `/inventory-session?as=${as}`);
        const items = Array.from({ length: count }, (_, at) => ({
          id: `item-${String(at + 1)}`,
          label: `Item ${String(at + 1)}`,
          available: at > 1,
        }));
        Object.assign(element, { items });
      },
      [role, COUNT] as const,
    );
    await editorOf(user)
      .getByText(`${String(COUNT)} items`)
      .waitFor();
  }

  it('closes all items on the desktop, and the phone offers to reopen them', async () => {
    const editor = editorOf(desk);
    await editor.getByRole('button', { name: 'Close all', exact: true }).click();
    await editor.getByRole('button', { name: 'Close 10' }).click();
    await untilDelivered(demo.servers, 10);

    await editorOf(phone).getByText('10 items closed together').waitFor();
  });

  it('reopens one item on the desktop, which the phone then no longer offers', async () => {
    await editorOf(desk).locator('.sheet .row', { hasText: 'Item 5' }).getByRole('switch').click();

    await editorOf(phone).getByText('9 items closed together').waitFor();
  });

  it('reopens exactly the other items on the phone', async () => {
    const editor = editorOf(phone);
    await editor.getByRole('button', { name: 'Reopen these 9' }).tap();
    await editor.getByRole('button', { name: 'Open 9' }).tap();

    const opened = (await untilDelivered(demo.servers, 20)).slice(11);
    const expected = [3, 4, 6, 7, 8, 9, 10, 11, 12].map((number) => `item-${String(number)}`);
    assert.deepEqual(opened.map(([id]) => id).sort(), expected.sort());
    assert.ok(opened.every(([, available]) => available));
    assert.equal(await editor.getByRole('button', { name: 'Last changes' }).count(), 0);
    assert.deepEqual([...desk.violations, ...phone.violations], []);
  });
});
