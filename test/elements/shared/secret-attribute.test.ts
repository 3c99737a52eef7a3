import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle, InventoryEditor } from '../../../src/index.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { readyEditor, rows } from '../support/editor-page.js';
import { choices, control, readyToggle, shown } from '../support/on-page.js';

/** T16 of the threats: the integrator's slip, a secret in the page. */
const SECRETS = [
  'client-secret',
  'client_secret',
  'clientsecret',
  'secret',
  'token',
  'access-token',
  'password',
  'api-key',
  'apikey',
  'authorization',
  'credentials',
];

const says = (name: string): string =>
  `This element was given ${name}="…", which looks like a secret. A page can keep none: take it out, and change it where it is in use.`;

describe('an element with an attribute whose name suggests a secret', () => {
  for (const name of SECRETS) {
    it(`warns once, never prints the value of ${name}, and sends no request`, async () => {
      const warnings = hearWarnings();
      const proxy = fakeProxy();
      const toggle = document.createElement('availability-toggle');
      for (const [key, value] of [
        ['item', KAYAK],
        ['proxy', proxy.url],
        [name, 'canary'],
      ] as const) {
        toggle.setAttribute(key, value);
      }

      const page = await fixture(html`<div>${toggle}</div>`);
      toggle.requestUpdate();
      await until(() => warnings.length > 0, 'a warning is on the console');

      expect(page.contains(toggle)).to.equal(true);
      expect(shown(toggle).status).to.equal(says(name));
      expect(warnings).to.deep.equal([`<availability-toggle>: ${says(name)} <availability-toggle>`]);
      expect(choices(toggle).map(({ disabled }) => disabled)).to.deep.equal([true, true]);
      expect(toggle.renderRoot.textContent).not.to.contain('canary');
      expect(proxy.heard).to.deep.equal([]);
    });
  }

  it('warns and shows no items if it is an editor', async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });

    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} api-key="canary" .items=${[{ id: KAYAK }]}></inventory-editor>`,
    );
    editor.requestUpdate();
    await until(() => warnings.length > 0, 'a warning is on the console');

    expect(editor.renderRoot.querySelector('[part=problem]')?.textContent.trim()).to.equal(says('api-key'));
    expect(warnings).to.deep.equal([`<inventory-editor>: ${says('api-key')} <inventory-editor>`]);
    expect(rows(editor)).to.deep.equal([]);
    expect(proxy.heard).to.deep.equal([]);
  });

  it('warns and is disabled if it is a plain switch', async () => {
    const warnings = hearWarnings();

    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle password="canary">Kayak tour</availability-toggle>`,
    );
    toggle.click();
    await until(() => warnings.length > 0, 'a warning is on the console');

    expect(warnings).to.deep.equal([`<availability-toggle>: ${says('password')} <availability-toggle>`]);
    expect(control(toggle).disabled).to.equal(true);
    expect(toggle.checked).to.equal(false);
  });

  it('shows the problem if the attribute is set later', async () => {
    hearWarnings();
    const toggle = await readyToggle(fakeProxy());

    toggle.setAttribute('token', 'canary');
    toggle.requestUpdate();
    await toggle.updateComplete;

    expect(shown(toggle).status).to.equal(says('token'));
  });

  it('does not affect the other elements of the page', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    await fixture(html`<inventory-editor proxy=${proxy.url} secret="canary"></inventory-editor>`);

    const editor = await readyEditor(proxy);

    expect(rows(editor)).to.have.length(1);
  });
});

describe('an element causes no warning because of', () => {
  for (const name of ['data-csrf-token', 'aria-label', 'title', 'class', 'name', 'id', 'data-secret']) {
    it(`its attribute ${name}`, async () => {
      const warnings = hearWarnings();
      const toggle = await readyToggle(fakeProxy());

      toggle.setAttribute(name, '/inventory-session');
      toggle.requestUpdate();
      await toggle.updateComplete;

      expect(warnings).to.deep.equal([]);
    });
  }
});
