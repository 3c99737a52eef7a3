import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isElement } from '../shared/other-document.js';

/** Farther than a hand moves unintentionally during a press. */
const MIN_DRAG_PX = 8;
/** A touch screen reports the click of a touch some time after the touch has ended. */
const CLICK_DELAY_MS = 500;

type Host = ReactiveControllerHost & HTMLElement & { readonly renderRoot: HTMLElement | DocumentFragment };

interface Press {
  readonly pointer: number;
  readonly x: number;
  /** The press began on the track, not on the label. */
  readonly isOnTrack: boolean;
  isDrag: boolean;
}

/**
 * Lets a person drag the thumb with a mouse or swipe it with a finger. During the drag, the thumb shows the side to which
 * releasing it would move it, and releasing it anywhere sets that side. A press that ends outside of the switch sets
 * nothing. Clicks are left to the browser.
 */
export class ThumbDrag implements ReactiveController {
  readonly #host: Host;
  readonly #canStart: () => boolean;
  readonly #onDrop: (on: boolean) => void;
  #press: Press | undefined;
  #side: boolean | undefined;
  /** Until this time, a click may come from the browser for a drag. */
  #ignoredUntil = 0;

  constructor(host: Host, canStart: () => boolean, onDrop: (on: boolean) => void) {
    this.#host = host;
    this.#canStart = canStart;
    this.#onDrop = onDrop;
    host.addController(this);
  }

  /** The side that the thumb shows during a drag; `undefined` if that is its own. */
  get side(): boolean | undefined {
    return this.#side;
  }

  hostDisconnected(): void {
    this.#press = undefined;
    this.#side = undefined;
  }

  /** @returns whether the browser made the click from a press that began or ended outside of the switch */
  isStray(click: MouseEvent): boolean {
    const [target] = click.composedPath();
    const isSoon = click.timeStamp < this.#ignoredUntil;
    if (target !== this.#host) return isSoon && click.isTrusted && isElement(target) && target.localName === 'input';
    // The browser dispatches the click on the common ancestor of the two ends of a press: the host, or a label of the page,
    // which passes the click on. A click on such a label that is no part of a press here lies outside of the host.
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

  /** The browser also takes the capture away when it turns the gesture into a scroll. */
  readonly onLostPointerCapture = (): void => {
    this.#press = undefined;
    this.#show(undefined);
  };

  #show(side: boolean | undefined): void {
    if (side === this.#side) return;
    this.#side = side;
    this.#host.requestUpdate();
  }

  /** @returns the element of the shadow root under the pointer */
  #elementAt({ clientX, clientY }: MouseEvent): Element | null {
    const root = this.#host.shadowRoot;
    const found = root?.elementFromPoint(clientX, clientY) ?? null;
    return root?.contains(found) ? found : null;
  }
}
