import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Route } from 'playwright-core';
import { openBrowser } from '../journeys/browser-user.js';

/**
 * A page with a toggle in each of its states, drawn in Chromium from the built script. Every character is a box of one width
 * (`boxes.ttf`), so that neither the fonts of a machine nor how it smooths them count.
 */
export interface Look {
  readonly name: string;
  readonly lang: 'en' | 'ar';
  readonly colorScheme: 'light' | 'dark';
  readonly forcedColors?: 'active';
}

export const LOOKS: readonly Look[] = [
  { name: 'light', lang: 'en', colorScheme: 'light' },
  { name: 'dark', lang: 'en', colorScheme: 'dark' },
  { name: 'forced-colours', lang: 'en', colorScheme: 'dark', forcedColors: 'active' },
  { name: 'right-to-left', lang: 'ar', colorScheme: 'light' },
];

export const HOST = 'https://host.test/';
export const PROXY = 'https://proxy.test/';
/** The time at which every picture is drawn. */
export const NOW = '2020-01-08T09:30:00.000Z';
const UPDATED = '2020-01-05T12:00:00.000Z';
const BASE = { available: false, updated_at: '2020-01-05T12:00:00.000Z', by: 'Cleo' };
const THEIRS = { available: false, updated_at: '2020-01-06T12:00:00.000Z', by: 'Anna' };

/** What the proxy knows of the items. */
const INVENTORY = [
  { id: 'on', available: true, state: 'delivered' },
  { id: 'off', available: false, state: 'delivered' },
  { id: 'received', available: true, state: 'received' },
  { id: 'held-up', available: true, state: 'received', delayed: true, reason: 'portal_busy' },
  { id: 'refused', available: true, state: 'refused', reason: 'item_refused' },
  {
    id: 'conflict',
    available: true,
    state: 'conflict',
    clicked_at: '2020-01-05T13:00:00.000Z',
    base: BASE,
    theirs: THEIRS,
  },
  { id: 'flipped', available: true, state: 'delivered' },
];

const TOGGLES = [
  '<availability-toggle>Plain and off</availability-toggle>',
  '<availability-toggle checked>Plain and on</availability-toggle>',
  '<availability-toggle checked disabled>Out of use</availability-toggle>',
  '<availability-toggle checked readonly>To look at</availability-toggle>',
  ...['on', 'off', 'received', 'held-up', 'refused', 'conflict', 'flipped', 'never-set'].map(ofItem),
  '<availability-toggle item="on" proxy="https://proxy.test/" disabled>Out of use</availability-toggle>',
  '<availability-toggle item="on" proxy="">No proxy</availability-toggle>',
  ...['on', 'held-up', 'refused', 'never-set'].map((id) => ofItem(id).replace(' ', ' density="compact" ')),
];

function ofItem(id: string): string {
  return `<availability-toggle item="${id}" proxy="${PROXY}">Item ${id}</availability-toggle>`;
}

function pageOf({ lang }: Look, css: string): string {
  return `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8" />
<title>Toggles</title>
<style>
  @font-face { font-family: Boxes; font-weight: 1 1000; src: url('/boxes.ttf') }
  :root { color-scheme: light dark; --inventory-font: Boxes; --inventory-toggle-display: grid }
  body { margin: 0; padding: 16px; background: Canvas; display: grid; grid-template-columns: 344px 344px; gap: 14px 32px; align-items: start }
  ${css}
</style>
<script type="module" src="${PROXY}widget.js"></script>
${TOGGLES.join('\n')}`;
}

/** A browser that draws alike on all machines. */
export function openStudio(): Promise<Browser> {
  return openBrowser('--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb');
}

/** @param css of the host page, besides its own @returns a PNG */
export async function draw(browser: Browser, look: Look, css = ''): Promise<Buffer> {
  const { colorScheme, forcedColors } = look;
  const context = await browser.newContext({
    viewport: { width: 752, height: 600 },
    reducedMotion: 'reduce',
    colorScheme,
    forcedColors: forcedColors ?? 'none',
    timezoneId: 'UTC',
  });
  try {
    await context.clock.setFixedTime(NOW);
    const page = await context.newPage();
    await context.route(/./, (route) => answerAs(route, pageOf(look, css), INVENTORY));
    await page.goto(HOST);
    await settle(page, look);
    return await page.screenshot({ fullPage: true, animations: 'disabled' });
  } finally {
    await context.close();
  }
}

async function settle(page: Page, { lang }: Look): Promise<void> {
  const item = (id: string) => page.locator(`availability-toggle[item="${id}"]:not([density])`).first();
  const portal = lang === 'ar' ? 'منشور على البوابة' : 'Live on the portal';
  await item('flipped').getByText(portal).waitFor();
  await item('flipped').getByRole('switch').click();
  await item('flipped').getByText(portal).waitFor({ state: 'detached' });
  await item('never-set').getByRole('group').waitFor();
  await page.evaluate(() => document.fonts.ready);
  // With its ring, as who goes by the keyboard sees it.
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
  });
  await page.mouse.move(0, 0);
  await page.keyboard.press('Tab');
}

/** How the proxy answers about the inventory: with what it knows, not at all, or as a server that is away. */
export type ProxyMood = 'well' | 'silent' | 'away';

/**
 * Answers as the host page and as its proxy.
 *
 * @param known what the proxy knows of the items
 */
export async function answerAs(
  route: Route,
  html: string,
  known: readonly object[],
  mood: ProxyMood = 'well',
): Promise<void> {
  const { origin, pathname } = new URL(route.request().url());
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
  if (`${origin}/` === HOST) {
    if (pathname === '/boxes.ttf') return route.fulfill({ body: await fileIn('./boxes.ttf') });
    return route.fulfill({ contentType: 'text/html', body: html });
  }
  // Not even its script can be had again, by which the page tells a proxy that is away from one that does not allow the page.
  if (mood === 'away' && route.request().resourceType() === 'fetch') return route.abort();
  if (!pathname.startsWith('/v1/')) {
    const body = await fileIn(`../../dist/widget${pathname}`);
    return route.fulfill({ contentType: 'text/javascript', headers, body });
  }
  if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers });
  if (pathname === '/v1/session') return route.fulfill({ json: session(), headers });
  if (route.request().method() === 'GET' && pathname === '/v1/inventory' && mood === 'well') {
    const inventory = known.map((item) => ({ updated_at: UPDATED, ...item }));
    return route.fulfill({ json: { inventory, revision: 1 }, headers });
  }
  // Edits, live changes and a silent proxy's list wait for an answer while the picture is drawn.
}

function session(): object {
  return {
    vendor: 'harbour-tours',
    subject: 'ben',
    permissions: ['view', 'edit'],
    limits: { max_edits: 500, max_body_bytes: 262_144 },
    server_time: NOW,
    expires_at: new Date(Date.parse(NOW) + 600_000).toISOString(),
    version: '0.1.0',
  };
}

function fileIn(path: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(path, import.meta.url)));
}
