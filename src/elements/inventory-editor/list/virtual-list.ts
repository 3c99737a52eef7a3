import type { ItemIndex, RowOrder, ViewIndex } from '../../../client/editor/editor-types.js';
import { MANY } from '../../../client/editor/item-list.js';
import { isHeading } from '../../../client/editor/view/grouped-order.js';
import { observeSize } from '../../shared/other-document.js';
import { Row, USABLE } from './item-row.js';
import { type Lines, toLines } from './lines.js';
import { RowHeights } from './row-heights.js';
import { scrollAround } from './scroll-around.js';

/** Lines that are rendered beyond both edges, so that a flick does not show an empty strip. */
const SPARE = 3;

/** Scrolling has ended if no scroll event came for this time. */
const REST_MS = 200;

/** Browsers cap the height of an element in device pixels: Firefox near 17.8 million, Chromium near 33.5. */
const MAX_DEVICE_PX = 15_000_000;

/** The height of the list in pixels by the default style sheet. A list with fewer rows is as high as its rows. */
const DEFAULT_VIEW_PX = 679;

/**
 * A list of at most this many rows is rendered as a whole if the page does not limit its height, so that "find in page"
 * finds all.
 */
const MAX_UNPAGED_ITEMS = 64;

/** A printed list has at most this many lines, some hundreds of pages. More would block the page for many seconds. */
const MAX_PRINTED_LINES = 10_000;

const PRINT_EVENTS = ['beforeprint', 'afterprint'] as const;

/** One rendered line: a row, or tiles side by side. */
export interface Line {
  readonly node: HTMLElement;
  readonly rows: readonly Row[];
  /** @param rows the number of items on the line */
  fill(rows: number): void;
  moveTo(start: string): void;
}

/** The interface of the list for its rows. */
export interface RowsHost {
  order(): RowOrder;
  draw(row: Row, viewIndex: ViewIndex): void;
  /** The class of a line of tiles; `undefined` if each item has a row of its own. */
  tiles(): (new () => Line) | undefined;
  /** Called when the number of columns or of lines has changed. */
  onLines(): void;
}

/**
 * Renders a screenful of a list of any length. A line has the default height of the style sheet, or the measured one if
 * that differs (`row-heights.ts`). A line that leaves the screen is recycled for one that enters it. If the page does not
 * limit the height of the list, the page scrolls, and the window is the screenful.
 *
 * A line is a row, or has as many tiles as the style sheet sets (`--_columns`). The heading of a group has a line of its
 * own (`lines.ts`).
 *
 * This class deliberately knows nothing about items: the host renders them.
 */
export class VirtualRows {
  readonly #scroller: HTMLElement;
  readonly #sheet: HTMLElement;
  readonly #host: RowsHost;
  #observer: ResizeObserver | undefined;
  /** The rendered lines by their number. */
  readonly byLine = new Map<number, Line>();
  #lines: Lines = toLines([], 1);
  #linesOf: RowOrder | undefined;
  #Tiles: (new () => Line) | undefined;
  /** The number of columns that the style sheet derives from the width of the list, once it is known. */
  #columns = 1;
  readonly #heights = new RowHeights();
  #document: Document | undefined;
  #view: Window | null | undefined;
  /** Whether the page scrolls instead of the list. */
  #isPaged = false;
  #viewPx = DEFAULT_VIEW_PX;
  /**
   * `scrollTop` at the last scroll event. Reading it between two changes would force a layout of the whole page each time.
   */
  #top = 0;
  #length = -1;
  #sheetSize = '';
  /** Whether lines beyond the edges are not rendered yet, so that the visible ones are rendered sooner. */
  #isPartial = false;
  /** Whether the page is being printed: all lines are rendered, and the style sheet puts them below each other. */
  #isPrinted = false;
  #active: ViewIndex = 0;
  #stop: HTMLElement | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Cancels the frame in which the rows are measured. */
  #cancelFrame: (() => void) | undefined;

  constructor(scroller: HTMLElement, sheet: HTMLElement, host: RowsHost) {
    this.#scroller = scroller;
    this.#sheet = sheet;
    this.#host = host;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    this.observe();
  }

  /** Observes sizes and scrolling in the document that the list is in now. */
  observe(): void {
    this.#leaveDocument();
    this.#document = this.#scroller.ownerDocument;
    this.#document.addEventListener('scroll', this.#onPageScroll, { passive: true, capture: true });
    this.#view = this.#document.defaultView;
    for (const name of PRINT_EVENTS) this.#view?.addEventListener(name, this.#onPrint);
    // Measured in a frame, because a layout within the notification would be reported to the page as an error
    // ("ResizeObserver loop completed with undelivered notifications").
    const rows = [...this.byLine.values()].map(({ node }) => node);
    this.#observer = observeSize([this.#scroller, ...rows], () => {
      this.#measureInFrame();
    });
  }

  #leaveDocument(): void {
    this.#observer?.disconnect();
    this.#cancelFrame?.();
    this.#document?.removeEventListener('scroll', this.#onPageScroll, { capture: true });
    for (const name of PRINT_EVENTS) this.#view?.removeEventListener(name, this.#onPrint);
  }

  close(): void {
    this.#leaveDocument();
    clearTimeout(this.#rest);
    this.#scroller.removeEventListener('scroll', this.#onScroll);
    this.#sheet.replaceChildren();
  }

  /** The view index of the row with the tab stop. It is never recycled, however far away the view is. */
  get active(): ViewIndex {
    return this.#active;
  }

  set active(viewIndex: ViewIndex) {
    if (viewIndex === this.#active) return;
    this.#active = viewIndex;
    this.#layOut(false, undefined, true);
  }

  get lines(): Lines {
    return this.#lines;
  }

  /** The row or tile at a view index, if it is rendered. */
  rowAt(viewIndex: ViewIndex): Row | undefined {
    const line = this.#lines.lineOf(viewIndex);
    return this.byLine.get(line)?.rows[viewIndex - this.#lines.startOf(line)];
  }

  /** All rendered rows. */
  get drawn(): readonly Row[] {
    return [...this.byLine.values()].flatMap(({ rows }) => rows);
  }

  /** The number of whole lines that fit into the view. */
  get screenful(): number {
    return Math.max(1, Math.floor(this.#viewPx / this.#heights.defaultPx));
  }

  rowOf(part: Element | null): Row | undefined {
    return this.drawn.find(({ node }) => node.contains(part));
  }

  /** Renders all rows, because the order, the values or the texts may have changed. */
  refresh(): void {
    this.#layOut(true, false);
  }

  /** Renders only rows that get another item, because the order may have changed. */
  reorder(): void {
    this.#layOut(false, false);
  }

  redraw(itemIndex: ItemIndex): void {
    if (itemIndex === MANY) return void this.refresh();
    for (const row of this.drawn) if (row.itemIndex === itemIndex) this.#host.draw(row, row.viewIndex);
    this.#restoreTabStop();
  }

  /** Scrolls a row into view by as little as possible. */
  reveal(viewIndex: ViewIndex): void {
    const { top, bottom } = this.#edgesOf(viewIndex);
    const seen = this.#offset;
    if (top < seen) this.#scrollTo(top);
    else if (bottom > seen + this.#viewPx) this.#scrollTo(bottom - this.#viewPx);
    this.#layOut(false);
  }

  /** The top and the bottom of a row, in pixels from the beginning of the rows. */
  #edgesOf(viewIndex: ViewIndex): { readonly top: number; readonly bottom: number } {
    const line = this.#lines.lineOf(viewIndex);
    return { top: this.#heights.startOf(line), bottom: this.#heights.startOf(line + 1) };
  }

  /** Whether a row has the focus and is in view as a whole, apart from a fraction of a pixel. */
  #isFocusInView(viewIndex: ViewIndex): boolean {
    if (this.rowAt(viewIndex)?.node.matches(':focus-within') !== true) return false;
    const { top, bottom } = this.#edgesOf(viewIndex);
    // The event of the last scroll may still be to come.
    const seen = this.#toOffset(this.#scrolled);
    return top > seen - 1 && bottom < seen + this.#viewPx + 1;
  }

  /** Scrolls to the beginning, because the list was replaced. */
  top(): void {
    this.#active = 0;
    // The stored value is used, because reading `scrollTop` would force a layout while a key is handled.
    if (this.#top !== 0) this.#scrollTo(0);
  }

  /** Makes a part of a row that got the focus the tab stop of the list. */
  focused(part: HTMLElement): void {
    const row = this.rowOf(part);
    if (row === undefined) return;
    this.#stopAt(part);
    this.active = row.viewIndex;
  }

  readonly #onPageScroll = (): void => {
    if (this.#isPaged) this.#onScroll();
  };

  readonly #onPrint = ({ type }: Event): void => {
    this.#isPrinted = type === PRINT_EVENTS[0];
    this.#isPartial = false;
    this.#layOut(true);
  };

  readonly #onScroll = (): void => {
    this.#top = this.#scrolled;
    // Lines keep their place in the tree, because moving a node restyles and lays out its whole subtree.
    this.#layOut(false, true);
  };

  /** The distance in pixels from the beginning of the rows to the top of the view. */
  get #scrolled(): number {
    return this.#isPaged ? Math.max(0, -this.#sheet.getBoundingClientRect().top) : this.#scroller.scrollTop;
  }

  /** Measures in the next animation frame, before the browser paints, so that no overlapping rows become visible. */
  #measureInFrame(): void {
    const view = this.#document?.defaultView;
    if (this.#cancelFrame !== undefined || !view) return;
    const frame = view.requestAnimationFrame(() => {
      this.#cancelFrame = undefined;
      this.#measure();
    });
    this.#cancelFrame = () => {
      this.#cancelFrame = undefined;
      view.cancelAnimationFrame(frame);
    };
  }

  /** The row that has the focus stays in view, whatever is measured to be higher. */
  #measure(): void {
    const focused = this.#active;
    const isFocusInView = this.#isFocusInView(focused);
    const isOtherView = this.#measureView();
    const isOtherRow = this.#measureRows();
    if (!isOtherView && !isOtherRow) return;
    // While a person scrolls, no line moves in the tree.
    this.#layOut(false, undefined, this.#rest !== undefined);
    if (isFocusInView && !this.#isFocusInView(focused)) this.reveal(focused);
  }

  /** @returns whether the default height of a row, or the visible part of the list, has changed */
  #measureView(): boolean {
    // A heading is no sample for the height of a tile, because it is lower.
    const sample = [...this.byLine.values()].find((line) => this.#Tiles === undefined || line instanceof this.#Tiles);
    const before = this.#heights.defaultPx;
    const rowPx = (sample && parseFloat(getComputedStyle(sample.node).minBlockSize)) || before;
    const columns = this.#askColumns();
    const wholePx = this.#scroller.clientHeight - this.#sheet.offsetTop;
    const isWhole = this.#sheet.offsetHeight <= wholePx + 1;
    this.#isPaged = isWhole && wholePx > innerHeight && this.#length > MAX_UNPAGED_ITEMS;
    const viewPx = this.#isPaged ? innerHeight : wholePx;
    const scrolled = this.#scrolled;
    const isSame = rowPx === before && columns === this.#columns;
    if (isSame && viewPx === this.#viewPx && scrolled === this.#top) return false;
    // The heights have changed, so the list scrolls to keep the first visible item where it is.
    const line = this.#offset / before;
    const first = this.#lines.startOf(Math.floor(line));
    this.#viewPx = viewPx;
    this.#top = scrolled;
    if (isSame) return true;
    this.#heights.defaultPx = rowPx;
    this.#heights.retain(() => false);
    const isOther = columns !== this.#columns;
    this.#columns = columns;
    this.#lines = toLines(this.#host.order(), columns);
    this.#scrollTo((isOther ? this.#lines.lineOf(first) : line) * rowPx);
    if (isOther) this.#host.onLines();
    return true;
  }

  #askColumns(): number {
    if (this.#Tiles === undefined) return 1;
    return Number(getComputedStyle(this.#sheet).getPropertyValue('--_columns')) || 1;
  }

  /** @returns whether the height of a line has changed */
  #measureRows(): boolean {
    const offset = this.#offset;
    const first = this.#heights.lineAt(offset);
    let [above, isOther] = [0, false];
    for (const [line, { node, rows }] of this.byLine) {
      const px = parseFloat(getComputedStyle(node).blockSize);
      // An element that is not displayed has no height.
      if (!(px > 0)) continue;
      const more = this.#heights.measure(line, rows[0]?.itemIndex ?? MANY, px);
      isOther ||= more !== 0;
      if (line < first) above += more;
    }
    // The lines above the view have changed their heights, so the list scrolls to keep the visible ones where they are.
    if (above !== 0) this.#scrollTo(offset + above);
    return isOther;
  }

  /**
   * The longest list in CSS pixels. On an enlarged page or a high-resolution screen, a CSS pixel is several device pixels.
   */
  get #maxPx(): number {
    return MAX_DEVICE_PX / Math.max(1, this.#scroller.ownerDocument.defaultView?.devicePixelRatio ?? 1);
  }

  /** Pixels of the list for each pixel of the scroll bar: 1, except in a list with millions of items. */
  get #ratio(): number {
    return Math.max(1, (this.#totalPx - this.#viewPx) / (this.#maxPx - this.#viewPx));
  }

  /** The top of the view in pixels of the list. */
  get #offset(): number {
    return this.#toOffset(this.#top);
  }

  /** @returns pixels of the list. The list may have become shorter than the scroll position */
  #toOffset(scrolled: number): number {
    return Math.min(scrolled * this.#ratio, Math.max(0, this.#totalPx - this.#viewPx));
  }

  get #totalPx(): number {
    return this.#heights.startOf(this.#lines.length);
  }

  #scrollTo(px: number): void {
    if (this.#isPaged) scrollAround(this.#sheet, px / this.#ratio - this.#scrolled);
    else this.#scroller.scrollTop = px / this.#ratio;
    this.#top = this.#scrolled;
  }

  /**
   * @param scrolls `true` for scrolling; `false` if the list was replaced or reordered
   * @param stays whether no line in the tree changes its place there
   */
  #layOut(all: boolean, scrolls?: boolean, stays = scrolls === true): void {
    // Lines that were left out of the last rendering still show their former content.
    all ||= this.#isPartial;
    if (scrolls !== undefined) {
      this.#isPartial = !scrolls;
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => {
        this.#rest = undefined;
        const rest = this.#isPartial;
        this.#isPartial = false;
        this.#layOut(rest);
      }, REST_MS);
    }
    const order = this.#host.order();
    this.#length = order.length;
    const lines = this.#findLines(order, scrolls === false);
    const heights = this.#heights;
    if (scrolls === false) heights.retain((line, itemIndex) => order.at(lines.startOf(line)) === itemIndex);
    this.#setSheetSize(`min(${inPixels(lines.length, heights.extraBefore(lines.length))}, ${String(this.#maxPx)}px)`);
    const offset = this.#offset;
    // A heading counts with the height of a tile until it is measured, so the screen may have room for more lines.
    const more = this.#Tiles === undefined ? 1 : 1 + SPARE;
    const last = heights.lineAt(offset + Math.max(this.#viewPx, DEFAULT_VIEW_PX)) + more;
    const first = heights.lineAt(offset);
    const start = this.#isPrinted ? 0 : first - SPARE;
    // The number of lines does not depend on the scroll position. Otherwise a line would enter and leave the tree again and
    // again.
    const fitting = start + Math.ceil(this.#viewPx / heights.defaultPx) + 2 * SPARE;
    const drawn = this.#Tiles === undefined ? fitting : Math.max(fitting, last);
    const end = Math.min(lines.length, this.#isPrinted ? MAX_PRINTED_LINES : drawn);
    this.#active = Math.min(this.#active, Math.max(0, order.length - 1));
    const active = lines.lineOf(this.#active);
    const wanted: number[] = [];
    if (active < start) wanted.push(active);
    for (let line = Math.max(0, start); line < end; line += 1) wanted.push(line);
    if (active >= end && lines.length > 0) wanted.push(active);
    const isPutOff = (number: number): boolean =>
      this.#isPartial && (number < first || number >= last) && number !== active;
    const spare: Line[] = [];
    for (const [number, line] of this.byLine) {
      // A line whose rendering is put off leaves the tree, because another line may show its former content by now.
      const stays = wanted.includes(number) && !isPutOff(number);
      if (stays && this.#isFit(line, order.at(lines.startOf(number)))) continue;
      this.byLine.delete(number);
      spare.push(line);
    }
    // Beyond the maximal height of an element, the lines move with the view.
    const shift = offset - Math.min(this.#top, offset);
    let isDrawn = false;
    for (const number of wanted) {
      if (isPutOff(number)) continue;
      const line = this.byLine.get(number) ?? this.#reuseLine(number, order.at(lines.startOf(number)), spare);
      line.moveTo(inPixels(number, heights.extraBefore(number) - shift));
      if (this.#drawLine(line, number, order, all)) isDrawn = true;
    }
    if (isDrawn) this.#measureInFrame();
    this.#inOrder(wanted, stays);
    this.#restoreTabStop();
    for (const { node } of spare) {
      this.#observer?.unobserve(node);
      node.remove();
    }
  }

  /** @returns whether a row was rendered */
  #drawLine(line: Line, number: number, order: RowOrder, all: boolean): boolean {
    const start = this.#lines.startOf(number);
    line.fill(this.#lines.startOf(number + 1) - start);
    let isDrawn = false;
    line.rows.forEach((row, at) => {
      const viewIndex = start + at;
      if (!all && row.viewIndex === viewIndex && row.itemIndex === order.at(viewIndex)) return;
      this.#host.draw(row, viewIndex);
      isDrawn = true;
    });
    // The header is the first row.
    if (isDrawn) line.node.setAttribute('aria-rowindex', String(number + 2));
    return isDrawn;
  }

  /** @param isOther whether the order may have changed */
  #findLines(order: RowOrder, isOther: boolean): Lines {
    const Tiles = this.#host.tiles();
    const isOtherView = Tiles !== this.#Tiles;
    if (isOtherView) {
      this.#Tiles = Tiles;
      for (const { node } of this.byLine.values()) {
        this.#observer?.unobserve(node);
        node.remove();
      }
      this.byLine.clear();
      this.#heights.retain(() => false);
      this.#columns = this.#askColumns();
    }
    if (isOther || isOtherView || order !== this.#linesOf || this.#lines.startOf(Infinity) !== order.length) {
      const { length } = this.#lines;
      this.#lines = toLines((this.#linesOf = order), this.#columns);
      if (Tiles !== undefined && (isOtherView || length !== this.#lines.length)) this.#host.onLines();
    }
    return this.#lines;
  }

  /** Whether the line can render what begins with this item index: a heading, or tiles. */
  #isFit(line: Line, itemIndex: ItemIndex | undefined): boolean {
    return this.#Tiles === undefined || line instanceof this.#Tiles !== isHeading(itemIndex);
  }

  #setSheetSize(size: string): void {
    if (size === this.#sheetSize) return;
    this.#sheetSize = size;
    this.#sheet.style.blockSize = size;
  }

  #reuseLine(number: number, itemIndex: ItemIndex | undefined, spare: Line[]): Line {
    // Taken in their order, so that a jump moves no line in the tree.
    const at = spare.findIndex((line) => this.#isFit(line, itemIndex));
    const [line = this.#newLine(itemIndex)] = at < 0 ? [] : spare.splice(at, 1);
    // The item may have changed while the line was not rendered.
    for (const row of line.rows) row.viewIndex = -1;
    this.byLine.set(number, line);
    return line;
  }

  #newLine(itemIndex: ItemIndex | undefined): Line {
    const line = this.#Tiles === undefined || isHeading(itemIndex) ? new Row() : new this.#Tiles();
    this.#observer?.observe(line.node);
    return line;
  }

  /**
   * Puts the lines into the order of the list in the tree, for people who read line by line with a screen reader. The
   * active line is never moved, because it would lose the focus.
   *
   * @param stay whether no line in the tree changes its place there
   */
  #inOrder(wanted: readonly number[], stay: boolean): void {
    const active = this.#lines.lineOf(this.#active);
    let next: Element | null = null;
    for (let index = wanted.length - 1; index >= 0; index -= 1) {
      const number = wanted[index] ?? 0;
      const node = this.byLine.get(number)?.node;
      if (node === undefined) continue;
      const stays = stay || number === active || node.nextElementSibling === next;
      if (!stays || !node.isConnected) this.#sheet.insertBefore(node, next);
      next = node;
    }
  }

  /** Keeps exactly one tab stop in the list, in the active row. */
  #restoreTabStop(): void {
    const row = this.rowAt(this.#active);
    if (row === undefined || (row.node.contains(this.#stop ?? null) && this.#stop?.matches(USABLE) === true)) return;
    this.#stopAt(row.entry);
  }

  #stopAt(stop: HTMLElement): void {
    if (this.#stop !== undefined) this.#stop.tabIndex = -1;
    stop.tabIndex = 0;
    this.#stop = stop;
  }
}

/** @returns a length that follows the default height of a row, which the style sheet sets */
function inPixels(rows: number, px: number): string {
  return px === 0 ? `calc(${String(rows)} * var(--_row))` : `calc(${String(rows)} * var(--_row) + ${String(px)}px)`;
}
