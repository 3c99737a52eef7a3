import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useSites } from '../security/use-sites.js';
import { hostPage, INTRANET } from '../security/sites.js';
import type { BrowserUser } from './browser-user.js';

/** Many admin pages live in an intranet without TLS. What a browser keeps from them must not keep an edit from the portal. */
describe('an admin page by plain http', () => {
  const fixture = useSites({ flags: [`--host-resolver-rules=MAP ${INTRANET} 127.0.0.1`] });
  let user: BrowserUser;

  before(async () => {
    const body = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';
    fixture.sites.put(INTRANET, '/', hostPage(fixture.sites, body));
    user = await fixture.visit(INTRANET);
  });

  it('is none that the browser trusts', async () => {
    assert.equal(await user.page.evaluate('isSecureContext'), false);
    assert.equal(await user.page.evaluate('"locks" in navigator || "randomUUID" in crypto'), false);
  });

  it('brings an edit to the portal', async () => {
    await user.page.getByRole('button', { name: 'Available', exact: true }).click();
    await user.page.getByText('Live on the portal', { exact: true }).waitFor();

    const [edit] = await fixture.sites.outbox.history('boat-tours', { limit: 1 });
    assert.deepEqual([edit?.id, edit?.to, edit?.state], ['kayak', true, 'delivered']);
  });

  it('says once on the console what is missing, and what to do', async () => {
    const lines = (await user.received()).split('\n').filter((line) => line.startsWith('vendor-inventory-widget:'));

    assert.deepEqual(lines, ['vendor-inventory-widget: without https browsers may clear what waits here.']);
  });
});
