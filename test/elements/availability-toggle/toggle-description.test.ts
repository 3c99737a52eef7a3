import { expect, fixture, html } from '@open-wc/testing';
import type { TemplateResult } from 'lit';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/index.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { accessibleName } from '../support/accessible-name.js';
import { control } from '../support/on-page.js';

async function pageWith(content: TemplateResult): Promise<{ page: HTMLElement; toggle: AvailabilityToggle }> {
  const page = await fixture<HTMLElement>(html`<div>${content}</div>`);
  const toggle = page.querySelector('availability-toggle') as AvailabilityToggle;
  await toggle.updateComplete;
  return { page, toggle };
}

/** The elements that describe an element, as a browser follows them into and out of shadow roots. */
function description(element: Element): string {
  return (element.ariaDescribedByElements ?? []).map(({ textContent }) => textContent.trim()).join(' ');
}

describe('aria-describedby of a toggle', () => {
  it('describes its switch, and follows changes of the referenced text', async () => {
    const { page, toggle } = await pageWith(
      html`<p id="hint">Until October</p>
        <p id="price">40 a day</p>
        <availability-toggle aria-describedby="hint price">Kayak tour</availability-toggle>`,
    );
    const seen = [description(control(toggle))];

    (page.querySelector('#hint') as HTMLElement).textContent = 'Until November';
    seen.push(description(control(toggle)));

    expect(seen).to.deep.equal(['Until October 40 a day', 'Until November 40 a day']);
    await until(
      () => control(toggle).getAttribute('aria-description') === 'Until November 40 a day',
      'browsers that follow no reference are told, too',
    );
  });

  it('follows changes of the attribute', async () => {
    const { toggle } = await pageWith(
      html`<p id="hint">Until October</p>
        <availability-toggle>Kayak tour</availability-toggle>`,
    );

    toggle.setAttribute('aria-describedby', 'hint');
    await toggle.updateComplete;
    const described = description(control(toggle));
    toggle.removeAttribute('aria-describedby');
    await toggle.updateComplete;

    expect([described, description(control(toggle))]).to.deep.equal(['Until October', '']);
    expect(control(toggle).hasAttribute('aria-description')).to.equal(false);
  });

  it('describes the two choices of an unknown value, before the status', async () => {
    const { toggle } = await pageWith(
      html`<p id="hint">Until October</p>
        <availability-toggle aria-describedby="hint" item="kayak" proxy=${fakeProxy().url}
          >Kayak tour</availability-toggle
        >`,
    );

    await until(
      () =>
        description(toggle.renderRoot.querySelector('[role=group]') ?? toggle).startsWith('Until October Not set yet'),
      'the group is described',
    );
  });
});

for (const [attribute, said] of [
  ['aria-labelledby', (toggle: AvailabilityToggle) => accessibleName(control(toggle))],
  ['aria-describedby', (toggle: AvailabilityToggle) => description(control(toggle))],
] as const) {
  describe(`the element that ${attribute} of a toggle references`, () => {
    const named = async (): Promise<{ page: HTMLElement; toggle: AvailabilityToggle }> => {
      const { page, toggle } = await pageWith(html`<availability-toggle></availability-toggle>`);
      toggle.setAttribute(attribute, 'words');
      await toggle.updateComplete;
      return { page, toggle };
    };
    const words = (text: string): HTMLElement =>
      Object.assign(document.createElement('b'), { id: 'words', textContent: text });

    it('may be inserted later, and be replaced by another with the same id', async () => {
      const { page, toggle } = await named();
      const early = words('Kayak');

      page.append(early);
      await until(() => said(toggle) === 'Kayak', 'it is found when it comes');
      early.replaceWith(words('Boat'));

      await until(() => said(toggle) === 'Boat', 'its successor is found');
    });

    it('may be in the same shadow root as the toggle', async () => {
      const { page, toggle } = await named();
      const root = page.attachShadow({ mode: 'open' });

      root.append(words('Kayak'), toggle);

      await until(() => said(toggle) === 'Kayak', 'it is found');
    });
  });
}
