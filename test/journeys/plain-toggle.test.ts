import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { useSites } from '../security/use-sites.js';
import { ADMIN, hostPage } from '../security/sites.js';
import { openBrowser } from './browser-user.js';

const HOME = 'https://shop.test';
const FORM = `<!doctype html><html lang="en"><title>Shop</title>
  <script type="module" src="/widget.js"></script>
  <form action="/next"><availability-toggle name="open">Open today</availability-toggle>
  <availability-toggle name="late" checked>Open late</availability-toggle><button>Next</button></form>`;

/** A toggle without an item, in a real browser: no proxy, no network. */
describe('a plain toggle on a page', () => {
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];

  before(async () => {
    // The back/forward cache would keep the whole page, so that nothing would have to be restored.
    browser = await openBrowser('--disable-features=BackForwardCache');
    page = await browser.newPage();
    await page.route('**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      asked.push(pathname + search);
      if (pathname.endsWith('.js')) {
        const path = new URL(`../../dist/widget${pathname}`, import.meta.url);
        await route.fulfill({ contentType: 'text/javascript', body: readFileSync(path, 'utf8') });
      } else {
        const body = pathname === '/' ? FORM : '<!doctype html><title>Next</title><h1>Next</h1>';
        await route.fulfill({ contentType: 'text/html', body });
      }
    });
    await page.goto(`${HOME}/`);
    await page.getByRole('switch').first().waitFor();
  });

  after(() => browser.close());

  const values = (): Promise<boolean[]> =>
    page
      .getByRole('switch')
      .evaluateAll((switches) => switches.map((element) => (element as HTMLInputElement).checked));

  it('has the accessible name that aria-labelledby refers to, also after that changes', async () => {
    const names = async (): Promise<string[]> => {
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      return nodes.filter(({ role }) => role?.value === 'switch').map(({ name }) => String(name?.value));
    };
    const session = await page.context().newCDPSession(page);
    const before = await names();
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<i id="told">Open at noon</i>');
      document.querySelector('availability-toggle')?.setAttribute('aria-labelledby', 'told');
    });
    const given = await names();

    await page.evaluate(() => {
      for (const told of document.querySelectorAll('#told')) told.textContent = 'Open at night';
    });

    const [, late] = before;
    assert.deepEqual(
      [given, await names()],
      [
        ['Open at noon', late],
        ['Open at night', late],
      ],
    );
    await page.evaluate(() => {
      document.querySelector('availability-toggle')?.removeAttribute('aria-labelledby');
    });
    assert.deepEqual(await names(), before);
  });

  it('is exposed as a switch with name and state, and its visible status text is hidden from screen readers', async () => {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const read = nodes.filter(
      ({ ignored, role }) => !ignored && ['switch', 'StaticText'].includes(String(role?.value)),
    );

    const switches = read.filter(({ role }) => role?.value === 'switch');
    assert.deepEqual(
      switches.map(({ name, properties }) => [
        String(name?.value),
        String(properties?.find((property) => property.name === 'checked')?.value.value),
        String(properties?.find((property) => property.name === 'focusable')?.value.value),
      ]),
      [
        ['Open today', 'false', 'true'],
        ['Open late', 'true', 'true'],
      ],
    );
    assert.equal(
      read.some(({ name }) => name?.value === 'Available' || name?.value === 'Not available'),
      false,
    );
  });

  it('is submitted with its form like a checkbox', async () => {
    await page.getByRole('switch', { name: 'Open today' }).click();
    await page.getByRole('switch', { name: 'Open late' }).click();

    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Next' }).waitFor();

    assert.ok(asked.includes('/next?open=on'), asked.join(' '));
  });

  it('restores its state when the person navigates back', async () => {
    await page.goBack();
    await page.getByRole('switch').first().waitFor();

    assert.deepEqual(await values(), [true, false]);
  });

  it('requests nothing but its page and its script', () => {
    const unexpected = asked.filter((path) => path !== '/' && !path.startsWith('/widget') && !path.startsWith('/next'));

    assert.deepEqual(unexpected, []);
  });

  it('has no transition if reduced motion is preferred', async () => {
    const slides = (): Promise<string> =>
      page
        .locator('availability-toggle')
        .first()
        .evaluate(
          (toggle) =>
            getComputedStyle(toggle.shadowRoot?.querySelector('.value') as Element, '::after').transitionDuration,
        );
    const before = await slides();

    await page.emulateMedia({ reducedMotion: 'reduce' });

    assert.deepEqual([before, await slides()], ['0.14s', '0s']);
  });

  it('stays recognisable in forced-colours mode', async () => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });

    const [off, on] = await page.locator('availability-toggle').evaluateAll((toggles) =>
      toggles.map((toggle) => {
        const value = toggle.shadowRoot?.querySelector('.value') as Element;
        const [track, thumb] = ['::before', '::after'].map((part) => getComputedStyle(value, part));
        return [track?.borderTopColor, track?.backgroundColor, thumb?.backgroundColor];
      }),
    );

    for (const [border, track, thumb] of [off ?? [], on ?? []]) {
      assert.notEqual(thumb, track, 'the thumb differs from the track');
      assert.notEqual(border, 'rgba(0, 0, 0, 0)', 'the track has an edge');
    }
    assert.notDeepEqual(off, on, 'on differs from off');
  });
});

/** The validation message of a browser is not in the DOM: only a screenshot shows it. */
describe('a required toggle whose item has no value', () => {
  const fixture = useSites();

  before(async () => {
    const toggle =
      '<availability-toggle name="open" required item="kayak" session="/inventory-session">Kayak</availability-toggle>';
    fixture.sites.put(ADMIN, '/', hostPage(fixture.sites, `<form>${toggle}</form>`));
  });

  it('shows the validation message below its two buttons when the form is submitted', async (t) => {
    const user = await fixture.visit();
    t.after(() => user.close());
    const { page } = user;
    await page.getByText('Not set yet', { exact: true }).waitFor();
    const box = await page.locator('availability-toggle').boundingBox();
    const clip = { x: 0, y: (box?.y ?? 0) + (box?.height ?? 0) + 4, width: 600, height: 80 };
    const before = await page.screenshot({ clip });

    await page.evaluate(`document.querySelector('form').requestSubmit()`);

    for (let now = before; now.equals(before);) now = await page.screenshot({ clip });
    assert.equal(
      await page.evaluate(`document.activeElement.shadowRoot.activeElement.textContent.trim()`),
      'Available',
    );
  });
});
