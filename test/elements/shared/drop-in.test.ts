import { expect, fixture, html } from '@open-wc/testing';
import { AvailabilityToggle, InventoryEditor } from '../../../src/widget.js';
import { defineOnce } from '../../../src/elements/shared/define-once.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { KAYAK } from '../../client/support/items.js';
import { pretendProxy } from '../../client/support/pretend-proxy.js';
import { shown, untilStatus } from '../support/on-page.js';

/** Where the server of the tests has the script. */
const HOME = new URL('../../../src', import.meta.url).href;

describe('an element of the drop-in script', () => {
  it('asks the proxy that the script came from', async () => {
    const proxy = pretendProxy(HOME);
    proxy.knows({ id: KAYAK, available: true });

    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle item=${KAYAK}></availability-toggle>`);

    await untilStatus(toggle, 'Live on the portal');
    expect(shown(toggle).value).to.equal('on');
  });

  it('asks the proxy of its own attribute where it has one', async () => {
    const [home, proxy] = [pretendProxy(HOME), pretendProxy()];
    proxy.knows({ id: KAYAK, available: true });

    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url}></availability-toggle>`,
    );

    await untilStatus(toggle, 'Live on the portal');
    expect(home.heard).to.deep.equal([]);
  });
});

describe('two copies of the script on one page', () => {
  it('do not break it: the first wins, and that is said once', async () => {
    const warnings = hearWarnings();
    const second = class extends HTMLElement {};

    defineOnce('availability-toggle', second);

    const toggle = await fixture(html`<availability-toggle></availability-toggle>`);
    expect(toggle).to.be.instanceOf(AvailabilityToggle);
    expect(warnings).to.deep.equal(['<availability-toggle> is defined already; this copy of the script is not used.']);
  });

  it('are not complained of where they are the same copy', () => {
    const warnings = hearWarnings();

    defineOnce('availability-toggle', AvailabilityToggle);
    defineOnce('inventory-editor', InventoryEditor);

    expect(warnings).to.deep.equal([]);
  });

  it('define what the first one did not', () => {
    const tag = `inventory-${crypto.randomUUID()}`;
    const element = class extends HTMLElement {};

    defineOnce(tag, element);

    expect(customElements.get(tag) === element).to.equal(true);
  });
});
