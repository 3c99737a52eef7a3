/**
 * The bars stick in front of the list: what the keyboard is on does not stay beneath them (WCAG 2.4.11). Nothing moves
 * for who presses it with a finger or a mouse.
 */
export function uncover(root: ShadowRoot): void {
  const { activeElement } = root;
  const row = activeElement?.matches(':focus-visible') === true ? activeElement.closest('.sheet .row') : null;
  const bars = root.querySelector('.bars');
  if (row === null || bars === null) return;
  const top = row.getBoundingClientRect().bottom - bars.getBoundingClientRect().top;
  // The bars stick to what scrolls nearest around them: the page, or a part of it.
  for (let at: Element | null = root.host; at !== null && top > 0; at = around(at)) {
    const { scrollTop } = at;
    at.scrollBy({ top, behavior: 'instant' });
    if (at.scrollTop !== scrollTop) return;
  }
}

/** In the tree as it is drawn. */
function around(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
