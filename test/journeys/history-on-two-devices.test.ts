import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

const COUNT = 12;

/** One device closes all items; another device, opened before, undoes exactly that. The portal's journal proves it. */
describe('a vendor with two devices', () => {
  const demo = useDemo();
  let desk: BrowserUser;
  let phone: BrowserUser;

  before(async () => {
    desk = await open(1280);
    phone = await open(375);
  });

  const editorOf = ({ page }: BrowserUser): Locator => page.locator('inventory-editor');

  async function open(width: number): Promise<BrowserUser> {
    const user = await demo.visit('?state=many&saving=auto', { viewport: { width, height: 800 } });
    // Two of the items are unavailable.
    await editorOf(user).evaluate((element, count) => {
      const items = Array.from({ length: count }, (_, at) => ({
        id: `item-${String(at + 1)}`,
        label: `Item ${String(at + 1)}`,
        available: at > 1,
      }));
      Object.assign(element, { items });
    }, COUNT);
    await editorOf(user)
      .getByText(`${String(COUNT)} items`)
      .waitFor();
    return user;
  }

  it('closes all items on the desktop, and reopens one of them there', async () => {
    const editor = editorOf(desk);
    await editor.getByRole('button', { name: 'Close all', exact: true }).click();
    await editor.getByRole('button', { name: 'Close 10' }).click();
    await untilDelivered(demo.servers, 10);

    await editor.locator('.sheet .row', { hasText: 'Item 5' }).getByRole('switch').click();

    const sent = await untilDelivered(demo.servers, 11);
    assert.deepEqual(sent.at(-1), ['item-5', true]);
  });

  it('sees that as one history entry on the phone, and undoes it for the other nine items', async () => {
    const editor = editorOf(phone);
    await editor.getByRole('button', { name: 'Last changes' }).click();
    const history = editor.getByRole('dialog', { name: 'Last changes' });
    const line = history.getByRole('listitem').filter({ hasText: 'Closed: 10' });
    await line.getByRole('button', { name: /^Undo/ }).click();

    const preview = editor.getByRole('dialog', { name: 'Undo' });
    await preview.getByText('Left as they are (1)').waitFor();
    await preview.getByRole('button', { name: 'Undo (9)' }).click();

    const opened = (await untilDelivered(demo.servers, 20)).slice(11);
    const expected = [3, 4, 6, 7, 8, 9, 10, 11, 12].map((number) => `item-${String(number)}`);
    assert.deepEqual(opened.map(([id]) => id).sort(), expected.sort());
    assert.ok(opened.every(([, available]) => available));
    assert.equal((await deliveries(demo.servers)).length, 20);
    assert.deepEqual([...desk.violations, ...phone.violations], []);
  });
});
