/** Half a pixel is rounding. */
const ROUNDING_PX = 1;
/** The filters of the editor: one line on a phone, which scrolls to the one that has the focus. */
const SCROLLED_SIDEWAYS = '.chips';

/**
 * Finds what cannot be read in an element, inside its shadow roots, too: a text that is wider than its box, that is clipped
 * by a box around it, or that lies outside of the element. What only screen readers get is not looked at.
 *
 * @returns a line for each
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

/** Boxes of one pixel hold what is only read aloud. */
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
    // What is below the last line that a list shows is reached by scrolling.
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
