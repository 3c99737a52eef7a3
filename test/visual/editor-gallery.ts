import type { Browser, Locator, Page } from 'playwright-core';
import { answerAs, HOST, NOW, PROXY, type ProxyMood } from './gallery.js';

/**
 * The editor of a guest house with tours and a shop, in the states that a vendor meets, as a desktop and a phone show them; some
 * of them on a tablet and a small phone too. The pictures are drawn as those of the toggle: from the built script, in boxes
 * instead of letters, and at a fixed time.
 */
export interface EditorLook {
  readonly name: string;
  readonly lang?: 'ar';
  readonly colorScheme?: 'dark';
  readonly forcedColors?: 'active';
  readonly contrast?: 'more';
  /** Default: a desktop and a phone. */
  readonly devices?: readonly Device[];
  readonly mood?: ProxyMood;
  readonly items?: readonly object[];
  readonly known?: readonly object[];
  /** A selector of what the editor shows once it has come to this state. */
  readonly until: string;
  /** What the person does then. */
  readonly act?: (editor: Locator) => Promise<void>;
  /** A dialog is in the middle of the window. Without one, the picture is of the whole page. */
  readonly isModal?: boolean;
}

export const DEVICES = {
  desktop: { width: 1280, height: 640 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 375, height: 667 },
  'small-phone': { width: 320, height: 568 },
} as const;

export type Device = keyof typeof DEVICES;

const ALL_DEVICES = Object.keys(DEVICES) as Device[];

const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36"><path fill="#378" d="M0 0h36v36H0z"/></svg>')}`;

const ITEMS = [
  { id: 'room-garden', label: 'Garden room', group: 'Rooms', image: PICTURE },
  { id: 'room-attic', label: 'Attic room with two beds and a view of the harbour', group: 'Rooms' },
  { id: 'kayak-tour-2', label: 'Kayak tour along the cliffs', group: 'Tours', image: PICTURE },
  { id: 'sailing', label: 'Evening sailing', group: 'Tours' },
  { id: 'mug-1-without-a-label', group: 'Pottery' },
];

const CALM = [
  { id: 'room-garden', available: true, state: 'delivered' },
  { id: 'room-attic', available: false, state: 'delivered' },
  { id: 'kayak-tour-2', available: true, state: 'received' },
  { id: 'sailing', available: true, state: 'delivered' },
];

const TROUBLED = [
  { id: 'room-garden', available: true, state: 'received', delayed: true, reason: 'portal_credentials' },
  { id: 'room-attic', available: true, state: 'refused', reason: 'item_refused', portal_available: false },
  {
    id: 'kayak-tour-2',
    available: true,
    state: 'conflict',
    reason: 'conflict',
    clicked_at: '2020-01-05T13:00:00.000Z',
    base: { available: false, updated_at: '2020-01-05T12:00:00.000Z', by: 'Cleo' },
    theirs: { available: false, updated_at: '2020-01-06T12:00:00.000Z', by: 'Anna' },
  },
  { id: 'sailing', available: true, state: 'delivered' },
];

const LISTED = '[part=tools] .chip';
const SELECTED = '[part=selection]';

export const EDITOR_LOOKS: readonly EditorLook[] = [
  { name: 'loading', items: [], mood: 'silent', until: '.skeleton' },
  { name: 'empty', items: [], known: [], until: '[part=empty]' },
  { name: 'list', until: LISTED },
  { name: 'offline', mood: 'away', until: '.problem' },
  { name: 'attention', known: TROUBLED, until: '.bar.trouble', devices: ALL_DEVICES },
  { name: 'forced-colours', known: TROUBLED, forcedColors: 'active', until: '.bar.trouble' },
  { name: 'more-contrast', known: TROUBLED, contrast: 'more', until: '.bar.trouble' },
  { name: 'dark', known: TROUBLED, colorScheme: 'dark', until: '.bar.trouble' },
  { name: 'right-to-left', known: TROUBLED, lang: 'ar', until: '.bar.trouble' },
  { name: 'unsaved', until: LISTED, act: select },
  {
    name: 'preview',
    devices: ALL_DEVICES,
    isModal: true,
    until: LISTED,
    act: async (editor) => {
      await select(editor);
      await editor.locator(`${SELECTED} .closes`).click();
      await editor.locator('dialog[open]').waitFor();
    },
  },
  {
    name: 'details',
    isModal: true,
    known: TROUBLED,
    until: '.bar.trouble',
    act: async (editor) => {
      await editor.locator('[data-id=room-attic] .name').click();
      await editor.locator('dialog[open]').waitFor();
    },
  },
];

/** The looks of a device. */
export function looksOn(device: Device): EditorLook[] {
  return EDITOR_LOOKS.filter(({ devices = ['desktop', 'phone'] }) => devices.includes(device));
}

/** One change that is not saved, and two items that are selected. */
async function select(editor: Locator): Promise<void> {
  await editor.locator('[data-id=room-attic] [role=switch]').click();
  for (const id of ['room-garden', 'room-attic']) await editor.locator(`[data-id=${id}] .pick button`).click();
  await editor.locator(SELECTED).waitFor();
}

/** @param css of the host page, besides its own @returns a PNG */
export async function drawEditor(browser: Browser, look: EditorLook, device: Device, css = ''): Promise<Buffer> {
  const { known = CALM, colorScheme = 'light', forcedColors, contrast, mood, until, act, isModal = false } = look;
  const context = await browser.newContext({
    viewport: DEVICES[device],
    reducedMotion: 'reduce',
    colorScheme,
    ...(forcedColors && { forcedColors }),
    ...(contrast && { contrast }),
    timezoneId: 'UTC',
  });
  try {
    await context.clock.setFixedTime(NOW);
    const page = await context.newPage();
    await context.route(/./, (route) => answerAs(route, pageOf(look, css), known, mood));
    await page.goto(HOST);
    const editor = page.locator('inventory-editor');
    await editor.locator(until).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await untilStill(page);
    if (act !== undefined) {
      await act(editor);
      await page.mouse.move(0, 0);
      await untilStill(page);
    }
    return await page.screenshot({ animations: 'disabled', fullPage: !isModal });
  } finally {
    await context.close();
  }
}

/** Resolves once the editor has drawn nothing new for 20 frames, which is longer than it waits before it draws the rows beyond the edges. */
async function untilStill(page: Page): Promise<void> {
  await page.locator('inventory-editor').evaluate(async ({ shadowRoot }) => {
    if (shadowRoot === null) return;
    const watching = new MutationObserver(() => undefined);
    watching.observe(shadowRoot, { subtree: true, childList: true, attributes: true, characterData: true });
    for (let stillFrames = 0; stillFrames < 20; stillFrames += 1) {
      await new Promise(requestAnimationFrame);
      if (watching.takeRecords().length > 0) stillFrames = 0;
    }
    watching.disconnect();
  });
}

function pageOf({ lang, items = ITEMS }: EditorLook, css: string): string {
  return `<!doctype html>
<html lang="${lang ?? 'en'}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>Editor</title>
<style>
  @font-face { font-family: Boxes; font-weight: 1 1000; src: url('/boxes.ttf') }
  :root { color-scheme: light dark; --inventory-font: Boxes }
  body { margin: 0; padding: 12px; background: Canvas }
  /* What sticks to the window is a layer of its own in some frames, and its letters are a pixel higher then. */
  inventory-editor::part(bars) { position: static }
  ${css}
</style>
<script type="module" src="${PROXY}widget.js"></script>
<inventory-editor proxy="${PROXY}">
<script type="application/json">${JSON.stringify(items)}</script>
</inventory-editor>`;
}
