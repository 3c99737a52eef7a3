import { observeSize } from '../../shared/other-document.js';
import { scrollAround } from './scroll-around.js';

/**
 * Scrolls the focused element out from under the bars, which are sticky and cover what is below them (WCAG 2.4.11). In the
 * list, it scrolls the whole row. Nothing moves after a press with a finger or a mouse.
 */
export function scrollAboveActionBar(root: ShadowRoot): void {
  const { activeElement } = root;
  const actionBar = root.querySelector('.bars');
  if (actionBar === null || activeElement?.matches(':focus-visible:not(.bars *, dialog *)') !== true) return;
  // A browser does not scroll to an element that is partly visible.
  if (activeElement.matches('.chip')) activeElement.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const held = activeElement.closest('.sheet :is(.row, .tile)') ?? activeElement;
  const top = held.getBoundingClientRect().bottom - actionBar.getBoundingClientRect().top;
  // The bars are sticky in the nearest scroll container: the page, or a part of it.
  if (top > 0) scrollAround(root.host, top);
}

/** @returns the element to focus after the focused one has disappeared; `null` for none */
export type FocusRefuge = (left: HTMLElement) => HTMLElement | null;

/** The element that had the focus in a list that was replaced by another one. */
const lost = new WeakMap<ShadowRoot, HTMLElement>();

/**
 * Keeps the focus in the editor when a focused button disappears ("Save", "Clear", the last "Undo"). Otherwise the next Tab would
 * begin at the top of the host's page.
 *
 * It acts only if the person did not move the focus: it never takes the focus back from another part of the page.
 */
export class FocusKeeper {
  readonly #root: ShadowRoot;
  readonly #refuge: FocusRefuge;
  #held: HTMLElement | undefined;
  #actionBar: Element | null = null;
  /** Notices a bar that appears over the focused element. */
  #observer: ResizeObserver | undefined;

  constructor(root: ShadowRoot, refuge: FocusRefuge) {
    this.#root = root;
    this.#refuge = refuge;
    // The press that loaded this module may have been on the focused element, which may disappear now.
    this.#held = (root.activeElement as HTMLElement | null) ?? lost.get(root);
    lost.delete(root);
    root.addEventListener('focusin', this.#onFocus);
    root.addEventListener('focusout', this.#onBlur);
  }

  /** Observes the bars in the document that the list is in now. */
  observe(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    if (this.#actionBar === null) return;
    this.#observer = observeSize([this.#actionBar], () => {
      scrollAboveActionBar(this.#root);
    });
  }

  /** Call after each rendering. */
  updated(): void {
    const actionBar = this.#root.querySelector('.bars');
    if (actionBar !== this.#actionBar) {
      this.#actionBar = actionBar;
      this.observe();
    }
    const held = this.#held;
    if (held === undefined || isUsable(held)) return;
    this.#held = undefined;
    const { ownerDocument } = this.#root;
    const active = this.#root.activeElement ?? ownerDocument.activeElement;
    // The focus is elsewhere on the page, or a dialog has returned it.
    if (active !== null && active !== ownerDocument.body && active !== held) return;
    // The list must not scroll below a finger.
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
    // Reading positions now would lay out the page while a key is handled.
    queueMicrotask(() => {
      scrollAboveActionBar(this.#root);
    });
  };

  readonly #onBlur = (): void => {
    const left = this.#held;
    // In some browsers, an element that is removed loses the focus before it has left the document.
    queueMicrotask(() => {
      if (this.#held === left && left !== undefined && isUsable(left) && this.#root.activeElement !== left) {
        this.#held = undefined;
      }
    });
  };
}

/**
 * Whether an element is hidden, by the attributes that hide elements here: reading positions would force a layout at each
 * rendering.
 */
function isUsable(element: HTMLElement): boolean {
  return (
    element.isConnected && !element.matches(':disabled') && element.closest('[hidden], dialog:not([open])') === null
  );
}
