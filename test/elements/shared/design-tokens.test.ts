import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle, InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK, LONG_AGO } from '../../client/support/items.js';
import { ANNA, fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, press, pressKeys, row, untilStatus as untilRow, workingEditor } from '../support/editor-page.js';
import { untilStatus } from '../support/on-page.js';

interface Token {
  readonly name: string;
  readonly default: string;
}

interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly { readonly tagName: string; readonly cssProperties: readonly Token[] }[];
  }[];
}

/** The documented tokens of an element. */
async function tokensOf(tag: string): Promise<readonly Token[]> {
  const manifest = (await (await fetch('/src/elements/custom-elements.json')).json()) as Manifest;
  const declarations = manifest.modules.flatMap((module) => module.declarations);
  return declarations.find(({ tagName }) => tagName === tag)?.cssProperties ?? [];
}

/** A value that no design has by accident, of the kind that the default is. */
function oddValue({ name, default: usual }: Token): string {
  if (name === '--inventory-font') return 'monospace';
  if (name === '--inventory-toggle-display') return 'grid';
  return /px/.test(usual) && !usual.includes('color') ? '27px' : 'rgb(1, 2, 3)';
}

/** What a token may change. */
const LOOKS = [
  'color backgroundColor backgroundImage boxShadow fontFamily fontSize maxHeight display outlineColor opacity',
  'borderTopColor borderBottomColor borderLeftColor borderTopLeftRadius borderBottomRightRadius fill stroke accentColor',
  'borderTopWidth paddingTop columnGap',
].flatMap((names) => names.split(' ')) as (keyof CSSStyleDeclaration)[];

function lookOf(host: HTMLElement): string {
  const elements = [host, ...host.shadowRoot!.querySelectorAll('*')];
  return JSON.stringify(
    elements.flatMap((element) =>
      ['', '::before', '::after'].map((pseudo) => {
        const style = getComputedStyle(element, pseudo);
        return LOOKS.map((name) => style[name]);
      }),
    ),
  );
}

/** @returns the tokens of these that change nothing of what is seen now */
function withoutEffect(host: HTMLElement, tokens: readonly Token[]): Token[] {
  const before = lookOf(host);
  return tokens.filter((token) => {
    host.style.setProperty(token.name, oddValue(token));
    const isSame = lookOf(host) === before;
    host.style.removeProperty(token.name);
    return isSame;
  });
}

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' },
  { id: BOAT, label: 'Boat tour', group: 'Tours', available: true },
  { id: CABIN, label: 'Cabin', group: 'Rooms', available: false },
  { id: 'sauna', label: 'Sauna', available: true },
];

/** Rows in each of the four states, one of them selected. */
async function editorInAllStates(): Promise<InventoryEditor> {
  const proxy = fakeProxy();
  proxy.person = { ...ANNA, permissions: ['view', 'edit', 'bulk', 'resolve'] };
  proxy.knows({ id: KAYAK, available: true });
  proxy.knows({ id: BOAT, available: true, state: 'received' });
  proxy.knows({ id: CABIN, available: false, state: 'refused', reason: 'item_refused' });
  const editor = await workingEditor(proxy, ITEMS);
  await untilRow(editor, KAYAK, 'Live on the portal');
  row(editor, 'sauna').control.click();
  await untilRow(editor, 'sauna', 'Not saved yet');
  row(editor, KAYAK).pick();
  await until(() => row(editor, KAYAK).isSelected, 'a row is selected');
  return editor;
}

/** Draws everything as though the pointer were on it, and puts the keyboard into the search. */
async function hoverAndFocus(editor: InventoryEditor): Promise<void> {
  const root = editor.shadowRoot!;
  const rules = root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules]);
  const hovered = new CSSStyleSheet();
  for (const rule of rules)
    if (rule.cssText.includes(':hover')) hovered.insertRule(rule.cssText.replaceAll(':hover', ''));
  root.adoptedStyleSheets.push(hovered);
  editor.renderRoot.querySelector('input')?.focus();
  await until(() => root.querySelector(':focus-visible'), 'the focus is seen');
}

/** While a colour is on its way to another one, it is still the one from before. */
function withoutTransitions<T extends HTMLElement>(host: T): T {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { transition: none !important }');
  host.shadowRoot?.adoptedStyleSheets.push(sheet);
  return host;
}

async function toggleOf(proxy: FakeProxy, item: string): Promise<AvailabilityToggle> {
  const toggle = await fixture<AvailabilityToggle>(
    html`<availability-toggle proxy=${proxy.url} item=${item}>An item</availability-toggle>`,
  );
  return withoutTransitions(toggle);
}

const CONFLICT = {
  id: KAYAK,
  available: true,
  state: 'conflict' as const,
  clicked_at: LONG_AGO,
  base: { available: false, updated_at: LONG_AGO },
  theirs: { available: false, updated_at: LONG_AGO, by: 'Ben' },
};

/** A toggle in each of its states. */
async function togglesInAllStates(): Promise<AvailabilityToggle[]> {
  const proxy = fakeProxy();
  for (const known of [
    CONFLICT,
    { id: BOAT, available: false },
    { id: CABIN, available: true, state: 'received' as const },
    { id: 'refused' as typeof BOAT, available: true, state: 'refused' as const, reason: 'item_refused' },
    { id: 'waiting' as typeof BOAT, available: true },
  ])
    proxy.knows(known);
  const toggles: AvailabilityToggle[] = [];
  for (const [item, status] of [
    [KAYAK, 'chose differently'],
    [BOAT, 'Live on'],
    [CABIN, 'Sent, '],
    ['refused', 'Not accepted'],
    ['never', 'Not set'],
  ] as const) {
    const toggle = await toggleOf(proxy, item);
    await untilStatus(toggle, status);
    toggles.push(toggle);
  }
  const waiting = await toggleOf(proxy, 'waiting');
  await untilStatus(waiting, 'Live on');
  proxy.down = true;
  waiting.click();
  await untilStatus(waiting, 'Saved here');
  return [...toggles, waiting];
}

async function askedToggle(): Promise<AvailabilityToggle> {
  const proxy = fakeProxy();
  proxy.knows({ id: BOAT, available: true });
  const toggle = await toggleOf(proxy, BOAT);
  toggle.confirm = true;
  await untilStatus(toggle, 'Live on');
  toggle.click();
  await until(() => toggle.shadowRoot?.querySelector('dialog')?.open, 'it asks');
  return toggle;
}

describe('every documented token', () => {
  it('of the editor has a visible effect', async () => {
    const tokens = await tokensOf('inventory-editor');
    const editor = withoutTransitions(await editorInAllStates());
    await hoverAndFocus(editor);

    let left = withoutEffect(editor, tokens);
    await press(editor, 'Close all');
    await dialog(editor);
    left = withoutEffect(editor, left);
    await pressKeys('Escape');
    await until(() => editor.renderRoot.querySelector('dialog')?.open !== true, 'it is closed');
    void editor.signOut();
    await until(() => editor.renderRoot.querySelector('dialog[open] .danger'), 'it is asked what is to be deleted');
    left = withoutEffect(editor, left);

    expect(tokens.length).to.be.greaterThan(20);
    expect(left.map(({ name }) => name)).to.deep.equal([]);
  });

  it('of the toggle has a visible effect', async () => {
    const tokens = await tokensOf('availability-toggle');
    // Nothing moves here: toggle-look.test.ts has how long the switch moves.
    let left = tokens.filter(({ name }) => name !== '--inventory-motion');

    for (const toggle of await togglesInAllStates()) left = withoutEffect(toggle, left);
    left = withoutEffect(await askedToggle(), left);

    expect(tokens.length).to.be.greaterThan(15);
    expect(left.map(({ name }) => name)).to.deep.equal([]);
  });
});

type Colour = readonly [number, number, number];

const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;

/** What is seen where these are painted over each other. */
function painted(...colours: readonly string[]): Colour {
  canvas.clearRect(0, 0, 1, 1);
  for (const colour of colours) {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The grounds below an element, the lowest first. */
function groundsBelow(element: Element): string[] {
  const grounds: string[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement ?? hostOf(at)) {
    grounds.unshift(getComputedStyle(at).backgroundColor);
  }
  return grounds;
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

const isInUse = (element: Element): boolean =>
  element.checkVisibility() && element.closest(':disabled, [aria-disabled=true]') === null;

/** Texts of less than 4.5:1 (WCAG 1.4.3, level AA). */
function faintTexts(root: ShadowRoot): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const own = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    if (!own || element.localName === 'style' || !isInUse(element)) return [];
    const grounds = groundsBelow(element);
    const ratio = contrast(painted(...grounds), painted(...grounds, getComputedStyle(element).color));
    return ratio < 4.5 ? [`${element.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`] : [];
  });
}

/** What is needed to see a control and its state: a part, its pseudo-element, and the property that has the colour. */
const CONTROLS: readonly (readonly [string, string, 'borderTopColor' | 'backgroundColor' | 'color'])[] = [
  ['input, select, .plain', '', 'borderTopColor'],
  ['.pick button[aria-checked=false]', '::before', 'borderTopColor'],
  ['.pick button[aria-checked=true]', '::before', 'backgroundColor'],
  ['.act [aria-checked]', '::before', 'backgroundColor'],
  ['.value', '::before', 'backgroundColor'],
  ['.pill', '', 'borderTopColor'],
  ['svg', '', 'color'],
];

/** Controls of less than 3:1 (WCAG 1.4.11). */
function faintControls(root: ShadowRoot): string[] {
  return CONTROLS.flatMap(([selector, pseudo, property]) =>
    [...root.querySelectorAll(selector)].filter(isInUse).flatMap((element) => {
      const grounds = groundsBelow(
        pseudo === '' && property !== 'color' ? (element.parentElement ?? element) : element,
      );
      const ratio = contrast(painted(...grounds), painted(...grounds, getComputedStyle(element, pseudo)[property]));
      return ratio < 3 ? [`${selector} ${property}: ${ratio.toFixed(2)}`] : [];
    }),
  );
}

for (const { scheme, ground } of [
  { scheme: 'light', ground: '#ffffff' },
  { scheme: 'dark', ground: '#121212' },
]) {
  describe(`the shipped colours (${scheme})`, () => {
    beforeEach(() => {
      document.documentElement.style.cssText = `color-scheme: ${scheme}; background: ${ground}`;
    });

    afterEach(() => {
      document.documentElement.removeAttribute('style');
    });

    it('have the contrast that texts and controls need in the editor and its dialogs', async () => {
      const editor = withoutTransitions(await editorInAllStates());
      const { shadowRoot: root } = editor;

      const faint = [...faintTexts(root!), ...faintControls(root!)];
      await press(editor, 'Close all');
      faint.push(...faintTexts(root!), ...faintControls(root!));
      const ring = getComputedStyle(root!.activeElement!).outlineColor;

      expect(faint).to.deep.equal([]);
      expect(contrast(painted(ground), painted(ground, ring))).to.be.at.least(3);
    });

    it('have the contrast that texts and controls need in the toggle in all its states', async () => {
      const toggles = await togglesInAllStates();

      const faint = toggles.flatMap(({ shadowRoot: root }) => [...faintTexts(root!), ...faintControls(root!)]);
      expect(toggles.length).to.equal(6);
      expect(faint).to.deep.equal([]);
    });
  });
}
