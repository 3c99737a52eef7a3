import type { ToolsOfEditor } from '../editor-context.js';
import { isElement } from '../../shared/other-document.js';
import type { Row } from './item-row.js';
import { scrollAboveActionBar } from './focus-restore.js';

/**
 * The grid pattern of the ARIA Authoring Practices (APG, "Grid"): one tab stop, and arrow keys between rows and columns. A key
 * that is used here does not reach the host's page; every other key does.
 */
export class GridKeys {
  readonly #tools: ToolsOfEditor;
  /** The column of the focused cell, so that the keyboard stays in it when a row has one more button. */
  #column = 0;
  /** The column of the focused tile, so that the keyboard stays in it when it passes a heading. */
  #tileColumn = 0;

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
      // The browser presses the button. The host's page does not see that the target is a button, so the key stops here.
      event.stopPropagation();
      // A key that is held down is one press; browsers repeat Enter and not the space bar.
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

  /** The host's page does not see that the target is a field, so it must not get the keys that are typed into one. */
  #onFieldKey(event: KeyboardEvent, field: HTMLInputElement | HTMLSelectElement): void {
    if (event.key !== 'Tab') event.stopPropagation();
    // The keys belong to the input method editor. In Safari the key that confirms comes after the composition, and only its
    // code shows that (WebKit bug 165004).
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
        tools.withDialogs((dialogs) => {
          dialogs.keys();
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
    const { viewIndex } = row;
    const sideways = this.#sideways;
    const whole = event.ctrlKey || event.metaKey;
    const at = stopsOf(row).indexOf(target);
    // A heading has no columns. From there, the next row is entered in the column that the person came from.
    if (!row.isHeading) this.#column = columnOf(row.node, target);
    switch (event.key) {
      case 'ArrowDown':
        return this.walk(viewIndex, this.#across(row, 1), event.shiftKey);
      case 'ArrowUp':
        return rows.lines.lineOf(viewIndex) === 0 && !event.shiftKey
          ? this.#focusHead()
          : this.walk(viewIndex, this.#across(row, -1), event.shiftKey);
      case 'ArrowRight':
        return this.#moveTo(row, at + sideways);
      case 'ArrowLeft':
        return this.#moveTo(row, at - sideways);
      case 'Home':
        return whole ? this.walk(viewIndex, 0, event.shiftKey) : this.#moveTo(row, 0);
      case 'End':
        return whole ? this.walk(viewIndex, length - 1, event.shiftKey) : this.#moveTo(row, Infinity);
      case 'PageDown':
        return this.walk(viewIndex, this.#across(row, rows.screenful), event.shiftKey);
      case 'PageUp':
        return this.walk(viewIndex, this.#across(row, -rows.screenful), event.shiftKey);
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

  /** The view index that is some lines away in the same column, at most the end of the list. */
  #across({ viewIndex, isHeading }: Row, by: number): number {
    const { lines } = this.#tools.context.rows;
    const from = lines.lineOf(viewIndex);
    if (!isHeading) this.#tileColumn = viewIndex - lines.startOf(from);
    const line = Math.min(Math.max(from + by, 0), lines.length - 1);
    return Math.min(lines.startOf(line) + this.#tileColumn, lines.startOf(line + 1) - 1);
  }

  /** Keys on the buttons of the head: the check box, then one button for each column that is shown. */
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

  /** Moves the keyboard focus to another item. @param selects whether all items between the two are selected */
  walk(from: number, to: number, selects: boolean): boolean {
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

  #focus(viewIndex: number): void {
    const { context } = this.#tools;
    const { rows, root } = context;
    rows.reveal(viewIndex);
    const row = rows.rowAt(viewIndex);
    if (row === undefined) return;
    const stops = stopsOf(row);
    const stop =
      row.isHeading || row.isTile
        ? row.entry
        : (stops.find((one) => columnOf(row.node, one) >= this.#column) ?? stops.at(-1));
    stop?.focus({ preventScroll: true });
    // After the focus: if a row out of sight became active first, it would get the focus without a focus event.
    rows.active = viewIndex;
    // The list has scrolled to the row. The page may still be scrolled to another part of the list, or the bars may cover
    // the row.
    row.node.scrollIntoView({ block: 'nearest' });
    scrollAboveActionBar(root);
  }
}

/** Whether the key types a letter of a script other than Latin. Thai keyboards have keys for marks too. */
const FOREIGN = /^(?!\p{scx=Latin})[\p{L}\p{M}]$/u;

/** The Latin letter on the same key, for a keyboard layout of another script. */
const PLACES: Readonly<Record<string, string>> = { KeyA: 'a', KeyS: 's', KeyY: 'y', KeyZ: 'z', Slash: '/' };

/**
 * The letter on the key, because AZERTY, QWERTZ and Dvorak move letters. The position of the key counts only if it has no
 * Latin letter.
 */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key === '؟') return '?';
  if (!FOREIGN.test(key)) return key.toLowerCase();
  return (code === 'Slash' && shiftKey ? '?' : PLACES[code]) ?? '';
}

/** Without disabled stops, because a browser does not focus them. */
function stopsOf(row: Row): HTMLElement[] {
  return row.stops.filter((stop) => !stop.matches(':disabled, .locked .pick *'));
}

function columnOf(row: Element | null, stop: Element): number {
  return [...(row?.children ?? [])].findIndex((cell) => cell.contains(stop));
}
