import { observeSize } from '../../shared/other-document.js';
import { scrollAround } from './scroll-around.js';

/**
 * The bars stick in front of all that is above them: what the keyboard is on does not stay beneath them (WCAG 2.4.11), in the
 * list as a whole row. Nothing moves for who presses it with a finger or a mouse.
 */
export function uncover(root: ShadowRoot): void {
  const { activeElement } = root;
  const bars = root.querySelector('.bars');
  if (bars === null || activeElement?.matches(':focus-visible:not(.bars *, dialog *)') !== true) return;
  // A browser leaves what can be seen in part where it is.
  if (activeElement.matches('.chip')) activeElement.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const held = activeElement.closest('.sheet .row') ?? activeElement;
  const top = held.getBoundingClientRect().bottom - bars.getBoundingClientRect().top;
  // The bars stick to what scrolls nearest around them: the page, or a part of it.
  if (top > 0) scrollAround(root.host, top);
}

/** Where the keyboard goes when what it was on is gone; `null`: nowhere. */
export type FocusRefuge = (left: HTMLElement) => HTMLElement | null;

/** What the keyboard was on in a list that another one takes the place of. */
const lost = new WeakMap<ShadowRoot, HTMLElement>();

/**
 * Keeps the keyboard in the editor: a button that does its work and goes ("Save", "Clear", the last "Undo") would take
 * the focus with it, and the next key would begin at the top of the host's page.
 *
 * It acts only on what the person has not left: who goes to another part of the page is never drawn back.
 */
export class FocusKeeper {
  readonly #root: ShadowRoot;
  readonly #refuge: FocusRefuge;
  #held: HTMLElement | undefined;
  #bars: Element | null = null;
  /** A bar that comes, by a press on what it will stand in front of. */
  #observer: ResizeObserver | undefined;

  constructor(root: ShadowRoot, refuge: FocusRefuge) {
    this.#root = root;
    this.#refuge = refuge;
    // What the keyboard is on may have asked for all of this, and go with its coming.
    this.#held = (root.activeElement as HTMLElement | null) ?? lost.get(root);
    lost.delete(root);
    root.addEventListener('focusin', this.#onFocus);
    root.addEventListener('focusout', this.#onBlur);
  }

  /** Follows the bars in the document where the list is now. */
  observe(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    if (this.#bars === null) return;
    this.#observer = observeSize([this.#bars], () => {
      uncover(this.#root);
    });
  }

  /** After each drawing. */
  updated(): void {
    const bars = this.#root.querySelector('.bars');
    if (bars !== this.#bars) {
      this.#bars = bars;
      this.observe();
    }
    const held = this.#held;
    if (held === undefined || isUsable(held)) return;
    this.#held = undefined;
    const { ownerDocument } = this.#root;
    const active = this.#root.activeElement ?? ownerDocument.activeElement;
    // Somewhere else on the page, or where a dialog has given it back to.
    if (active !== null && active !== ownerDocument.body && active !== held) return;
    // A list below a finger stays where it is.
    this.#refuge(held)?.focus({ preventScroll: true });
  }

  close(): void {
    this.#observer?.disconnect();
    const { activeElement } = this.#root;
    if (activeElement !== null) lost.set(this.#root, activeElement as HTMLElement);
    this.#root.removeEventListener('focusin', this.#onFocus);
    this.#root.removeEventListener('focusout', this.#onBlur);
  }

  readonly #onFocus = (event: Event): void => {
    this.#held = event.target as HTMLElement;
    // To ask where it is would lay out the page in the middle of a key.
    queueMicrotask(() => {
      uncover(this.#root);
    });
  };

  readonly #onBlur = (): void => {
    const left = this.#held;
    // What goes away is left too, in some browsers while it is still there.
    queueMicrotask(() => {
      if (this.#held === left && left !== undefined && isUsable(left) && this.#root.activeElement !== left) {
        this.#held = undefined;
      }
    });
  };
}

/** Told by what hides things here: to ask where it is would lay out the page in the middle of each drawing. */
function isUsable(element: HTMLElement): boolean {
  return (
    element.isConnected && !element.matches(':disabled') && element.closest('[hidden], dialog:not([open])') === null
  );
}
