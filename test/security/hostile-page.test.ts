import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser, visit, type Visitor } from '../journeys/visitor.js';
import { HOSTILE_SCRIPT } from './hostile-script.js';
import { ADA, ADMIN, hostPage, openSites, type Sites } from './sites.js';

/**
 * T1 of the threats: another script of the host's page acts as the person. This cannot be prevented, because the page's
 * origin is its own: whoever replaces `fetch` before the widget loads reads the embed token in passing. What bounds it:
 * that token is all there is to find, it lies nowhere, it is good for 15 minutes, one origin and one vendor's items, and
 * it can write no more than the person's budget.
 */
describe('a hostile script in the host’s page, loaded before the widget', { timeout: 120_000 }, () => {
  let sites: Sites;
  let browser: Browser;
  let visitor: Visitor;
  let loot: { readonly overheard: string; readonly lying: string };
  let token: string;

  before(async () => {
    sites = await openSites();
    browser = await openBrowser();
    const page = hostPage(
      sites,
      `<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>
      <inventory-editor session="/inventory-session"></inventory-editor>`,
    );
    const hostile = '<script src="/hostile.js"></script>';
    sites.put(ADMIN, '/', { ...page, body: page.body.replace('<head>', `<head>${hostile}`) });
    sites.put(ADMIN, '/hostile.js', { body: HOSTILE_SCRIPT, type: 'text/javascript' });
    visitor = await visit(browser, `${sites.origin(ADMIN)}/`);
    const toggle = visitor.page.locator('body > availability-toggle');
    await toggle.getByRole('button', { name: 'Available', exact: true }).click();
    await toggle.getByText('Live on the portal', { exact: true }).waitFor();
    loot = await visitor.page.evaluate('hostile.dump()');
    token = /Bearer ([\w.-]+)/.exec(loot.overheard)?.[1] ?? '';
  });

  after(async () => {
    await visitor.close();
    await browser.close();
    await sites.close();
  });

  it('overhears every request and answer of the widget, and no secret of the proxy in any', () => {
    for (const known of ['/inventory-session', '/v1/session', '"state":"received"', '"id":"kayak"']) {
      assert.ok(loot.overheard.includes(known), `it did not overhear ${known}`);
    }
    for (const secret of sites.secrets) assert.equal(loot.overheard.includes(secret), false);
  });

  it('overhears the embed token: that risk remains', () => {
    assert.equal(token.split('.').length, 3);
  });

  it('finds neither that token nor a secret lying about: not in storage, DOM, globals, cookies or entries', () => {
    // The search must be able to find: what belongs there is there.
    for (const known of [
      'Kayak tour',
      'aria-labelledby',
      'vendor-inventory',
      '/v1/session',
      'requestUpdate',
      'getSession',
    ]) {
      assert.ok(loot.lying.includes(known), `it did not search where ${known} is`);
    }
    for (const secret of [token, ...token.split('.'), ...sites.secrets]) {
      assert.equal(loot.lying.includes(secret), false);
    }
  });

  it('writes with that token no more than the person may in a minute: then it hears 429', async () => {
    const ask = (edits: number): Promise<unknown> =>
      visitor.page.evaluate(`hostile.write(${JSON.stringify(sites.proxyUrl)}, ${JSON.stringify(token)}, ${edits})`);

    const answers = [await ask(500), await ask(500)];

    assert.deepEqual(answers, [202, 429]);
    assert.equal((await sites.outbox.count()).accepted, 501);
  });

  it('leaves a trace of all that in the person’s history', async () => {
    const rows = await sites.outbox.history('boat-tours', { limit: 1000 });

    assert.equal(rows.filter(({ subject }) => subject === ADA.subject).length, 501);
  });
});
