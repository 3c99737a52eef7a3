import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/index.js';
import { until } from '../../client/support/until.js';

const question = (toggle: AvailabilityToggle) => toggle.renderRoot.querySelector('dialog');

describe('the confirmation of a toggle that the page hides', () => {
  async function hidable(): Promise<{ readonly page: HTMLElement; readonly toggle: AvailabilityToggle }> {
    const page = await fixture<HTMLElement>(
      html`<div><availability-toggle confirm checked>Open today</availability-toggle></div>`,
    );
    return { page, toggle: page.querySelector('availability-toggle') as AvailabilityToggle };
  }

  it('counts as cancelled, and does not block the rest of the page', async () => {
    const { page, toggle } = await hidable();
    toggle.click();
    await until(() => question(toggle)?.matches(':modal'), 'it asks');

    page.style.display = 'none';

    await until(() => question(toggle) === null, 'no question is left');
    expect(toggle.checked).to.equal(true);
  });

  it('is not shown if the toggle is hidden when it would open', async () => {
    const { page, toggle } = await hidable();
    page.style.display = 'none';

    toggle.click();
    await import('../../../src/elements/availability-toggle/confirm-dialog.js');
    await nextFrame();
    await until(() => question(toggle) === null, 'no question is left');

    expect(toggle.checked).to.equal(true);
  });
});
