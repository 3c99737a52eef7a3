import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import { AvailabilityToggle } from '../../../src/index.js';
import { toTimestamp } from '../../../src/domain/item.js';
import { ar } from '../../../src/locales/ar.js';
import { enConfirm, enConflict, enList, enToggle } from '../../../src/locales/en.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { KAYAK } from '../../client/support/items.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { control, readyToggle, shown, untilStatus, words } from '../support/on-page.js';

const ARABIC = ar('ar');

const untilWords = (toggle: AvailabilityToggle, text: string): Promise<void> =>
  until(() => words(toggle) === text, `it says "${text}"`);

function time(toggle: AvailabilityToggle): HTMLTimeElement | null {
  return toggle.renderRoot.querySelector('time');
}

const minutesAgo = (minutes: number) => toTimestamp(Date.now() - minutes * 60_000);

describe('the language of a toggle', () => {
  it('is that of the page around it', async () => {
    const page = await fixture<HTMLElement>(
      html`<div lang="ar-EG"><availability-toggle>جولة</availability-toggle></div>`,
    );

    await untilWords(page.firstElementChild as AvailabilityToggle, 'غير متاح');
  });

  it('is that of its own lang attribute, if it has one', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<div lang="ar"><availability-toggle lang="en">Kayak tour</availability-toggle></div>`,
    ).then((page) => page.firstElementChild as AvailabilityToggle);
    await toggle.updateComplete;

    expect(words(toggle)).to.equal('Not available');
  });

  it('follows changes of the page’s lang attribute and its own', async () => {
    const page = await fixture<HTMLElement>(html`<div><availability-toggle>Kayak tour</availability-toggle></div>`);
    const toggle = page.firstElementChild as AvailabilityToggle;

    page.lang = 'ar';
    await untilWords(toggle, 'غير متاح');
    toggle.lang = 'en';
    await untilWords(toggle, 'Not available');
    toggle.removeAttribute('lang');
    await untilWords(toggle, 'غير متاح');
    page.removeAttribute('lang');
    await untilWords(toggle, 'Not available');
  });

  it('follows the lang attribute of a shadow host', async () => {
    const page = await fixture<HTMLElement>(html`<div lang="en"></div>`);
    const root = page.attachShadow({ mode: 'open' });
    const toggle = new AvailabilityToggle();
    root.append(toggle);

    page.lang = 'ar';

    await untilWords(toggle, 'غير متاح');
  });

  for (const tag of ['de', 'arc', '', 'no such language', 'constructor']) {
    it(`is English for lang="${tag}", for which there is no dictionary`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: false, updated_at: minutesAgo(5) });
      const toggle = await readyToggle(proxy);

      toggle.lang = tag;
      await toggle.updateComplete;

      expect(words(toggle)).to.equal('Not available');
      expect(time(toggle)?.textContent).to.include('5');
    });
  }

  it('is spoken in the status, too, and changes nothing else', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, updated_at: minutesAgo(5) });
    const toggle = await readyToggle(proxy);

    toggle.lang = 'ar';

    await untilStatus(toggle, ARABIC.truth['on-portal']);
    expect(shown(toggle).value).to.equal('on');
    expect(time(toggle)?.textContent).to.match(/دقائق/);
    expect(proxy.sent).to.deep.equal([]);
  });

  it('is overridden by the texts of the host, also before it is loaded', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle lang="ar" .strings=${{ notAvailable: 'مغلق' }}>جولة</availability-toggle>`,
    );
    const early = words(toggle);

    toggle.checked = true;
    await untilWords(toggle, 'متاح');
    toggle.checked = false;
    await toggle.updateComplete;

    expect([early, words(toggle)]).to.deep.equal(['مغلق', 'مغلق']);
  });

  it('is the one of the form’s validation message', async () => {
    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle required>Terms</availability-toggle>`);
    const english = toggle.validationMessage;

    toggle.lang = 'ar';
    await until(() => toggle.validationMessage === ARABIC.required, 'its message is in Arabic');

    expect(english).to.equal('Switch this on to continue.');
  });
});

describe('a dictionary', () => {
  it('has every text in every language', () => {
    const english = { ...enToggle(), ...enConflict, ...enConfirm, ...enList() };
    expect(Object.keys(ARABIC).sort()).to.deep.equal(Object.keys(english).sort());
    expect(Object.keys(ARABIC.truth).sort()).to.deep.equal(Object.keys(english.truth).sort());
  });

  it('uses the plural forms of its language', () => {
    expect([1, 2].map(enList().openCount)).to.deep.equal([
      '1 change is not live on the portal yet',
      '2 changes are not live on the portal yet',
    ]);
  });

  it('has a different text for each reason, in every language', () => {
    for (const dictionary of [enToggle(), ARABIC]) {
      const reasons = ['item_refused', 'item_unknown', 'conflict', 'permission_missing', undefined];
      expect(new Set(reasons.map((reason) => dictionary.attention(reason))).size).to.equal(reasons.length);
    }
  });
});

describe('the time of the last confirmation', () => {
  for (const [name, minutes, text] of [
    ['just now', 0, ', just now'],
    ['minutes', 2, ', 2 min. ago'],
    ['hours', 125, ', 2 hr. ago'],
    ['days', 3 * 24 * 60, ', 3 days ago'],
    ['a clock that is ahead', -10, ', just now'],
  ] as const) {
    it(`is shown as ${name}`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true, updated_at: minutesAgo(minutes) });
      const toggle = await readyToggle(proxy);

      await untilStatus(toggle, 'Live on the portal');

      expect(time(toggle)?.textContent).to.equal(text);
    });
  }

  it('is the time of the delivery, not that of the edit, also in its datetime attribute', async () => {
    const proxy = fakeProxy();
    const [updated_at, settled_at] = [minutesAgo(65), minutesAgo(2)];
    proxy.knows({ id: KAYAK, available: true, updated_at, settled_at });
    const toggle = await readyToggle(proxy);

    await untilStatus(toggle, 'Live on the portal');

    expect(time(toggle)?.textContent).to.equal(', 2 min. ago');
    expect(time(toggle)?.dateTime).to.equal(settled_at);
  });

  it('is shown for an edit of this page that waited at the proxy', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, updated_at: minutesAgo(90) });
    const toggle = await readyToggle(proxy);
    control(toggle).click();
    await untilStatus(toggle, 'Sent, ');

    // A portal whose clock is ahead of the proxy's makes a stamp that is later.
    proxy.settle(KAYAK, 'delivered', { settled_at: minutesAgo(3) });

    await until(() => time(toggle)?.textContent === ', 3 min. ago', 'it says when the portal took it');
  });

  it('has the name of the other person who made the change, isolated from the direction of the text around it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, updated_at: minutesAgo(2), by: 'Anna' });
    const toggle = await readyToggle(proxy);

    await untilStatus(toggle, 'Live on the portal');
    const english = time(toggle)?.textContent;
    toggle.lang = 'ar';
    await untilStatus(toggle, ARABIC.truth['on-portal']);

    expect(english).to.equal(', 2 min. ago, by \u2068Anna\u2069');
    expect(time(toggle)?.textContent).to.include('، بواسطة \u2068Anna\u2069');
  });

  it('is a date after a week, and has the full date as its title, in the time zone of the page', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    await untilStatus(toggle, 'Live on the portal');

    toggle.timeZone = 'Pacific/Auckland';
    await toggle.updateComplete;

    expect(time(toggle)?.dateTime).to.equal('2026-01-05T09:00:00.000Z');
    expect(time(toggle)?.textContent).to.equal(', Jan 5, 2026');
    expect(time(toggle)?.title.replace(/\s/g, ' ')).to.equal('Jan 5, 2026, 10:00 PM');
  });

  it('is in the time zone of the device if that of the page does not exist, with a warning', async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    toggle.timeZone = 'Moon/Tranquility';
    await toggle.updateComplete;

    expect(time(toggle)?.title).to.include('2026');
    expect(warnings[0]).to.include('no time zone Moon/Tranquility');
  });

  it('is outside of the live region, so that no relative time is announced', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    await untilStatus(toggle, 'Live on the portal');

    expect(time(toggle)?.closest('[role=status]')).to.equal(null);
  });

  it('is updated by one timer for a thousand toggles, and by none once they are removed', async () => {
    const { setInterval: start, clearInterval: stop } = window;
    const running = new Set<unknown>();
    window.setInterval = ((...words: Parameters<typeof start>) => {
      const timer = start(...words);
      running.add(timer);
      return timer;
    }) as typeof start;
    window.clearInterval = (timer) => {
      running.delete(timer);
      stop(timer);
    };
    afterThisTest(() => Object.assign(window, { setInterval: start, clearInterval: stop }));
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    await readyToggle(proxy).then((first) => {
      first.remove();
    });
    const page = await fixture<HTMLElement>(html`<div></div>`);
    const toggles = Array.from({ length: 1_000 }, () =>
      Object.assign(new AvailabilityToggle(), { item: KAYAK, proxy: proxy.url }),
    );

    page.append(...toggles);
    await until(() => toggles.every((toggle) => time(toggle) !== null), 'all show their time');
    const whileThere = running.size;
    page.replaceChildren();

    expect([whileThere, running.size]).to.deep.equal([1, 0]);
    expect(new Set(toggles.map(({ shadowRoot }) => shadowRoot?.adoptedStyleSheets[0])).size).to.equal(1);
    expect(proxy.heardOn('GET v1/inventory').length).to.be.below(4);
    expect(control(toggles[0] as AvailabilityToggle).checked).to.equal(true);
  });
});
