/** Differences of less than this are caused by rounding. */
const ROUNDING_PX = 1;
/** On a phone, the filters of the editor are one line that scrolls to the focused filter. */
const SCROLLED_SIDEWAYS = '.chips';

/**
 * Finds texts in an element and its shadow roots that cannot be read: a text is wider than its box, is clipped by an
 * ancestor, or lies outside of the element. Texts for screen readers only are ignored.
 *
 * @returns a line for each fault
 */
export function findCutTexts(host: HTMLElement): string[] {
  return textNodesIn(host.shadowRoot ?? host).flatMap((node) => {
    const holder = node.parentElement;
    if (holder === null || !isSeen(holder)) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) return [];
    const fault = faultOf(host, holder, box);
    return fault === undefined ? [] : [`"${node.data.trim()}" in ${describe(holder)} ${fault}`];
  });
}

function textNodesIn(root: Node): Text[] {
  const found: Text[] = [];
  for (const node of root.childNodes) {
    if (node instanceof Text && node.data.trim() !== '') found.push(node);
    if (node instanceof Element && !['style', 'script', 'option'].includes(node.localName)) {
      found.push(...textNodesIn(node), ...(node.shadowRoot === null ? [] : textNodesIn(node.shadowRoot)));
    }
  }
  return found;
}

/** Texts for screen readers only are in boxes that are clipped completely. */
function isSeen(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  return !selfAndAncestors(element).some((one) => getComputedStyle(one).clipPath === 'inset(50%)');
}

function faultOf(host: Element, holder: Element, text: DOMRect): string | undefined {
  // An inline box has no width of its own.
  if (holder.clientWidth > 0 && holder.scrollWidth > holder.clientWidth + ROUNDING_PX) {
    return `is ${String(holder.scrollWidth)} px wide in a box of ${String(holder.clientWidth)} px`;
  }
  for (const one of selfAndAncestors(holder)) {
    const { overflowX, overflowY } = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    if (one.matches(SCROLLED_SIDEWAYS)) return undefined;
    const isClippedAcross =
      overflowX !== 'visible' && (text.left < box.left - ROUNDING_PX || text.right > box.right + ROUNDING_PX);
    const isClippedDown =
      ['hidden', 'clip'].includes(overflowY) &&
      (text.top < box.top - ROUNDING_PX || text.bottom > box.bottom + ROUNDING_PX);
    if (isClippedAcross || isClippedDown) return `is clipped by ${describe(one)}`;
    // A text below the last visible line of a list is reached by scrolling.
    if (['auto', 'scroll'].includes(overflowY)) return undefined;
  }
  const { left, right } = host.getBoundingClientRect();
  const isOutside = text.left < left - ROUNDING_PX || text.right > right + ROUNDING_PX;
  return isOutside ? 'lies outside of the element' : undefined;
}

function selfAndAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let one: Element | null = element; one !== null; one = parentOf(one)) found.push(one);
  return found;
}

function parentOf(element: Element): Element | null {
  const { parentNode } = element.assignedSlot ?? element;
  return parentNode instanceof ShadowRoot
    ? parentNode.host
    : (parentNode as Element | null) instanceof Element
      ? (parentNode as Element)
      : null;
}

function describe(element: Element): string {
  const part = element.getAttribute('part');
  return `${element.localName}${element.className === '' ? '' : `.${element.className}`}${part === null ? '' : `[part=${part}]`}`;
}
