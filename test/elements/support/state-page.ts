import { fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle, InventoryEditor } from '../../../src/index.js';
import { KAYAK, LONG_AGO } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';

/** The colour scheme and direction of a page. The page has a background, because a toggle itself is transparent. */
export interface Look {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly dir: 'ltr' | 'rtl';
}

/** A page on which a test brings an element into one of its states, with a proxy of its own. */
export class StatePage {
  readonly #look: Look;
  readonly proxy: FakeProxy = fakeProxy();

  constructor(look: Look) {
    this.#look = look;
  }

  async toggle(set: Partial<AvailabilityToggle> = { item: KAYAK }): Promise<AvailabilityToggle> {
    const toggle = document.createElement('availability-toggle');
    toggle.textContent = this.#look.dir === 'rtl' ? 'جولة بالكاياك' : 'Kayak tour';
    (await this.#open()).append(toggle);
    Object.assign(toggle, { proxy: this.proxy.url, ...set });
    await toggle.updateComplete;
    return toggle;
  }

  async editor(set: Partial<InventoryEditor> = {}): Promise<InventoryEditor> {
    const editor = document.createElement('inventory-editor');
    (await this.#open()).append(editor);
    Object.assign(editor, { proxy: this.proxy.url, ...set });
    await editor.updateComplete;
    return editor;
  }

  async #open(): Promise<HTMLElement> {
    const { scheme, dir } = this.#look;
    const page = await fixture<HTMLElement>(html`<main dir=${dir}></main>`);
    page.style.setProperty('color-scheme', scheme);
    page.style.setProperty('background', scheme === 'dark' ? '#11161d' : '#ffffff');
    return page;
  }
}

/** An item with a conflict of two people. */
export const CONFLICT = {
  id: KAYAK,
  available: true,
  state: 'conflict',
  reason: 'conflict',
  clicked_at: LONG_AGO,
  base: { available: false, updated_at: LONG_AGO, by: 'Cleo' },
  theirs: { available: false, updated_at: LONG_AGO, by: 'Ben' },
} as const;
