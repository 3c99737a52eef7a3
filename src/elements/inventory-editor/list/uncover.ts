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
