import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { rows, type RowOnPage, seams } from '../support/editor-page.js';

/** WCAG 2.2, success criterion 1.4.12: what a person may set, over everything that a page says. */
const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}`;

/** Longer words than ours, as an operator may give them. */
const GERMAN = {
  available: 'Verfügbar',
  notAvailable: 'Nicht verfügbar',
  notSetYet: 'Noch nicht festgelegt',
  readOnly: 'Sie dürfen nur ansehen.',
};

const LANGUAGES = [
  { lang: 'en', dir: 'ltr', strings: {}, says: 'Not set yet' },
  { lang: 'ar', dir: 'rtl', strings: {}, says: 'لم يُضبط بعد' },
  { lang: 'de', dir: 'ltr', strings: GERMAN, says: GERMAN.notSetYet },
] as const;

/** Items that nobody has told anything of, in an editor of this width. */
async function unknownItems(
  px: number,
  density: InventoryEditor['density'],
  { lang, dir, strings, says }: (typeof LANGUAGES)[number],
): Promise<InventoryEditor> {
  const page = await fixture<HTMLElement>(html`<div lang=${lang} dir=${dir}></div>`);
  page.style.inlineSize = `${String(px)}px`;
  const items = ['Kayak tour', 'A boat tour of three hours along the coast', 'Cabin'].map((label, at) => ({
    id: `item-${String(at)}`,
    label,
  }));
  const editor = document.createElement('inventory-editor');
  Object.assign(editor, { proxy: fakeProxy().url, items, density, strings });
  page.append(editor);
  await until(() => rows(editor).length === 3 && rows(editor)[0]?.status === says, 'the rows are there');
  return editor;
}

async function setSpacing({ renderRoot }: InventoryEditor): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SPACING);
  const root = renderRoot as ShadowRoot;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

function isWithin(inner: DOMRect, outer: DOMRect): boolean {
  const slack = 1;
  return (
    inner.left >= outer.left - slack &&
    inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack &&
    inner.bottom <= outer.bottom + slack
  );
}

function meet(one: DOMRect, other: DOMRect): boolean {
  const slack = 0.5;
  return (
    one.left < other.right - slack &&
    other.left < one.right - slack &&
    one.top < other.bottom - slack &&
    other.top < one.bottom - slack
  );
}

/** What the person cannot read, or cannot tell from what is beside it. */
function faults(row: RowOnPage): string[] {
  const words = row.part('.truth span');
  const said = [words, ...row.choices];
  const parts = [row.part('.pick button'), row.part('.name span'), row.part('.truth button'), ...row.choices];
  const cut = said.filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight);
  const outside = [...parts, words].filter(
    (part) => !isWithin(part.getBoundingClientRect(), row.node.getBoundingClientRect()),
  );
  const overlaps = parts.flatMap((one, at) =>
    parts.slice(at + 1).filter((other) => meet(one.getBoundingClientRect(), other.getBoundingClientRect())),
  );
  const named = (what: string) => (part: HTMLElement) => `${what}: ${part.textContent || 'the check box'}`;
  return [...cut.map(named('cut')), ...outside.map(named('outside')), ...overlaps.map(named('overlapped'))];
}

describe('an item without a value', () => {
  for (const language of LANGUAGES)
    for (const density of ['comfortable', 'compact'] as const)
      it(`is completely readable at small widths and with any text spacing: ${language.lang}, ${density}`, async () => {
        for (const px of [240, 290, 320, 400, 700, 800, 1100]) {
          const editor = await unknownItems(px, density, language);

          expect(rows(editor).flatMap(faults), `${String(px)} px`).to.deep.equal([]);
          await setSpacing(editor);
          expect(rows(editor).flatMap(faults), `${String(px)} px, spaced`).to.deep.equal([]);
          await until(() => seams(editor).every((gap) => gap === 0), 'the rows follow each other');
          editor.remove();
        }
      });
});
