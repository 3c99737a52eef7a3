import { hostOf } from '../../shared/other-document.js';

/**
 * Scrolls what scrolls nearest around an element: a part of the page, or the page.
 *
 * @param top in pixels, as `scrollBy` takes it
 */
export function scrollAround(element: Element, top: number): void {
  for (let at: Element | null = element; at !== null; at = around(at)) {
    const { scrollTop } = at;
    at.scrollBy({ top, behavior: 'instant' });
    if (at.scrollTop !== scrollTop) return;
  }
}

/** In the tree as it is drawn. */
function around(element: Element): Element | null {
  return element.assignedSlot ?? element.parentElement ?? hostOf(element.getRootNode()) ?? null;
}
