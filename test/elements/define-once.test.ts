import { expect, fixture, html } from '@open-wc/testing';
import { AvailabilityToggle, InventoryEditor } from '../../src/index.js';
import { defineOnce } from '../../src/elements/define-once.js';
import { hearWarnings } from '../client/console-warnings.js';

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
