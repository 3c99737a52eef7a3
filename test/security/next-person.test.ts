import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { BrowserUser } from '../journeys/browser-user.js';
import { useSites } from './use-sites.js';
import { ADA, ADMIN, hostPage, type Person } from './sites.js';

const BEN: Person = { subject: 'person-ben', vendor: 'boat-tours' };

/** T13 of the threats: the next person uses the same browser, for the same vendor, at the same host. */
describe('the next person at a shared computer', () => {
  const fixture = useSites();
  let user: BrowserUser;
  let toggle: Locator;

  before(async () => {
    const body = `<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>
      <inventory-editor session="/inventory-session"></inventory-editor>`;
    fixture.sites.put(ADMIN, '/', hostPage(fixture.sites, body));
    user = await fixture.visit();
    toggle = user.page.locator('body > availability-toggle');
    await says('Not set yet');
  });

  const says = (text: string): Promise<void> => toggle.getByText(text, { exact: true }).waitFor();
  const choose = (name: string): Promise<void> => toggle.getByRole('button', { name, exact: true }).click();
  const comes = async (person: Person): Promise<void> => {
    fixture.sites.person = person;
    await user.page.reload();
  };
  const written = async (): Promise<string[]> =>
    (await fixture.sites.outbox.history('boat-tours', { limit: 100 })).map(
      ({ subject, id, to }) => `${subject} ${id} ${String(to)}`,
    );

  it('sees nothing of an edit that another person left unsent on this device', async () => {
    fixture.sites.proxyIsDown = true;
    await choose('Available');
    await says('Saved here. It goes out when the connection is back; keep this page open.');

    await comes(BEN);
    fixture.sites.proxyIsDown = false;
    await user.page.reload();
    await says('Not set yet');

    assert.equal(await user.page.locator('inventory-editor .sheet .row').count(), 0);
    assert.equal(await user.page.getByText('not live on the portal yet').count(), 0);
  });

  it('sends only their own edits', async () => {
    await choose('Not available');
    await says('Live on the portal');

    assert.deepEqual(await written(), ['person-ben kayak false']);
  });

  it('does not lose the edit of the first person, which is sent when that person signs in again', async () => {
    await comes(ADA);
    await says('Live on the portal');

    await toggle.getByRole('switch', { checked: true }).waitFor();
    assert.deepEqual(await written(), ['person-ada kayak true', 'person-ben kayak false']);
  });

  it('finds nothing after the other person has signed out: no data in storage or page, and a revoked token', async () => {
    await toggle.getByRole('switch').click();
    await says('Live on the portal');
    const token = fixture.sites.received.at(-1)?.headers.get('Authorization') ?? '';

    const isOut = await user.page.evaluate<boolean>(`document.querySelector('inventory-editor').signOut()`);
    const stored = await user.stored();
    const answer = await fetch(`${fixture.sites.proxyUrl.replace(/\/\/.+:/, '//127.0.0.1:')}/v1/session`, {
      headers: { Authorization: token, Origin: fixture.sites.origin(ADMIN) },
    });

    assert.equal(isOut, true);
    assert.ok(stored.includes('inventory-session'), 'the search covers the storage');
    for (const trace of [ADA.subject, ADA.vendor, 'edit_id']) {
      assert.equal(stored.includes(trace), false, trace);
    }
    assert.equal(answer.status, 401);
  });
});
