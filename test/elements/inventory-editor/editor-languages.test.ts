import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { enItem } from '../../../src/locales/en.js';
import { LANGUAGES, translationOf } from '../../../src/locales/languages.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { part, row, rows } from '../support/editor-page.js';
import { groupChoice } from '../support/grouped-editor.js';
import { BOAT_UNSET } from '../support/tours.js';

/** A phone of 375 px with the margins of a page. */
const PHONE_PX = 343;

const ITEMS = [...BOAT_UNSET, { id: 'sauna', label: 'Sauna', available: false }];

/** The status line of an item without a value. */
async function unsetText(language: string): Promise<string> {
  const texts = language === 'en' ? enItem() : (await translationOf(language)?.dictionary(language))?.();
  if (texts === undefined) throw new Error(`there is no dictionary for ${language}`);
  return texts.notSetYet;
}

/** An editor on a phone with one row of each kind: on the portal, unset, refused, and with an unsaved change; one is selected. */
async function editorIn(language: string): Promise<InventoryEditor> {
  const proxy = fakeProxy();
  proxy.knows({ id: KAYAK, available: true, state: 'delivered' });
  proxy.knows({ id: CABIN, available: true, state: 'refused', reason: 'item_refused' });
  const page = await fixture<HTMLElement>(html`<div lang=${language} dir=${language === 'ar' ? 'rtl' : 'ltr'}></div>`);
  page.style.inlineSize = `${String(PHONE_PX)}px`;
  const editor = document.createElement('inventory-editor');
  Object.assign(editor, { proxy: proxy.url, items: ITEMS });
  page.append(editor);
  await until(() => part(editor, 'tools') !== null && rows(editor).length === ITEMS.length, 'rows and tools are there');
  row(editor, 'sauna').control.click();
  row(editor, KAYAK).pick();
  await until(() => part(editor, 'save') !== null && part(editor, 'selection') !== null, 'the bars are there');
  return editor;
}

/** Elements with text that is cut, or that is not between the edges of the editor. */
function faults(editor: InventoryEditor): string[] {
  const { left, right } = editor.getBoundingClientRect();
  return [...editor.renderRoot.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.checkVisibility() && hasText(element) && !isForReadersAlone(element))
    .filter((element) => !isInScroller(element))
    .filter((element) => {
      const box = element.getBoundingClientRect();
      const isOutside = box.left < left - 1 || box.right > right + 1;
      return isOutside || isCut(element);
    })
    .map((element) => `${element.className || element.localName}: ${element.textContent.trim()}`);
}

function hasText(element: Element): boolean {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
}

function isForReadersAlone(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width <= 1 || height <= 1;
}

/** The filters are one line, which a person moves sideways. */
function isInScroller(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    if (getComputedStyle(at).overflowX === 'auto') return true;
  }
  return false;
}

function isCut(element: HTMLElement): boolean {
  if (getComputedStyle(element).overflow === 'visible') return false;
  return element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
}

/** The options of a choice that would be cut if the person chose them. */
function cutOptions(select: HTMLSelectElement): string[] {
  return [...select.options]
    .filter((option) => {
      const alone = select.cloneNode() as HTMLSelectElement;
      alone.append(option.cloneNode(true));
      alone.style.cssText = 'position: absolute; inline-size: max-content; max-inline-size: none';
      select.after(alone);
      const isCut = alone.offsetWidth > select.offsetWidth;
      alone.remove();
      return isCut;
    })
    .map(({ text }) => text.trim());
}

describe('an editor on a phone', () => {
  for (const language of ['en', ...LANGUAGES]) {
    it(`shows all of its texts whole, in ${language}`, async () => {
      const editor = await editorIn(language);
      const words = await unsetText(language);
      await until(() => row(editor, BOAT).status === words, 'it speaks the language');

      expect(faults(editor)).to.deep.equal([]);
      expect(row(editor, BOAT).choices.length).to.equal(2);
    });

    it(`has room for each order and each group that can be chosen, in ${language}`, async () => {
      const editor = await editorIn(language);
      const { items } = editor;
      editor.items = items?.map((item, at) => ({ ...item, group: at === 0 ? 'Rooms and apartments' : 'Tours' }));
      await until(() => groupChoice(editor)?.options.length === 3, 'the groups are known');
      await editor.updateComplete;

      const choices = [...editor.renderRoot.querySelectorAll<HTMLSelectElement>('.tools select')];

      expect(choices.length).to.equal(2);
      expect(choices.flatMap(cutOptions)).to.deep.equal([]);
    });
  }
});
