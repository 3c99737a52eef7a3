import { fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { InventoryEditor } from '../../../src/elements/inventory-editor/inventory-editor.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import type { FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';

/** The visible content of a row. */
export interface ShownRow {
  readonly label: string;
  readonly value: 'on' | 'off' | 'unknown';
  readonly status: string;
}

/** A row as it is rendered now. */
export class RowOnPage {
  readonly node: HTMLElement;

  constructor(node: HTMLElement) {
    this.node = node;
  }

  part(selector: string): HTMLElement {
    const found = this.node.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`the row has no ${selector}`);
    return found;
  }

  get viewIndex(): number {
    return Number(this.node.ariaRowIndex) - 2;
  }

  get label(): string {
    return this.part('.name span').textContent;
  }

  get id(): string {
    return this.node.dataset['id'] ?? '';
  }

  get status(): string {
    return this.part('.truth span').textContent;
  }

  get value(): ShownRow['value'] {
    const control = this.node.querySelector('[role=switch]');
    if (control === null) return 'unknown';
    return control.getAttribute('aria-checked') === 'true' ? 'on' : 'off';
  }

  get shown(): ShownRow {
    return { label: this.label, value: this.value, status: this.status };
  }

  get isSelected(): boolean {
    return this.node.getAttribute('aria-selected') === 'true';
  }

  /** The switch, or the first of two choices if the value is unknown. */
  get control(): HTMLButtonElement {
    return this.part('.act button') as HTMLButtonElement;
  }

  get choices(): HTMLButtonElement[] {
    return [...this.node.querySelectorAll<HTMLButtonElement>('.act button:not([hidden])')];
  }

  pick(options: MouseEventInit = {}): void {
    this.part('.pick button').dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, ...options }));
  }
}

/** The rows of items, without the headings of groups. */
export function rows(editor: InventoryEditor): RowOnPage[] {
  return [...editor.renderRoot.querySelectorAll<HTMLElement>('.sheet > .row:not(.heading)')]
    .map((node) => new RowOnPage(node))
    .sort((one, other) => one.viewIndex - other.viewIndex);
}

/** The distances between consecutive rows in pixels. A negative distance means that the rows overlap. */
export function seams(editor: InventoryEditor): number[] {
  const drawn = rows(editor);
  return drawn
    .slice(1)
    .map((one, at) => ({ one, before: drawn[at] ?? one }))
    .filter(({ one, before }) => one.viewIndex === before.viewIndex + 1)
    .map(({ one, before }) =>
      Math.round(one.node.getBoundingClientRect().top - before.node.getBoundingClientRect().bottom),
    );
}

export function ids(editor: InventoryEditor): string[] {
  return rows(editor).map(({ id }) => id);
}

export function row(editor: InventoryEditor, id: string): RowOnPage {
  const found = rows(editor).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`there is no row for ${id}`);
  return found;
}

export function untilStatus(editor: InventoryEditor, id: string, status: string): Promise<void> {
  return until(() => rows(editor).some((one) => one.id === id && one.status.includes(status)), `${id}: "${status}"`);
}

export function total(editor: InventoryEditor): string {
  return editor.renderRoot.querySelector('.total')?.textContent.trim() ?? '';
}

/** Opens an editor, and waits until its proxy has responded. */
export async function readyEditor(
  proxy: FakeProxy,
  items: InventoryEditor['items'] = undefined,
  set: Partial<InventoryEditor> = {},
): Promise<InventoryEditor> {
  let ready = false;
  const editor = await fixture<InventoryEditor>(
    html`<inventory-editor
      proxy=${proxy.url}
      .items=${items}
      .saveMode=${set.saveMode ?? 'manual'}
      @inventory-ready=${() => {
        ready = true;
      }}
    ></inventory-editor>`,
  );
  Object.assign(editor, set);
  await until(() => ready, 'the proxy has answered');
  await until(() => !total(editor).startsWith('counting'), 'everything is counted');
  return editor;
}

/** Opens an editor, and waits until its rows and tools are rendered. */
export async function workingEditor(
  proxy: FakeProxy,
  items: InventoryEditor['items'],
  set: Partial<InventoryEditor> = {},
): Promise<InventoryEditor> {
  const editor = await readyEditor(proxy, items, set);
  await until(() => editor.renderRoot.querySelector('[part=tools]'), 'the tools are there');
  return editor;
}

/**
 * Resolves once the editor has changed nothing for 20 frames. That is longer than it waits before it renders the rows
 * beyond the edges.
 */
export async function untilStill(editor: InventoryEditor): Promise<void> {
  const watching = new MutationObserver(() => undefined);
  watching.observe(editor.renderRoot, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let stillFrames = 0; stillFrames < 20; stillFrames += 1) {
    await new Promise(requestAnimationFrame);
    if (watching.takeRecords().length > 0) stillFrames = 0;
  }
  watching.disconnect();
}

/** A button of the editor or of its dialog, by the text on it. */
export function button(editor: InventoryEditor, label: string | RegExp): HTMLButtonElement {
  const found = [...editor.renderRoot.querySelectorAll('button')].find((one) => matches(one, label));
  if (found === undefined) throw new Error(`there is no button "${String(label)}"`);
  return found;
}

export function untilButton(editor: InventoryEditor, label: string | RegExp): Promise<void> {
  return until(
    () => [...editor.renderRoot.querySelectorAll('button')].some((one) => matches(one, label)),
    `there is a button "${String(label)}"`,
  );
}

export async function press(editor: InventoryEditor, label: string | RegExp): Promise<void> {
  await untilButton(editor, label);
  button(editor, label).click();
  await editor.updateComplete;
}

function matches(one: HTMLButtonElement, label: string | RegExp): boolean {
  const text = textOf(one);
  return typeof label === 'string' ? text === label : label.test(text);
}

/** The text of an element, with each run of white space as one space. */
export function textOf(element: Element | null | undefined): string {
  return element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

export function part(editor: InventoryEditor, name: string): HTMLElement | null {
  return editor.renderRoot.querySelector<HTMLElement>(`[part=${name}]`);
}

export function partText(editor: InventoryEditor, name: string): string {
  return textOf(part(editor, name));
}

/** The text of the live region of the list. */
export function said(editor: InventoryEditor): string {
  return editor.renderRoot.querySelector('.live-region')?.textContent.trim() ?? '';
}

export async function dialog(editor: InventoryEditor): Promise<HTMLDialogElement> {
  await until(() => editor.renderRoot.querySelector('dialog')?.open, 'a dialog is open');
  const found = editor.renderRoot.querySelector('dialog');
  if (found === null) throw new Error('no dialog');
  return found;
}

export async function search(editor: InventoryEditor, text: string): Promise<void> {
  const field = editor.renderRoot.querySelector('input');
  if (field === null) throw new Error('no search');
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await editor.updateComplete;
}

/** Items for a long list; by default every second one is available. */
export function many(
  count: number,
  isAvailable: (at: number) => boolean = (at) => at % 2 === 0,
): { id: string; label: string; available: boolean }[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `item-${String(at)}`,
    label: `Item ${String(at)}`,
    available: isAvailable(at),
  }));
}

/** Items of which all but every tenth are available. */
export function mostlyOpen(count: number): ReturnType<typeof many> {
  return many(count, (at) => at % 10 !== 0);
}

/** The horizontal centre of a letter, in pixels from the left of the viewport. */
export function placeOf(text: Text, at: number): number {
  const letter = document.createRange();
  letter.setStart(text, at);
  letter.setEnd(text, at + 1);
  const { left, right } = letter.getBoundingClientRect();
  return (left + right) / 2;
}

/** Presses a key, or a combination such as `Control+End`. */
export async function pressKeys(keys: string): Promise<void> {
  const [key = '', modifier] = keys.split('+').reverse();
  if (modifier !== undefined) await sendKeys({ down: modifier });
  await sendKeys({ press: key });
  if (modifier !== undefined) await sendKeys({ up: modifier });
}

/** Collects the texts of the polite live regions of the editor from now on. */
export function hear(editor: InventoryEditor): string[] {
  const heard: string[] = [];
  const observer = new MutationObserver((changes) => {
    const regions = changes.map(({ target }) =>
      (target instanceof Element ? target : target.parentElement)?.closest('[role=status], [aria-live]'),
    );
    for (const region of new Set(regions)) {
      const text = textOf(region);
      if (text !== '' && text !== heard.at(-1)) heard.push(text);
    }
  });
  observer.observe(editor.renderRoot, { childList: true, characterData: true, subtree: true });
  afterThisTest(() => {
    observer.disconnect();
  });
  return heard;
}
