import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import { openBrowser, visit, type Visitor } from '../journeys/visitor.js';
import { ADA, ADMIN, hostPage, openSites, type Person, type Sites } from './sites.js';

const BEN: Person = { subject: 'person-ben', vendor: 'boat-tours' };

/** T13 of the threats: the next person at the same browser, of the same vendor, at the same host. */
describe('the next person at a shared computer', { timeout: 120_000 }, () => {
  let sites: Sites;
  let browser: Browser;
  let visitor: Visitor;
  let toggle: Locator;

  before(async () => {
    sites = await openSites();
    const body = `<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>
      <inventory-editor session="/inventory-session"></inventory-editor>`;
    sites.put(ADMIN, '/', hostPage(sites, body));
    browser = await openBrowser();
    visitor = await visit(browser, `${sites.origin(ADMIN)}/`);
    toggle = visitor.page.locator('body > availability-toggle');
    await says('Not set yet');
  });

  after(async () => {
    await visitor.close();
    await browser.close();
    await sites.close();
  });

  const says = (text: string): Promise<void> => toggle.getByText(text, { exact: true }).waitFor();
  const choose = (name: string): Promise<void> => toggle.getByRole('button', { name, exact: true }).click();
  const comes = async (person: Person): Promise<void> => {
    sites.person = person;
    await visitor.page.reload();
  };
  const written = async (): Promise<string[]> =>
    (await sites.outbox.history('boat-tours', { limit: 100 })).map(
      ({ subject, id, to }) => `${subject} ${id} ${String(to)}`,
    );

  it('is shown nothing of an edit that waits on this device for somebody else', async () => {
    sites.proxyIsDown = true;
    await choose('Available');
    await says('Saved here. It goes out when the connection is back; keep this page open.');

    await comes(BEN);
    sites.proxyIsDown = false;
    await visitor.page.reload();
    await says('Not set yet');

    assert.equal(await visitor.page.locator('inventory-editor .sheet .row').count(), 0);
    assert.equal(await visitor.page.getByText('not live on the portal yet').count(), 0);
  });

  it('sends what is their own, and nothing else', async () => {
    await choose('Not available');
    await says('Live on the portal');

    assert.deepEqual(await written(), ['person-ben kayak false']);
  });

  it('leaves the first person their edit, who sends it when they are back', async () => {
    await comes(ADA);
    await says('Live on the portal');

    await toggle.getByRole('switch', { checked: true }).waitFor();
    assert.deepEqual(await written(), ['person-ada kayak true', 'person-ben kayak false']);
  });

  it('finds nothing at all once a person has signed out: not in storage, not in the page, and a token that is over', async () => {
    await toggle.getByRole('switch').click();
    await says('Live on the portal');
    const token = sites.heard.at(-1)?.headers.get('Authorization') ?? '';

    const isOut = await visitor.page.evaluate<boolean>(`document.querySelector('inventory-editor').signOut()`);
    const stored = await visitor.stored();
    const answer = await fetch(`${sites.proxyUrl.replace(/\/\/.+:/, '//127.0.0.1:')}/v1/session`, {
      headers: { Authorization: token, Origin: sites.origin(ADMIN) },
    });

    assert.equal(isOut, true);
    assert.ok(stored.includes('inventory-session'), 'it was searched');
    for (const trace of [ADA.subject, ADA.vendor, 'edit_id']) {
      assert.equal(stored.includes(trace), false, trace);
    }
    assert.equal(answer.status, 401);
  });
});
