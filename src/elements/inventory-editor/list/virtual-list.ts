import type { Place, Position, RowOrder } from '../../../client/editor/editor-types.js';
import { MANY } from '../../../client/editor/item-list.js';
import { isHeading } from '../../../client/editor/view/grouped-order.js';
import { observeSize } from '../../shared/other-document.js';
import { Row, USABLE } from './item-row.js';
import { type Lines, toLines } from './lines.js';
import { RowHeights } from './row-heights.js';
import { scrollAround } from './scroll-around.js';

/** Lines that are drawn beyond both edges, so that a flick does not show an empty strip. */
const SPARE = 3;

/** Scrolling has ended if no scroll event came for this time. */
const REST_MS = 200;

/** Browsers cap the height of an element in device pixels: Firefox near 17.8 million, Chromium near 33.5. */
const MAX_DEVICE_PX = 15_000_000;

/** The height of the list by the default style sheet. A list with fewer rows is as high as its rows. */
const DEFAULT_VIEW_PX = 679;

/** A list of at most this many rows is drawn whole if the page gives it its whole height, so that "find in page" finds all. */
const MAX_UNPAGED_ITEMS = 64;

/** A printed list has at most this many lines, some hundreds of pages: more would stop the page for many seconds. */
const MAX_PRINTED_LINES = 10_000;

const PRINT_EVENTS = ['beforeprint', 'afterprint'] as const;

/** What is drawn on one line: a row, or tiles beside each other. */
export interface Line {
  readonly node: HTMLElement;
  readonly rows: readonly Row[];
  /** @param rows how many items stand on the line */
  fill(rows: number): void;
  moveTo(start: string): void;
}

/** What the rows need to know of the list. */
export interface RowsHost {
  order(): RowOrder;
  draw(row: Row, place: Place): void;
  /** What a line of tiles is made of; `undefined`: each item has a row. */
  tiles(): (new () => Line) | undefined;
  /** The number of columns, or of lines, is another one. */
  onLines(): void;
}

/**
 * Draws a screenful of a list of any length. A line is as high as the style sheet says, or another height where that was measured
 * (`row-heights.ts`); a line that leaves the screen becomes the one that enters it. Where the page gives the list its whole
 * height, the page scrolls, and the screenful is that of the window.
 *
 * A line is a row, or has as many tiles as the style sheet says (`--_columns`) and the heading of a group for itself (`lines.ts`).
 *
 * It deliberately knows nothing about items: the host draws them.
 */
export class VirtualRows {
  readonly #scroller: HTMLElement;
  readonly #sheet: HTMLElement;
  readonly #host: RowsHost;
  #observer: ResizeObserver | undefined;
  /** What is drawn, by the number of the line. */
  readonly byLine = new Map<number, Line>();
  #lines: Lines = toLines([], 1);
  #linesOf: RowOrder | undefined;
  #Tiles: (new () => Line) | undefined;
  /** As the style sheet says, once that is known: by the width of the list. */
  #columns = 1;
  readonly #heights = new RowHeights();
  #document: Document | undefined;
  #view: Window | null | undefined;
  /** The page scrolls, and not the list. */
  #isPaged = false;
  #viewPx = DEFAULT_VIEW_PX;
  /** `scrollTop` at the last scroll event. Reading it between two changes would lay out the whole page each time. */
  #top = 0;
  #length = -1;
  #sheetSize = '';
  /** Lines that are out of sight are not drawn yet, so that the visible ones are drawn sooner. */
  #isPartial = false;
  /** The page is being printed: all lines are drawn, and the style sheet puts them below each other. */
  #isPrinted = false;
  #active: Place = 0;
  #stop: HTMLElement | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait for the frame in which the rows are measured. */
  #cancelFrame: (() => void) | undefined;
  /** The row that was brought in last, and how long what is measured may move it. */
  #revealed: { readonly place: Place; readonly until: number } | undefined;

  constructor(scroller: HTMLElement, sheet: HTMLElement, host: RowsHost) {
    this.#scroller = scroller;
    this.#sheet = sheet;
    this.#host = host;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    this.observe();
  }

  /** Follows the sizes and the scrolling in the document where the list is now. */
  observe(): void {
    this.#leaveDocument();
    this.#document = this.#scroller.ownerDocument;
    this.#document.addEventListener('scroll', this.#onPageScroll, { passive: true, capture: true });
    this.#view = this.#document.defaultView;
    for (const name of PRINT_EVENTS) this.#view?.addEventListener(name, this.#onPrint);
    // In a frame of its own: a layout within the notification would be reported to the page as an error of its own
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

  /** The place of the row with the tab stop. It is never recycled, however far away the view is. */
  get active(): Place {
    return this.#active;
  }

  set active(place: Place) {
    if (place === this.#active) return;
    this.#active = place;
    this.#layOut(false, undefined, true);
  }

  get lines(): Lines {
    return this.#lines;
  }

  /** The row or the tile in a place, where it is drawn. */
  rowAt(place: Place): Row | undefined {
    const line = this.#lines.lineOf(place);
    return this.byLine.get(line)?.rows[place - this.#lines.startOf(line)];
  }

  /** All that are drawn. */
  get drawn(): readonly Row[] {
    return [...this.byLine.values()].flatMap(({ rows }) => rows);
  }

  /** How many whole lines fit. */
  get screenful(): number {
    return Math.max(1, Math.floor(this.#viewPx / this.#heights.defaultPx));
  }

  rowOf(part: Element | null): Row | undefined {
    return this.drawn.find(({ node }) => node.contains(part));
  }

  /** Draws all rows, because the order, the values or the texts may have changed. */
  refresh(): void {
    this.#layOut(true, false);
  }

  /** Draws only rows whose item is another one, because the order may have changed. */
  reorder(): void {
    this.#layOut(false, false);
  }

  redraw(position: Position): void {
    if (position === MANY) return void this.refresh();
    for (const row of this.drawn) if (row.position === position) this.#host.draw(row, row.place);
    this.#restoreTabStop();
  }

  /** Scrolls a row into view, by as little as possible, also if the rows before it turn out to be higher. */
  reveal(place: Place): void {
    this.#revealed = { place, until: performance.now() + REST_MS };
    this.#bringIn(place);
  }

  #bringIn(place: Place): void {
    const line = this.#lines.lineOf(place);
    const [top, bottom] = [this.#heights.startOf(line), this.#heights.startOf(line + 1)];
    const seen = this.#offset;
    if (top < seen) this.#scrollTo(top);
    else if (bottom > seen + this.#viewPx) this.#scrollTo(bottom - this.#viewPx);
    this.#layOut(false);
  }

  /** Goes to the beginning, because the list is another one. */
  top(): void {
    this.#active = 0;
    // The stored value: reading `scrollTop` would lay out the page while a key is handled.
    if (this.#top !== 0) this.#scrollTo(0);
  }

  /** A part of a row got the focus: it becomes the tab stop of the list. */
  focused(part: HTMLElement): void {
    const row = this.rowOf(part);
    if (row === undefined) return;
    this.#stopAt(part);
    this.active = row.place;
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
    // Moving a node in the tree would restyle and lay out its whole subtree.
    this.#layOut(false, true);
  };

  /** How far the beginning of the rows is above the screen. */
  get #scrolled(): number {
    return this.#isPaged ? Math.max(0, -this.#sheet.getBoundingClientRect().top) : this.#scroller.scrollTop;
  }

  /** In the next animation frame: the browser does not paint rows that overlap. */
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

  #measure(): void {
    const isOtherView = this.#measureView();
    const isOtherRow = this.#measureRows();
    if (!isOtherView && !isOtherRow) return;
    // While a person scrolls, no row moves in the tree.
    this.#layOut(false, undefined, this.#rest !== undefined);
    if (this.#revealed !== undefined && performance.now() < this.#revealed.until) this.#bringIn(this.#revealed.place);
  }

  /** @returns whether the usual height of a row, or how much of the list is seen, is another one */
  #measureView(): boolean {
    // Headings are lower than tiles.
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
    // The heights have changed: the item at the top of the view stays there.
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

  /** @returns whether a row is higher or lower than was known */
  #measureRows(): boolean {
    const offset = this.#offset;
    const first = this.#heights.lineAt(offset);
    let [above, isOther] = [0, false];
    for (const [line, { node, rows }] of this.byLine) {
      const px = parseFloat(getComputedStyle(node).blockSize);
      // Where the element is not displayed, there is no height.
      if (!(px > 0)) continue;
      const more = this.#heights.measure(line, rows[0]?.position ?? MANY, px);
      isOther ||= more !== 0;
      if (line < first) above += more;
    }
    // What is on the screen stays where it is.
    if (above !== 0) this.#scrollTo(offset + above);
    return isOther;
  }

  /** The longest list in CSS pixels: a pixel of an enlarged page, or of a fine screen, is several of the device. */
  get #maxPx(): number {
    return MAX_DEVICE_PX / Math.max(1, this.#scroller.ownerDocument.defaultView?.devicePixelRatio ?? 1);
  }

  /** Pixels of the list for each pixel of the scroll bar: 1, except with millions of items. */
  get #ratio(): number {
    return Math.max(1, (this.#totalPx - this.#viewPx) / (this.#maxPx - this.#viewPx));
  }

  /** The list may have become shorter than the scroll position. */
  get #offset(): number {
    const ratio = this.#ratio;
    return Math.min(this.#top * ratio, Math.max(0, this.#totalPx - this.#viewPx));
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
   * @param scrolls `false`: the list is another one and was not scrolled yet
   * @param stays whether no row that is in the tree moves in it
   */
  #layOut(all: boolean, scrolls?: boolean, stays = scrolls === true): void {
    // Lines that were left out before still show what they showed then.
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
    if (scrolls === false) heights.retain((line, position) => order.at(lines.startOf(line)) === position);
    this.#setSheetSize(`min(${inPixels(lines.length, heights.extraBefore(lines.length))}, ${String(this.#maxPx)}px)`);
    const offset = this.#offset;
    // Headings between tiles are lower than was known before they are measured.
    const more = this.#Tiles === undefined ? 1 : 1 + SPARE;
    const last = heights.lineAt(offset + Math.max(this.#viewPx, DEFAULT_VIEW_PX)) + more;
    const first = heights.lineAt(offset);
    const start = this.#isPrinted ? 0 : first - SPARE;
    // As many wherever the screen is: one more now and then would come and go in the tree.
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
      // A line that is put off leaves the tree until it is drawn: what it shows may be on another line by now.
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

  /** @returns whether something was drawn */
  #drawLine(line: Line, number: number, order: RowOrder, all: boolean): boolean {
    const start = this.#lines.startOf(number);
    line.fill(this.#lines.startOf(number + 1) - start);
    let isDrawn = false;
    line.rows.forEach((row, at) => {
      const place = start + at;
      if (!all && row.place === place && row.position === order.at(place)) return;
      this.#host.draw(row, place);
      isDrawn = true;
    });
    // After the head, which is the first row.
    if (isDrawn) line.node.setAttribute('aria-rowindex', String(number + 2));
    return isDrawn;
  }

  /** @param isOther the order may be another one */
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

  /** Whether a line can show what begins with this position. */
  #isFit(line: Line, position: Position | undefined): boolean {
    return this.#Tiles === undefined || line instanceof this.#Tiles !== isHeading(position);
  }

  #setSheetSize(size: string): void {
    if (size === this.#sheetSize) return;
    this.#sheetSize = size;
    this.#sheet.style.blockSize = size;
  }

  #reuseLine(number: number, position: Position | undefined, spare: Line[]): Line {
    // In their order, so that a jump moves no row in the tree.
    const at = spare.findIndex((line) => this.#isFit(line, position));
    const [line = this.#newLine(position)] = at < 0 ? [] : spare.splice(at, 1);
    // The item may have changed while the line was not drawn.
    for (const row of line.rows) row.place = -1;
    this.byLine.set(number, line);
    return line;
  }

  #newLine(position: Position | undefined): Line {
    const line = this.#Tiles === undefined || isHeading(position) ? new Row() : new this.#Tiles();
    this.#observer?.observe(line.node);
    return line;
  }

  /**
   * Puts the lines into the order of the list, for people who read line by line. The active line is never moved, because moving
   * it would take its focus.
   *
   * @param stay whether no line that is in the tree moves
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

  /** One tab stop in the whole list, in the active row. */
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

/** A length that follows the usual height of a row, whatever the style sheet makes of it. */
function inPixels(rows: number, px: number): string {
  return px === 0 ? `calc(${String(rows)} * var(--_row))` : `calc(${String(rows)} * var(--_row) + ${String(px)}px)`;
}
