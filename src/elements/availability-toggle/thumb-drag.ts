import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isElement } from '../shared/other-document.js';

/** Farther than a hand shakes while it presses. */
const MIN_DRAG_PX = 8;
/** A touch screen reports the click of a touch some time after its end. */
const CLICK_DELAY_MS = 500;

type Host = ReactiveControllerHost & HTMLElement & { readonly renderRoot: HTMLElement | DocumentFragment };

interface Press {
  readonly pointer: number;
  readonly x: number;
  /** It began where the thumb is, and not on the label. */
  readonly isOnTrack: boolean;
  isDrag: boolean;
}

/**
 * Lets a person drag the thumb with a mouse or swipe it with a finger. The thumb shows the side that it would be moved to if
 * it were let go now; wherever that happens, the shown side is taken. A press that ends beside the switch moves nothing.
 * What is a click stays the browser's work.
 */
export class ThumbDrag implements ReactiveController {
  readonly #host: Host;
  readonly #canStart: () => boolean;
  readonly #onDrop: (on: boolean) => void;
  #press: Press | undefined;
  #side: boolean | undefined;
  /** The click that the browser makes of a drag may come until then. */
  #ignoredUntil = 0;

  constructor(host: Host, canStart: () => boolean, onDrop: (on: boolean) => void) {
    this.#host = host;
    this.#canStart = canStart;
    this.#onDrop = onDrop;
    host.addController(this);
  }

  /** Where the thumb is while it is dragged away from its place. */
  get side(): boolean | undefined {
    return this.#side;
  }

  hostDisconnected(): void {
    this.#press = undefined;
    this.#side = undefined;
  }

  /** @returns whether a click is none of the person's, but what the browser makes of a press that began or ended elsewhere */
  isStray(click: MouseEvent): boolean {
    const [target] = click.composedPath();
    const isSoon = click.timeStamp < this.#ignoredUntil;
    if (target !== this.#host) return isSoon && click.isTrusted && isElement(target) && target.localName === 'input';
    // The click goes to what the beginning and the end of a press have in common: the host, or a label of the page, which
    // passes it on. One on a label that is no part of a press here has its place beside the host.
    return isSoon || (click.isTrusted && click.detail > 0 && this.#elementAt(click) !== null);
  }

  readonly onPointerDown = (event: PointerEvent): void => {
    this.#ignoredUntil = 0;
    this.#press = undefined;
    if (event.button !== 0 || !event.isPrimary || !event.isTrusted || !this.#canStart()) return;
    const { clientX: x, pointerId: pointer } = event;
    const track = this.#host.renderRoot.querySelector('.value')?.getBoundingClientRect();
    const isOnTrack = track !== undefined && x >= track.left && x <= track.right;
    this.#press = { pointer, x, isOnTrack, isDrag: false };
    (event.currentTarget as Element).setPointerCapture(pointer);
  };

  readonly onPointerMove = (event: PointerEvent): void => {
    const press = this.#press;
    if (press?.pointer !== event.pointerId || !press.isOnTrack) return;
    const way = event.clientX - press.x;
    const isFar = Math.abs(way) >= MIN_DRAG_PX;
    press.isDrag ||= isFar;
    const isRightToLeft = getComputedStyle(this.#host).direction === 'rtl';
    this.#show(isFar ? way > 0 !== isRightToLeft : undefined);
  };

  readonly onPointerUp = (event: PointerEvent): void => {
    const press = this.#press;
    if (press?.pointer !== event.pointerId) return;
    const side = this.#side;
    if (press.isDrag || this.#elementAt(event) !== event.currentTarget) {
      this.#ignoredUntil = event.timeStamp + CLICK_DELAY_MS;
    }
    this.onLostPointerCapture();
    if (side !== undefined) this.#onDrop(side);
  };

  /** Also when the browser has made a scroll of it. */
  readonly onLostPointerCapture = (): void => {
    this.#press = undefined;
    this.#show(undefined);
  };

  #show(side: boolean | undefined): void {
    if (side === this.#side) return;
    this.#side = side;
    this.#host.requestUpdate();
  }

  /** What of the shadow root is under the pointer. */
  #elementAt({ clientX, clientY }: MouseEvent): Element | null {
    const root = this.#host.shadowRoot;
    const found = root?.elementFromPoint(clientX, clientY) ?? null;
    return root?.contains(found) ? found : null;
  }
}
