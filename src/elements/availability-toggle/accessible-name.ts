import { setOrRemove } from './reflected.js';

/** An element that a person knows by its content, or by a label of the page. */
interface Labelled extends HTMLElement {
  readonly labels: NodeList;
}

/** @returns the name that its page gives the element; empty: none */
export function nameOf(element: Labelled): string {
  return textOf(element.ariaLabelledByElements ?? []) || labelOfPage(element) || labelText(element);
}

/** Gives the control in the shadow root of an element the name of the element. */
export function nameControl(control: HTMLElement, element: Labelled, name: string): void {
  const references = element.ariaLabelledByElements ?? [];
  // The text is for where a reference leads to nothing, and for assistive technology that follows none.
  setOrRemove(control, 'aria-label', name);
  if (references.length > 0) control.ariaLabelledByElements = references;
  else setOrRemove(control, 'aria-labelledby', labelOfPage(element) === '' ? 'label' : undefined);
}

/** The text of what the element shows as its label. */
export function labelText(element: Element): string {
  return textOf([...element.childNodes].filter(isLabel));
}

function labelOfPage(element: Labelled): string {
  return element.ariaLabel?.trim() || (labelText(element) === '' ? textOf([...element.labels]) : '');
}

/** What the slot of the label shows: text, and elements that go into no other slot. */
function isLabel(node: Node): boolean {
  return node instanceof Element ? node.slot === '' : node.nodeType === Node.TEXT_NODE;
}

/** The text of nodes in one line, with the alternative texts of their pictures. */
function textOf(nodes: readonly Node[]): string {
  return nodes.map(contentOf).join(' ').trim().replace(/\s+/gu, ' ');
}

function contentOf(node: Node): string {
  if (node instanceof Comment) return '';
  const { alt, data } = node as HTMLImageElement & Text;
  return alt || data || [...node.childNodes].map(contentOf).join('');
}
