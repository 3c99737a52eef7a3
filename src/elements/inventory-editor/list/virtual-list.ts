import type { Place, Position, RowOrder } from '../../../client/editor/editor-types.js';
import { MANY } from '../../../client/editor/item-list.js';
import { newSizeObserver } from '../../shared/other-document.js';
import { Row } from './item-row.js';

/** Rows beyond both edges, so that a flick does not show an empty strip. */
const SPARE = 3;

/** Scrolling has come to rest. */
const REST_MS = 200;

/** Browsers cap the height of an element: Firefox near 17.8 million px, Chromium near 33.5. */
const MOST_PX = 15_000_000;

/** What the style sheet leaves for rows where nobody says otherwise. A list that is shorter is as high as its rows. */
const USUAL_VIEW_PX = 679;

/** What the keyboard can come to. */
const USABLE = ':not(:disabled, [hidden])';

/** What the rows need to know of the list. */
export interface RowsHost {
  order(): RowOrder;
  draw(row: Row, place: Place): void;
}

/**
 * Draws a screenful of a list of any length. Rows have one height for each layout and density, which the style sheet
 * says and this class measures; a row that leaves the screen becomes the one that enters it.
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
  /** A guess, until the first layout has told: drawing at once, and once more if it was wrong, is cheaper than asking. */
  #rowPx = 60;
  #viewPx = USUAL_VIEW_PX;
  /** `scrollTop`, as it was told last: to ask for it between two changes would lay out the whole page each time. */
  #top = 0;
  #length = -1;
  /** What nobody sees is not drawn yet: a person waits for what they see. */
  #isPartial = false;
  #active: Place = 0;
  #stop: HTMLElement | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(scroller: HTMLElement, sheet: HTMLElement, host: RowsHost) {
    this.#scroller = scroller;
    this.#sheet = sheet;
    this.#host = host;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    this.observe();
  }

  /** Follows the sizes in the document where the list is now. */
  observe(): void {
    this.#observer?.disconnect();
    this.#observer = newSizeObserver(this.#scroller, () => {
      this.#measure();
    });
    this.#observer.observe(this.#scroller);
    // Its height follows that of a row.
    this.#observer.observe(this.#sheet);
  }

  close(): void {
    this.#observer?.disconnect();
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
    this.#layOut(false);
  }

  /** How many whole rows fit. */
  get screenful(): number {
    return Math.max(1, Math.floor(this.#viewPx / this.#rowPx));
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

  /** Brings a row onto the screen, by as little as it takes. */
  reveal(place: Place): void {
    const [top, px] = [place * this.#rowPx, this.#rowPx];
    const seen = this.#offset;
    if (top < seen) this.#scrollTo(top);
    else if (top + px > seen + this.#viewPx) this.#scrollTo(top + px - this.#viewPx);
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

  readonly #onScroll = (): void => {
    this.#top = this.#scroller.scrollTop;
    // A node that is moved in the tree is styled and laid out anew, with all that is in it.
    this.#layOut(false, true);
  };

  #measure(): void {
    const [row] = this.byPlace.values();
    const rowPx = row?.node.offsetHeight || this.#rowPx;
    const viewPx = this.#scroller.clientHeight - this.#sheet.offsetTop;
    const { scrollTop } = this.#scroller;
    if (rowPx === this.#rowPx && viewPx === this.#viewPx && scrollTop === this.#top) return;
    // Another layout has other heights: what was at the top stays there.
    const top = this.#offset / this.#rowPx;
    const turned = rowPx !== this.#rowPx;
    this.#rowPx = rowPx;
    this.#viewPx = viewPx;
    this.#top = scrollTop;
    if (turned) this.#scrollTo(top * rowPx);
    this.#layOut(false);
  }

  /** How many pixels of the list one pixel of the scroll bar stands for: 1, but for millions of items. */
  get #ratio(): number {
    return Math.max(1, (this.#length * this.#rowPx - this.#viewPx) / (MOST_PX - this.#viewPx));
  }

  /** The list may have become shorter than where the screen was. */
  get #offset(): number {
    const ratio = this.#ratio;
    return Math.min(this.#top * ratio, Math.max(0, this.#length * this.#rowPx - this.#viewPx));
  }

  #scrollTo(px: number): void {
    this.#scroller.scrollTop = px / this.#ratio;
    this.#top = this.#scroller.scrollTop;
  }

  /** @param scrolls `false`: another list, of which nobody has scrolled yet */
  #layOut(all: boolean, scrolls?: boolean): void {
    // What was left out may stand where it stood.
    all ||= this.#isPartial;
    if (scrolls !== undefined) {
      this.#isPartial = !scrolls;
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => {
        const rest = this.#isPartial;
        this.#isPartial = false;
        this.#layOut(rest);
      }, REST_MS);
    }
    const order = this.#host.order();
    const { length } = order;
    if (length !== this.#length) {
      this.#length = length;
      this.#sheet.style.blockSize = `min(${inRows(length)}, ${String(MOST_PX)}px)`;
    }
    const offset = this.#offset;
    const last = Math.ceil((offset + Math.max(this.#viewPx, USUAL_VIEW_PX)) / this.#rowPx);
    const first = Math.floor(offset / this.#rowPx);
    const start = first - SPARE;
    // As many wherever the screen is: one more now and then would come and go in the tree.
    const end = Math.min(length, start + Math.ceil(this.#viewPx / this.#rowPx) + 2 * SPARE);
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
    const shift = (offset - Math.min(this.#top, offset)) / this.#rowPx;
    for (const place of places) {
      if ((place < first || place >= last) && this.#isPartial && place !== this.#active) continue;
      const row = this.byPlace.get(place) ?? this.#take(place, spare);
      row.moveTo(inRows(place - shift));
      if (all || row.place !== place || row.position !== order.at(place)) this.#host.draw(row, place);
    }
    this.#inOrder(places, !!scrolls);
    this.#keepStop();
    for (const { node } of spare) node.remove();
  }

  #take(place: Place, spare: Row[]): Row {
    // In their order, so that a jump moves no row in the tree.
    const row = spare.shift() ?? new Row();
    // What it shows may have changed while nobody saw it.
    row.place = -1;
    this.byPlace.set(place, row);
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
    this.#stopAt(row.node.querySelector<HTMLElement>(`.act button${USABLE}, .truth button`) ?? row.node);
  }

  #stopAt(stop: HTMLElement): void {
    if (this.#stop !== undefined) this.#stop.tabIndex = -1;
    stop.tabIndex = 0;
    this.#stop = stop;
  }
}

/** A length that follows the height of a row, whatever the style sheet makes of it. */
function inRows(rows: number): string {
  return `calc(${String(rows)} * var(--_row))`;
}
