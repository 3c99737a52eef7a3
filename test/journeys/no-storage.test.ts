import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useSites } from '../security/use-sites.js';
import { ADMIN, EVIL, hostPage } from '../security/sites.js';

const TOGGLE = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';

/** Browsers block storage in frames of another site, and everywhere if a person blocks all cookies. */
describe('a page whose browser blocks storage', () => {
  const fixture = useSites();

  before(async () => {
    fixture.sites.put(ADMIN, '/', hostPage(fixture.sites, TOGGLE));
    fixture.sites.put(EVIL, '/', {
      body: `<!doctype html><title>Frame</title><iframe src="${fixture.sites.origin(ADMIN)}/"></iframe>`,
    });
  });

  it('shows the changes of other people, and raises no error', async (t) => {
    const context = await fixture.browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.clock.install();
    await page.goto(fixture.sites.origin(EVIL));
    const framed = page.frameLocator('iframe').locator('availability-toggle');
    await framed.getByText('Not set yet', { exact: true }).waitFor();
    const denial = await page.frames()[1]?.evaluate(() => navigator.locks.query().catch((error: Error) => error.name));
    assert.equal(denial, 'SecurityError');

    const other = await fixture.visit();
    t.after(() => other.close());
    const theirs = other.page.locator('availability-toggle');
    await theirs.getByRole('button', { name: 'Not available', exact: true }).click();
    await theirs.getByText('Live on the portal', { exact: true }).waitFor();
    await page.clock.runFor(60_000);

    await framed.getByText('Live on the portal', { exact: true }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('ends the session at the proxy when the person signs out', async (t) => {
    fixture.sites.put(
      ADMIN,
      '/editor',
      hostPage(fixture.sites, '<inventory-editor session="/inventory-session"></inventory-editor>'),
    );
    fixture.sites.put(EVIL, '/editor', {
      body: `<!doctype html><title>Frame</title><iframe src="${fixture.sites.origin(ADMIN)}/editor"></iframe>`,
    });
    const context = await fixture.browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const ended: string[] = [];
    page.on(
      'request',
      (request) => void (request.method() === 'DELETE' && ended.push(new URL(request.url()).pathname)),
    );
    await page.goto(`${fixture.sites.origin(EVIL)}/editor`);
    const editor = page.frameLocator('iframe').locator('inventory-editor');
    await editor.locator('[part=header]').waitFor();
    await editor.evaluate((one: HTMLElement & { refresh: () => Promise<void> }) => one.refresh());

    const isOut = await editor.evaluate((one: HTMLElement & { signOut: () => Promise<boolean> }) => one.signOut());

    assert.equal(isOut, true);
    assert.deepEqual(
      ended.map((path) => path.replace(/^.*(?=\/v1)/, '')),
      ['/v1/session'],
    );
  });
});
