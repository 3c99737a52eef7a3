import { expect, fixture, html } from '@open-wc/testing';
import { AvailabilityToggle, InventoryEditor } from '../../../src/widget.js';
import { listedProxies, setDefaultProxy } from '../../../src/elements/shared/script-origin.js';
import { defineOnce } from '../../../src/elements/shared/define-once.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { shown, untilStatus } from '../support/on-page.js';

/** Where the server of the tests has the script. */
const HOME = new URL('../../../src', import.meta.url).href;

describe('an element of the drop-in script', () => {
  it('requests the origin of the script by default', async () => {
    const proxy = fakeProxy(HOME);
    proxy.knows({ id: KAYAK, available: true });

    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle item=${KAYAK}></availability-toggle>`);

    await untilStatus(toggle, 'Live on the portal');
    expect(shown(toggle).value).to.equal('on');
  });

  for (const tag of ['availability-toggle', 'inventory-editor']) {
    it(`that is <${tag}> sends no token to another server that only its markup names`, async () => {
      const warnings = hearWarnings();
      const [home, foreign] = [fakeProxy(HOME), fakeProxy()];
      const place = await fixture<HTMLElement>(html`<div></div>`);

      // As a script of the page writes what a visitor has given it.
      place.innerHTML = `<${tag} item="${KAYAK}" proxy="${foreign.url}" session="${foreign.sessionUrl}"></${tag}>`;
      await (place.firstElementChild as AvailabilityToggle).updateComplete;

      expect([home.heard, foreign.heard]).to.deep.equal([[], []]);
      expect(warnings.join()).to.include('the attribute proxy names another server than that of the script');
    });

    it(`that is <${tag}> requests another server that a script sets as its property`, async () => {
      const [home, proxy] = [fakeProxy(HOME), fakeProxy()];
      const element = document.createElement(tag);
      Object.assign(element, { item: KAYAK, proxy: proxy.url });
      document.body.append(element);
      afterThisTest(() => {
        element.remove();
      });

      await until(() => proxy.heardOn('GET v1/inventory').length > 0, 'it is asked');

      expect(home.heard).to.deep.equal([]);
    });

    it(`that is <${tag}> requests another server that the script tag lists`, async () => {
      const [home, proxy] = [fakeProxy(HOME), fakeProxy()];
      setDefaultProxy(HOME, [new URL(proxy.url).origin]);
      afterThisTest(() => {
        setDefaultProxy(HOME);
      });
      const place = await fixture<HTMLElement>(html`<div></div>`);

      place.innerHTML = `<${tag} item="${KAYAK}" proxy="${proxy.url}"></${tag}>`;
      await until(() => proxy.heardOn('GET v1/inventory').length > 0, 'it is asked');

      expect(home.heard).to.deep.equal([]);
    });
  }

  it('requests another path of the origin of the script', async () => {
    const proxy = fakeProxy(new URL('/elsewhere', HOME).href);
    proxy.knows({ id: KAYAK, available: true });

    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy="/elsewhere"></availability-toggle>`,
    );

    await untilStatus(toggle, 'Live on the portal');
  });
});

describe('the list of proxies in the script tag', () => {
  const BASE = 'https://inventory.example.com/shop/';

  function listIn(markup: string): string[] {
    const page = document.createElement('template');
    page.innerHTML = markup;
    return listedProxies(page.content, BASE);
  }

  it('is reduced to their origins', () => {
    const tag = `<script type="module" src="${BASE}widget.js" data-proxies="https://a.test/path  https://b.test"></script>`;

    expect(listIn(tag)).to.deep.equal(['https://a.test', 'https://b.test']);
  });

  it('is not read from another script', () => {
    expect(
      listIn('<script src="https://evil.test/widget.js" data-proxies="https://evil.test"></script>'),
    ).to.deep.equal([]);
  });

  it('is ignored if two tags have one, because one of them may be injected', () => {
    const warnings = hearWarnings();
    const tag = (proxy: string): string => `<script src="${BASE}widget.js" data-proxies="${proxy}"></script>`;

    expect(listIn(tag('https://evil.test') + tag('https://a.test'))).to.deep.equal([]);
    expect(warnings).to.have.length(1);
  });
});

describe('two copies of the script on one page', () => {
  it('keep the first definition, with one warning', async () => {
    const warnings = hearWarnings();
    const second = class extends HTMLElement {};

    defineOnce('availability-toggle', second);

    const toggle = await fixture(html`<availability-toggle></availability-toggle>`);
    expect(toggle).to.be.instanceOf(AvailabilityToggle);
    expect(warnings).to.deep.equal(['<availability-toggle> is defined already; this copy of the script is not used.']);
  });

  it('cause no warning if they are the same copy', () => {
    const warnings = hearWarnings();

    defineOnce('availability-toggle', AvailabilityToggle);
    defineOnce('inventory-editor', InventoryEditor);

    expect(warnings).to.deep.equal([]);
  });

  it('define elements that the first one did not define', () => {
    const tag = `inventory-${crypto.randomUUID()}`;
    const element = class extends HTMLElement {};

    defineOnce(tag, element);

    expect(customElements.get(tag) === element).to.equal(true);
  });
});
