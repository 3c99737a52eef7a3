import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { ADMIN, EVIL, hostPage, openSites, type Sites } from '../security/sites.js';
import { openBrowser, visit } from './visitor.js';

const TOGGLE = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';

/** As browsers do in a frame of another site, and everywhere for a person who blocks all cookies. */
describe('a page whose browser lets it store nothing', { timeout: 60_000 }, () => {
  let sites: Sites;
  let browser: Browser;

  before(async () => {
    sites = await openSites();
    sites.put(ADMIN, '/', hostPage(sites, TOGGLE));
    sites.put(EVIL, '/', {
      body: `<!doctype html><title>Frame</title><iframe src="${sites.origin(ADMIN)}/"></iframe>`,
    });
    browser = await openBrowser();
  });

  after(async () => {
    await browser.close();
    await sites.close();
  });

  it('hears what others change, and raises no error', async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.clock.install();
    await page.goto(sites.origin(EVIL));
    const framed = page.frameLocator('iframe').locator('availability-toggle');
    await framed.getByText('Not set yet', { exact: true }).waitFor();
    const denial = await page.frames()[1]?.evaluate(() => navigator.locks.query().catch((error: Error) => error.name));
    assert.equal(denial, 'SecurityError');

    const other = await visit(browser, sites.origin(ADMIN));
    t.after(() => other.close());
    const theirs = other.page.locator('availability-toggle');
    await theirs.getByRole('button', { name: 'Not available', exact: true }).click();
    await theirs.getByText('Live on the portal', { exact: true }).waitFor();
    await page.clock.runFor(60_000);

    await framed.getByText('Live on the portal', { exact: true }).waitFor({ timeout: 5_000 });
    assert.deepEqual(errors, []);
  });

  it('signs the person out, of whom nothing is kept here', async (t) => {
    sites.put(ADMIN, '/editor', hostPage(sites, '<inventory-editor session="/inventory-session"></inventory-editor>'));
    sites.put(EVIL, '/editor', {
      body: `<!doctype html><title>Frame</title><iframe src="${sites.origin(ADMIN)}/editor"></iframe>`,
    });
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const ended: string[] = [];
    page.on(
      'request',
      (request) => void (request.method() === 'DELETE' && ended.push(new URL(request.url()).pathname)),
    );
    await page.goto(`${sites.origin(EVIL)}/editor`);
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
