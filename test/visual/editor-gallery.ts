import type { Browser, Locator, Page } from 'playwright-core';
import { answerAs, HOST, PROXY } from './gallery.js';

/** The editor of a guest house with tours and a shop, in the states that a vendor meets, at the widths that they have. */
export interface EditorLook {
  readonly name: string;
  readonly width: number;
  readonly height?: number;
  readonly lang?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active';
  /** On the tag of the editor. */
  readonly attributes?: string;
  readonly css?: string;
  /** The device's own font, for a person who judges the picture; stored pictures are drawn in boxes. */
  readonly realFont?: boolean;
  readonly items?: readonly object[];
  readonly known?: readonly object[];
  /** What the person does before the picture is taken. */
  readonly act?: (editor: Locator, page: Page) => Promise<void>;
  /** Of the answers about the inventory: as though the proxy were away. */
  readonly isDown?: boolean;
}

const UPDATED = '2020-01-05T12:00:00.000Z';

export const ITEMS = [
  { id: 'room-garden', label: 'Garden room', group: 'Rooms', available: true },
  {
    id: 'room-attic',
    label: 'Attic room with two beds and a view of the harbour and the old lighthouse',
    group: 'Rooms',
  },
  { id: 'room-tower', label: 'Tower room', group: 'Rooms', note: 'Stairs' },
  { id: 'sauna', label: 'Sauna', group: 'Extras', available: false },
  { id: 'kayak-tour-2', label: 'Kayak tour along the cliffs, half a day', group: 'Tours' },
  { id: 'sailing', label: 'Evening sailing', group: 'Tours' },
  { id: 'boat-42', label: 'Motor boat', group: 'Tours' },
  { id: 'bowl-7', group: 'Pottery', label: 'Bowl, blue glaze, 24 cm' },
  { id: 'mug-1-without-a-label', group: 'Pottery' },
];

export const KNOWN = [
  { id: 'room-garden', available: true, state: 'delivered' },
  { id: 'room-attic', available: true, state: 'refused', reason: 'item_refused' },
  { id: 'room-tower', available: true, state: 'received', delayed: true, reason: 'portal_credentials' },
  {
    id: 'kayak-tour-2',
    available: true,
    state: 'conflict',
    reason: 'conflict',
    clicked_at: '2020-01-05T13:00:00.000Z',
    base: { available: false, updated_at: UPDATED, by: 'Cleo' },
    theirs: { available: false, updated_at: '2020-01-06T12:00:00.000Z', by: 'Anna' },
  },
  { id: 'sailing', available: true, state: 'received' },
  { id: 'boat-42', available: false, state: 'delivered' },
].map((item) => ({ updated_at: UPDATED, ...item }));

/** @returns a PNG */
export async function drawEditor(browser: Browser, look: EditorLook): Promise<Buffer> {
  const { width, height = 900, colorScheme = 'light', forcedColors = 'none' } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
    colorScheme,
    forcedColors,
    timezoneId: 'UTC',
  });
  try {
    const page = await context.newPage();
    await context.route(/./, (route) => answerAs(route, pageOf(look), look.known ?? KNOWN, look.isDown === true));
    await page.goto(HOST);
    const editor = page.locator('inventory-editor');
    await editor.locator('[part=tools] .chip, .problem, .quiet').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await look.act?.(editor, page);
    return await page.screenshot({ fullPage: true, animations: 'disabled' });
  } finally {
    await context.close();
  }
}

function pageOf({ lang = 'en', attributes = '', css = '', items = ITEMS, realFont = false }: EditorLook): string {
  const font = realFont ? '' : '--inventory-font: Boxes;';
  return `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>Editor</title>
<style>
  @font-face { font-family: Boxes; font-weight: 1 1000; src: url('/boxes.ttf') }
  :root { color-scheme: light dark; ${font} }
  body { margin: 0; padding: 12px; background: Canvas }
  ${css}
</style>
<script type="module" src="${PROXY}widget.js"></script>
<inventory-editor proxy="${PROXY}" ${attributes}>
<script type="application/json">${JSON.stringify(items)}</script>
</inventory-editor>`;
}
