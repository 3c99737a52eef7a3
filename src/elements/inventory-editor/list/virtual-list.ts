import type { Place, Position, RowOrder } from '../../../client/editor/editor-types.js';
import { MANY } from '../../../client/editor/item-list.js';
import { observeSize } from '../../shared/other-document.js';
import { Row, USABLE } from './item-row.js';
import { RowHeights } from './row-heights.js';
import { scrollAround } from './scroll-around.js';

/** Rows beyond both edges, so that a flick does not show an empty strip. */
const SPARE = 3;

/** Scrolling has come to rest. */
const REST_MS = 200;

/** Browsers cap the height of an element in device pixels: Firefox near 17.8 million, Chromium near 33.5. */
const MAX_DEVICE_PX = 15_000_000;

/** What the style sheet leaves for rows where nobody says otherwise. A list that is shorter is as high as its rows. */
const USUAL_VIEW_PX = 679;

/** A list of no more rows is drawn whole where the page gives it its whole height: whoever searches the page finds them. */
const FEW = 64;

/** What the rows need to know of the list. */
export interface RowsHost {
  order(): RowOrder;
  draw(row: Row, place: Place): void;
}

/**
 * Draws a screenful of a list of any length. A row is as high as the style sheet says, or higher where it has more to say
 * (`row-heights.ts`); a row that leaves the screen becomes the one that enters it. Where the page gives the list its whole
 * height, the page scrolls, and the screenful is that of the window.
 *
 * It deliberately knows no item: the host draws.
 */
export class VirtualRows {
  readonly #scroller: HTMLElement;
  readonly #sheet: HTMLElement;
  readonly #host: RowsHost;
  #observer: ResizeObserver | undefined;
  /** What is drawn. */
  readonly byPlace = new Map<Place, Row>();
  readonly #heights = new RowHeights();
  #document: Document | undefined;
  /** The page scrolls, and not the list. */
  #isPaged = false;
  #viewPx = USUAL_VIEW_PX;
  /** `scrollTop`, as it was told last: to ask for it between two changes would lay out the whole page each time. */
  #top = 0;
  #length = -1;
  #sheetSize = '';
  /** What nobody sees is not drawn yet: a person waits for what they see. */
  #isPartial = false;
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
    // In a frame of its own: a layout within the notification would be reported to the page as an error of its own
    // ("ResizeObserver loop completed with undelivered notifications").
    const rows = [...this.byPlace.values()].map(({ node }) => node);
    this.#observer = observeSize([this.#scroller, ...rows], () => {
      this.#measureInFrame();
    });
  }

  #leaveDocument(): void {
    this.#observer?.disconnect();
    this.#cancelFrame?.();
    this.#document?.removeEventListener('scroll', this.#onPageScroll, { capture: true });
  }

  close(): void {
    this.#leaveDocument();
    clearTimeout(this.#rest);
    this.#scroller.removeEventListener('scroll', this.#onScroll);
    this.#sheet.replaceChildren();
  }

  /** The row that the keyboard is in. It is never recycled, however far away the screen is. */
  get active(): Place {
    return this.#active;
  }

  set active(place: Place) {
    if (place === this.#active) return;
    this.#active = place;
    this.#layOut(false, undefined, true);
  }

  /** How many whole rows fit. */
  get screenful(): number {
    return Math.max(1, Math.floor(this.#viewPx / this.#heights.usualPx));
  }

  rowOf(part: Element | null): Row | undefined {
    return [...this.byPlace.values()].find(({ node }) => node.contains(part));
  }

  /** Everything may have changed: the order, the values, the texts. */
  refresh(): void {
    this.#layOut(true, false);
  }

  /** The order may have changed, and no row says anything else. */
  reorder(): void {
    this.#layOut(false, false);
  }

  redraw(position: Position): void {
    if (position === MANY) return void this.refresh();
    for (const row of this.byPlace.values()) if (row.position === position) this.#host.draw(row, row.place);
    this.#keepStop();
  }

  /** Brings a row onto the screen, by as little as it takes, also where those before it turn out to be higher. */
  reveal(place: Place): void {
    this.#revealed = { place, until: performance.now() + REST_MS };
    this.#bringIn(place);
  }

  #bringIn(place: Place): void {
    const [top, bottom] = [this.#heights.startOf(place), this.#heights.startOf(place + 1)];
    const seen = this.#offset;
    if (top < seen) this.#scrollTo(top);
    else if (bottom > seen + this.#viewPx) this.#scrollTo(bottom - this.#viewPx);
    this.#layOut(false);
  }

  /** Another list is looked at: from its beginning. */
  top(): void {
    this.#active = 0;
    // As it was told last: to ask would lay out the page in the middle of a key.
    if (this.#top !== 0) this.#scrollTo(0);
  }

  /** The keyboard has come to a part of a row: that is where it comes back to. */
  focused(part: HTMLElement): void {
    const row = this.rowOf(part);
    if (row === undefined) return;
    this.#stopAt(part);
    this.active = row.place;
  }

  readonly #onPageScroll = (): void => {
    if (this.#isPaged) this.#onScroll();
  };

  readonly #onScroll = (): void => {
    this.#top = this.#scrolled;
    // A node that is moved in the tree is styled and laid out anew, with all that is in it.
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
    const [row] = this.byPlace.values();
    const before = this.#heights.usualPx;
    const rowPx = (row && parseFloat(getComputedStyle(row.node).minBlockSize)) || before;
    const wholePx = this.#scroller.clientHeight - this.#sheet.offsetTop;
    const isWhole = this.#sheet.offsetHeight <= wholePx + 1;
    this.#isPaged = isWhole && wholePx > innerHeight && this.#length > FEW;
    const viewPx = this.#isPaged ? innerHeight : wholePx;
    const scrolled = this.#scrolled;
    if (rowPx === before && viewPx === this.#viewPx && scrolled === this.#top) return false;
    // Another layout has other heights: what was at the top stays there.
    const place = this.#offset / before;
    this.#viewPx = viewPx;
    this.#top = scrolled;
    if (rowPx !== before) {
      this.#heights.usualPx = rowPx;
      this.#heights.keep(() => false);
      this.#scrollTo(place * rowPx);
    }
    return true;
  }

  /** @returns whether a row is higher or lower than was known */
  #measureRows(): boolean {
    const offset = this.#offset;
    const first = this.#heights.placeAt(offset);
    let [above, isOther] = [0, false];
    for (const { node, place, position } of this.byPlace.values()) {
      const px = parseFloat(getComputedStyle(node).blockSize);
      // Where the element is not displayed, there is no height.
      if (!(px > 0)) continue;
      const more = this.#heights.measure(place, position, px);
      isOther ||= more !== 0;
      if (place < first) above += more;
    }
    // What is on the screen stays where it is.
    if (above !== 0) this.#scrollTo(offset + above);
    return isOther;
  }

  /** The longest list in CSS pixels: a pixel of an enlarged page, or of a fine screen, is several of the device. */
  get #maxPx(): number {
    return MAX_DEVICE_PX / Math.max(1, this.#scroller.ownerDocument.defaultView?.devicePixelRatio ?? 1);
  }

  /** How many pixels of the list one pixel of the scroll bar stands for: 1, but for millions of items. */
  get #ratio(): number {
    return Math.max(1, (this.#totalPx - this.#viewPx) / (this.#maxPx - this.#viewPx));
  }

  /** The list may have become shorter than where the screen was. */
  get #offset(): number {
    const ratio = this.#ratio;
    return Math.min(this.#top * ratio, Math.max(0, this.#totalPx - this.#viewPx));
  }

  get #totalPx(): number {
    return this.#heights.startOf(Math.max(0, this.#length));
  }

  #scrollTo(px: number): void {
    if (this.#isPaged) scrollAround(this.#sheet, px / this.#ratio - this.#scrolled);
    else this.#scroller.scrollTop = px / this.#ratio;
    this.#top = this.#scrolled;
  }

  /**
   * @param scrolls `false`: another list, of which nobody has scrolled yet
   * @param stays whether no row that is in the tree moves in it
   */
  #layOut(all: boolean, scrolls?: boolean, stays = scrolls === true): void {
    // What was left out may stand where it stood.
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
    const { length } = order;
    this.#length = length;
    const heights = this.#heights;
    if (scrolls === false) heights.keep((place, position) => order.at(place) === position);
    this.#setSheetSize(`min(${inPixels(length, heights.extraBefore(length))}, ${String(this.#maxPx)}px)`);
    const offset = this.#offset;
    const last = heights.placeAt(offset + Math.max(this.#viewPx, USUAL_VIEW_PX)) + 1;
    const first = heights.placeAt(offset);
    const start = first - SPARE;
    // As many wherever the screen is: one more now and then would come and go in the tree.
    const end = Math.min(length, start + Math.ceil(this.#viewPx / heights.usualPx) + 2 * SPARE);
    this.#active = Math.min(this.#active, Math.max(0, length - 1));
    const places: Place[] = [];
    if (this.#active < start) places.push(this.#active);
    for (let place = Math.max(0, start); place < end; place += 1) places.push(place);
    if (this.#active >= end && length > 0) places.push(this.#active);
    const spare: Row[] = [];
    for (const [place, row] of this.byPlace) {
      if (places.includes(place)) continue;
      this.byPlace.delete(place);
      spare.push(row);
    }
    // Beyond what a style sheet can reach, the rows travel with the screen.
    const shift = offset - Math.min(this.#top, offset);
    let isDrawn = false;
    for (const place of places) {
      if ((place < first || place >= last) && this.#isPartial && place !== this.#active) continue;
      const row = this.byPlace.get(place) ?? this.#take(place, spare);
      row.moveTo(inPixels(place, heights.extraBefore(place) - shift));
      const isOther = row.place !== place || row.position !== order.at(place);
      if (!all && !isOther) continue;
      this.#host.draw(row, place);
      isDrawn = true;
    }
    if (isDrawn) this.#measureInFrame();
    this.#inOrder(places, stays);
    this.#keepStop();
    for (const { node } of spare) {
      this.#observer?.unobserve(node);
      node.remove();
    }
  }

  #setSheetSize(size: string): void {
    if (size === this.#sheetSize) return;
    this.#sheetSize = size;
    this.#sheet.style.blockSize = size;
  }

  #take(place: Place, spare: Row[]): Row {
    // In their order, so that a jump moves no row in the tree.
    const row = spare.shift() ?? this.#newRow();
    // What it shows may have changed while nobody saw it.
    row.place = -1;
    this.byPlace.set(place, row);
    return row;
  }

  #newRow(): Row {
    const row = new Row();
    this.#observer?.observe(row.node);
    return row;
  }

  /**
   * Who reads row by row meets them in their order. The active row is never moved: moving it would take its focus.
   *
   * @param stay whether all do that are in the tree
   */
  #inOrder(places: readonly Place[], stay: boolean): void {
    let next: Element | null = null;
    for (let index = places.length - 1; index >= 0; index -= 1) {
      const place = places[index] ?? 0;
      const node = this.byPlace.get(place)?.node;
      if (node === undefined) continue;
      const stays = stay || place === this.#active || node.nextElementSibling === next;
      if (!stays || !node.isConnected) this.#sheet.insertBefore(node, next);
      next = node;
    }
  }

  /** One tab stop in the whole list, in the active row. */
  #keepStop(): void {
    const row = this.byPlace.get(this.#active);
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
