import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { useDemo, NARROW } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/**
 * The end of a shift on a shared phone: each button of the dialog does what its label says. The portal's journal proves
 * it.
 */
describe('a vendor who signs out', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;
  let question: Locator;

  before(async () => {
    user = await demo.visit('?saving=manual', NARROW);
    page = user.page;
    editor = page.locator('inventory-editor');
    question = editor.getByRole('dialog');
    await row('Garden room').getByRole('switch').waitFor();
    await editor.locator('[part=tools] .chip').first().waitFor();
  });

  const row = (name: string): Locator => editor.locator('.sheet .row').filter({ hasText: name });
  const valueOf = (name: string): Promise<string | null> => row(name).getByRole('switch').getAttribute('aria-checked');

  /** Signs out as a button of the host does. @returns a function that waits for the result of `signOut()` */
  async function signOut(): Promise<() => Promise<boolean>> {
    await editor.evaluate((element) => {
      Object.assign(globalThis, { signedOut: (element as HTMLElement & { signOut(): Promise<boolean> }).signOut() });
    });
    return () => page.evaluate(() => (globalThis as unknown as { signedOut: Promise<boolean> }).signedOut);
  }

  it('sees the unsaved changes, with the focus on "Save and sign out"', async () => {
    await row('Garden room').getByRole('switch').click();
    await row('Garden room').getByText('Not saved yet').waitFor();

    const answer = await signOut();
    await question.getByText('1 change is not sent yet.').waitFor();
    await question.getByText('Not saved yet (1)').waitFor();

    assert.match(await question.innerText(), /Not saved yet \(1\)\s+Garden room\s+(Not a|A)vailable/);
    const focused = question.getByRole('button', { name: 'Save and sign out' });
    assert.equal(await focused.evaluate((button) => button.matches(':focus')), true);
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    assert.equal(await answer(), false);
    await row('Garden room').getByText('Not saved yet').waitFor();
    assert.deepEqual(await deliveries(demo.servers), []);
  });

  it('sends them by "Save and sign out", and leaves no edit in the browser', async () => {
    const wanted = (await valueOf('Garden room')) === 'true';
    const answer = await signOut();
    await question.getByRole('button', { name: 'Save and sign out' }).click();

    assert.equal(await answer(), true);

    const [delivered] = await untilDelivered(demo.servers, 1);
    assert.equal(delivered?.[1], wanted);
    assert.equal((await user.stored()).includes('"edit_id"'), false);
  });

  it('sees that an edit waits on the device, and deletes it by "Delete and sign out"', async () => {
    await page.reload();
    await row('Garden room').getByText('Live on the portal').waitFor();
    const before = await valueOf('Garden room');
    await demo.servers.proxy.end('SIGKILL');
    await row('Garden room').getByRole('switch').click();
    await editor.getByRole('button', { name: 'Save', exact: true }).click();
    await row('Garden room').getByText('Saved here').waitFor();

    const answer = await signOut();
    await question.getByText('Saved here, not sent yet (1)').waitFor();
    await question.getByRole('button', { name: 'Delete and sign out' }).click();

    assert.equal(await answer(), true);
    await demo.servers.proxy.start();
    await page.reload();
    await row('Garden room').getByText('Live on the portal').waitFor();
    assert.equal(await valueOf('Garden room'), before);
    assert.equal((await deliveries(demo.servers)).length, 1);
  });

  it('causes no violation of the strict content security policy', () => {
    assert.deepEqual(user.violations, []);
  });
});
