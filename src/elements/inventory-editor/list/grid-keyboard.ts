import type { ToolsOfEditor } from '../editor-context.js';
import { isElement } from '../../shared/other-document.js';
import type { Row } from './item-row.js';
import { uncover } from './focus-restore.js';

/**
 * The grid pattern of the ARIA Authoring Practices (APG, "Grid"): one tab stop, arrows between rows and columns. A key
 * that means something here means nothing to the host's page any more; any other key is the host's.
 */
export class GridKeys {
  readonly #tools: ToolsOfEditor;
  /** Of the cell, so that a row with a button more leads to no other column. */
  #column = 0;

  constructor(tools: ToolsOfEditor) {
    this.#tools = tools;
  }

  onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey) return;
    const [first] = event.composedPath();
    const target = isElement(first) ? first : undefined;
    if (target?.matches('input, select')) {
      this.#onFieldKey(event, target as HTMLInputElement | HTMLSelectElement);
      return;
    }
    if (target?.localName === 'button' && (event.key === ' ' || event.key === 'Enter')) {
      // The browser presses it. To the host's page it would look like a key on no button at all.
      event.stopPropagation();
      // Held down, it is one press; of a space bar a browser knows that.
      if (event.repeat && event.key === 'Enter') event.preventDefault();
      return;
    }
    const row = target && this.#tools.context.rows.rowOf(target);
    const used =
      this.#onEditorKey(event) ||
      (row !== undefined && this.#onRowKey(event, row, target as HTMLElement)) ||
      (target?.matches('.head *') === true && this.#onHeadKey(event.key, target));
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What is typed into a field of ours looks to the host's page like keys on no field at all. */
  #onFieldKey(event: KeyboardEvent, field: HTMLInputElement | HTMLSelectElement): void {
    if (event.key !== 'Tab') event.stopPropagation();
    // They choose and take the word that is being composed; in Safari the one that takes it comes right after that, and only
    // its code still says so (WebKit bug 165004).
    if (event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey) {
      if (keyOf(event) === 's' && this.#onEditorKey(event)) event.preventDefault();
      return;
    }
    if (field.localName === 'select') return;
    if (event.key === 'Escape' && field.value !== '') {
      this.#tools.find({ text: '' });
      event.preventDefault();
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      this.#focus(this.#tools.context.rows.active);
      event.preventDefault();
    }
  }

  #onEditorKey(event: KeyboardEvent): boolean {
    const tools = this.#tools;
    const key = keyOf(event);
    if (event.ctrlKey || event.metaKey) {
      switch (key) {
        case 'a':
          if (tools.context.locked) return false;
          tools.selectAll();
          return true;
        case 'z':
          void tools.undo(event.shiftKey);
          return true;
        case 'y':
          void tools.undo(true);
          return true;
        case 's':
          if (tools.context.mode === 'manual' || tools.context.table.counts.changed > 0) void tools.save();
          return true;
        default:
          return false;
      }
    }
    switch (key) {
      case '/':
        tools.focusSearch();
        return true;
      case '?':
        tools.panel((panels) => {
          panels.keys();
        });
        return true;
      case 'escape':
        if (tools.selection.count === 0) return false;
        tools.clearSelection();
        return true;
      default:
        return false;
    }
  }

  #onRowKey(event: KeyboardEvent, row: Row, target: HTMLElement): boolean {
    const { rows } = this.#tools.context;
    const { length } = this.#tools.order;
    const { place } = row;
    const sideways = this.#sideways;
    const whole = event.ctrlKey || event.metaKey;
    const at = stopsOf(row).indexOf(target);
    // A heading has no columns: the next row is entered in the one that the person came from.
    if (!row.isHeading) this.#column = columnOf(row.node, target);
    switch (event.key) {
      case 'ArrowDown':
        return this.#walk(place, place + 1, event.shiftKey);
      case 'ArrowUp':
        return place === 0 && !event.shiftKey ? this.#focusHead() : this.#walk(place, place - 1, event.shiftKey);
      case 'ArrowRight':
        return this.#moveTo(row, at + sideways);
      case 'ArrowLeft':
        return this.#moveTo(row, at - sideways);
      case 'Home':
        return whole ? this.#walk(place, 0, event.shiftKey) : this.#moveTo(row, 0);
      case 'End':
        return whole ? this.#walk(place, length - 1, event.shiftKey) : this.#moveTo(row, Infinity);
      case 'PageDown':
        return this.#walk(place, Math.min(length - 1, place + rows.screenful), event.shiftKey);
      case 'PageUp':
        return this.#walk(place, Math.max(0, place - rows.screenful), event.shiftKey);
      case 'Enter':
        if (target.dataset['act'] === undefined) return false;
        if (!event.repeat) target.click();
        return true;
      case ' ':
        if (!event.repeat) row.node.querySelector<HTMLElement>('[role=switch]')?.click();
        return true;
      default:
        return false;
    }
  }

  /** The buttons of the heads: the check box, then one for each column that is shown. */
  #onHeadKey(key: string, target: Element): boolean {
    const heads = this.#heads();
    const at = heads.findIndex((head) => head === target);
    const to = {
      ArrowRight: at + this.#sideways,
      ArrowLeft: at - this.#sideways,
      Home: 0,
      End: heads.length - 1,
    }[key];
    if (to !== undefined) heads[Math.min(Math.max(to, 0), heads.length - 1)]?.focus();
    else if (key === 'ArrowDown') {
      this.#column = columnOf(target.closest('.row'), target);
      this.#focus(0);
    }
    return to !== undefined || key === 'ArrowDown';
  }

  #focusHead(): boolean {
    const heads = this.#heads();
    const head = heads.find((one) => columnOf(one.closest('.row'), one) >= this.#column) ?? heads.at(-1);
    head?.focus({ preventScroll: true });
    return true;
  }

  #heads(): HTMLElement[] {
    const all = this.#tools.context.root.querySelectorAll<HTMLElement>('.head button:not(.locked .pick *)');
    return [...all].filter((head) => head.offsetParent !== null);
  }

  get #sideways(): 1 | -1 {
    return getComputedStyle(this.#tools.context.element).direction === 'rtl' ? -1 : 1;
  }

  #walk(from: number, to: number, selects: boolean): boolean {
    const { selection, order, context } = this.#tools;
    if (to < 0 || to >= order.length) return true;
    if (selects && !context.locked) {
      const start = order.at(from);
      if (selection.count === 0 || (start !== undefined && !selection.has(start))) this.#tools.select(from, false);
      this.#tools.select(to, true);
    }
    this.#focus(to);
    return true;
  }

  #moveTo(row: Row, at: number): boolean {
    const stops = stopsOf(row);
    const stop = stops[Math.min(Math.max(at, 0), stops.length - 1)];
    stop?.focus();
    if (stop !== undefined && !row.isHeading) this.#column = columnOf(row.node, stop);
    return true;
  }

  #focus(place: number): void {
    const { context } = this.#tools;
    const { rows, root } = context;
    rows.reveal(place);
    const row = rows.byPlace.get(place);
    if (row === undefined) return;
    const stops = stopsOf(row);
    const stop = row.isHeading
      ? row.entry
      : (stops.find((one) => columnOf(row.node, one) >= this.#column) ?? stops.at(-1));
    stop?.focus({ preventScroll: true });
    // Not before: the row out of sight would become this one with the focus in it, and nobody be told that it moved.
    rows.active = place;
    // The list has followed; the page may show another part of the list, or its bars in front of it.
    row.node.scrollIntoView({ block: 'nearest' });
    uncover(root);
  }
}

/** A letter of another script than the Latin one; Thai has marks on keys of their own. */
const FOREIGN = /^(?!\p{scx=Latin})[\p{L}\p{M}]$/u;

/** Where a layout has another script, the letter in the same place of a Latin one. */
const PLACES: Readonly<Record<string, string>> = { KeyA: 'a', KeyS: 's', KeyY: 'y', KeyZ: 'z', Slash: '/' };

/** What is on the key, because AZERTY, QWERTZ and Dvorak move letters; its place only where it has no Latin letter. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key === '؟') return '?';
  if (!FOREIGN.test(key)) return key.toLowerCase();
  return (code === 'Slash' && shiftKey ? '?' : PLACES[code]) ?? '';
}

/** What cannot be pressed now is passed over: a browser gives it no focus. */
function stopsOf(row: Row): HTMLElement[] {
  return row.stops.filter((stop) => !stop.matches(':disabled, .locked .pick *'));
}

function columnOf(row: Element | null, stop: Element): number {
  return [...(row?.children ?? [])].findIndex((cell) => cell.contains(stop));
}
