import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { BrowserUser } from '../journeys/browser-user.js';
import { HOSTILE_SCRIPT } from './hostile-script.js';
import { useSites } from './use-sites.js';
import { ADA, ADMIN, hostPage } from './sites.js';

/**
 * T1 of the threats: another script of the host's page acts as the person. This cannot be prevented, because the page's
 * origin is its own: a script that replaces `fetch` before the widget loads intercepts the embed token. The limits:
 * there is no other secret, the token is stored nowhere, it is valid for 15 minutes, one origin and one vendor's items,
 * and it can write no more than the person's budget allows.
 */
describe('a hostile script in the host’s page, loaded before the widget', () => {
  const fixture = useSites();
  let user: BrowserUser;
  let loot: { readonly intercepted: string; readonly stored: string };
  let token: string;

  before(async () => {
    const page = hostPage(
      fixture.sites,
      `<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>
      <inventory-editor session="/inventory-session"></inventory-editor>`,
    );
    const hostile = '<script src="/hostile.js"></script>';
    fixture.sites.put(ADMIN, '/', { ...page, body: page.body.replace('<head>', `<head>${hostile}`) });
    fixture.sites.put(ADMIN, '/hostile.js', { body: HOSTILE_SCRIPT, type: 'text/javascript' });
    user = await fixture.visit();
    const toggle = user.page.locator('body > availability-toggle');
    await toggle.getByRole('button', { name: 'Available', exact: true }).click();
    await toggle.getByText('Live on the portal', { exact: true }).waitFor();
    loot = await user.page.evaluate('hostile.dump()');
    token = /Bearer ([\w.-]+)/.exec(loot.intercepted)?.[1] ?? '';
  });

  it('intercepts every request and response of the widget, and finds no secret of the proxy in any', () => {
    for (const known of ['/inventory-session', '/v1/session', '"state":"received"', '"id":"kayak"']) {
      assert.ok(loot.intercepted.includes(known), `it did not intercept ${known}`);
    }
    for (const secret of fixture.sites.secrets) assert.equal(loot.intercepted.includes(secret), false);
  });

  it('intercepts the embed token: this risk remains', () => {
    assert.equal(token.split('.').length, 3);
  });

  it('finds neither that token nor a secret stored in the page: not in storage, DOM, globals, cookies or performance entries', () => {
    // The search can find a text: these are in the page.
    for (const known of [
      'Kayak tour',
      'aria-labelledby',
      'vendor-inventory',
      '/v1/session',
      'requestUpdate',
      'getSession',
    ]) {
      assert.ok(loot.stored.includes(known), `it did not search where ${known} is`);
    }
    for (const secret of [token, ...token.split('.'), ...fixture.sites.secrets]) {
      assert.equal(loot.stored.includes(secret), false);
    }
  });

  it('writes with that token no more than the person may in a minute: then it gets 429', async () => {
    const ask = (edits: number): Promise<unknown> =>
      user.page.evaluate(
        `hostile.write(${JSON.stringify(fixture.sites.proxyUrl)}, ${JSON.stringify(token)}, ${edits})`,
      );

    const answers = [await ask(500), await ask(500)];

    assert.deepEqual(answers, [202, 429]);
    assert.equal((await fixture.sites.outbox.count()).accepted, 501);
  });

  it('leaves each of these edits in the person’s history', async () => {
    const rows = await fixture.sites.outbox.history('boat-tours', { limit: 1000 });

    assert.equal(rows.filter(({ subject }) => subject === ADA.subject).length, 501);
  });
});
