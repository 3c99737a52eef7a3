import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useSites } from '../security/use-sites.js';
import { hostPage, INTRANET } from '../security/sites.js';
import type { BrowserUser } from './browser-user.js';

/**
 * Many admin pages are served in an intranet without TLS. An edit must reach the portal without the APIs of secure
 * contexts.
 */
describe('an admin page over plain http', () => {
  const fixture = useSites({ flags: [`--host-resolver-rules=MAP ${INTRANET} 127.0.0.1`] });
  let user: BrowserUser;

  before(async () => {
    const body = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';
    fixture.sites.put(INTRANET, '/', hostPage(fixture.sites, body));
    user = await fixture.visit(INTRANET);
  });

  it('is no secure context', async () => {
    assert.equal(await user.page.evaluate('isSecureContext'), false);
    assert.equal(await user.page.evaluate('"locks" in navigator || "randomUUID" in crypto'), false);
  });

  it('delivers an edit to the portal', async () => {
    await user.page.getByRole('button', { name: 'Available', exact: true }).click();
    await user.page.getByText('Live on the portal', { exact: true }).waitFor();

    const [edit] = await fixture.sites.outbox.history('boat-tours', { limit: 1 });
    assert.deepEqual([edit?.id, edit?.to, edit?.state], ['kayak', true, 'delivered']);
  });

  it('warns once on the console that browsers may clear its storage without https', async () => {
    const lines = (await user.received()).split('\n').filter((line) => line.startsWith('vendor-inventory-widget:'));

    assert.deepEqual(lines, ['vendor-inventory-widget: without https browsers may clear what waits here.']);
  });
});
