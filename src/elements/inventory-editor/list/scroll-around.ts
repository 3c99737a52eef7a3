import { hostOf } from '../../shared/other-document.js';

/**
 * Scrolls the nearest ancestor that can scroll in this direction: a part of the page, or the page.
 *
 * @param top in pixels, as in `scrollBy`
 */
export function scrollAround(element: Element, top: number): void {
  for (let at: Element | null = element; at !== null; at = around(at)) {
    const { scrollTop } = at;
    at.scrollBy({ top, behavior: 'instant' });
    if (at.scrollTop !== scrollTop) return;
  }
}

/** The parent in the flat tree (DOM standard, shadow trees). */
function around(element: Element): Element | null {
  return element.assignedSlot ?? element.parentElement ?? hostOf(element.getRootNode()) ?? null;
}
