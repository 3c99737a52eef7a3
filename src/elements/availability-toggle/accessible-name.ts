import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isElement } from '../shared/other-document.js';
import { setOrRemove } from './reflected.js';

/** An element whose accessible name is its content, or a label of the page. */
interface Labelled extends HTMLElement {
  readonly labels: NodeList;
}

type Host = ReactiveControllerHost & Labelled & { readonly renderRoot: HTMLElement | DocumentFragment };

type Reference = 'aria-labelledby' | 'aria-describedby';

const REFERENCES: readonly Reference[] = ['aria-labelledby', 'aria-describedby'];

const PROPERTIES = {
  'aria-labelledby': 'ariaLabelledByElements',
  'aria-describedby': 'ariaDescribedByElements',
} as const;

/**
 * Applies the name and the description of a host to the controls in its shadow root: the input gets both. `[role=group]`,
 * which is named by the input, gets the description. They follow the elements that `aria-labelledby` and `aria-describedby`
 * reference, also if those are added later or replaced. The browser fires no event when a label of the page changes, so
 * labels are read on focus.
 */
export class NameController implements ReactiveController {
  readonly #host: Host;
  readonly #name: () => string;
  readonly #observer: MutationObserver | undefined;
  #isObserving = false;

  /** @param name the name of the host, used if its references lead to no element */
  constructor(host: Host, name: () => string) {
    this.#host = host;
    this.#name = name;
    // A server has no `MutationObserver`.
    this.#observer = 'MutationObserver' in globalThis ? new MutationObserver(this.apply) : undefined;
    host.addEventListener('focusin', this.apply);
    host.addController(this);
  }

  hostUpdated(): void {
    this.#observe();
    this.apply();
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#isObserving = false;
  }

  readonly apply = (): void => {
    const root = this.#host.renderRoot;
    const input = root.querySelector('input');
    if (input === null) return;
    nameControl(input, this.#host, this.#name());
    describe(input, this.#host);
    for (const group of root.querySelectorAll<HTMLElement>('[part=choices]')) describe(group, this.#host, 'status');
  };

  /** Observes only while the host references other elements, because a page changes all the time. */
  #observe(): void {
    const isNeeded = this.#host.isConnected && REFERENCES.some((name) => this.#host.hasAttribute(name));
    if (isNeeded === this.#isObserving) return;
    this.#isObserving = isNeeded;
    this.#observer?.disconnect();
    if (!isNeeded) return;
    const changes = { subtree: true, childList: true, characterData: true, attributeFilter: ['id'] };
    this.#observer?.observe(this.#host.getRootNode(), changes);
  }
}

/** @returns the accessible name that the page gives the element; empty if it gives none */
export function nameOf(element: Labelled): string {
  return textOf(referredTo(element, 'aria-labelledby')) || labelOfPage(element) || labelText(element);
}

/** The text of the label that the element shows. */
export function labelText(element: Element): string {
  return textOf([...element.childNodes].filter(isLabel));
}

/** `aria-label` is for references that lead to no element, and for assistive technology that does not support them. */
function nameControl(control: HTMLElement, element: Labelled, name: string): void {
  const references = referredTo(element, 'aria-labelledby');
  setOrRemove(control, 'aria-label', name);
  if (references.length > 0) control.ariaLabelledByElements = references;
  else setOrRemove(control, 'aria-labelledby', labelOfPage(element) === '' ? 'label' : undefined);
}

/** @param own id of another element in the shadow root that describes the control */
function describe(control: HTMLElement, element: Labelled, own?: string): void {
  const references = referredTo(element, 'aria-describedby');
  setOrRemove(control, 'aria-description', textOf(references) || undefined);
  const ownElement = own === undefined ? null : element.shadowRoot?.getElementById(own);
  if (references.length > 0) control.ariaDescribedByElements = [...references, ...(ownElement ? [ownElement] : [])];
  else setOrRemove(control, 'aria-describedby', own);
}

/** @returns the elements that an attribute references. Browsers before 2025 do not support the properties for this */
function referredTo(element: HTMLElement, reference: Reference): readonly Element[] {
  const elements: readonly Element[] | null | undefined = element[PROPERTIES[reference]];
  if (elements) return elements;
  const root = element.getRootNode() as Document | ShadowRoot;
  const ids = element.getAttribute(reference)?.split(/\s+/) ?? [];
  return ids.map((id) => root.querySelector(`#${CSS.escape(id)}`)).filter((found) => found !== null);
}

function labelOfPage(element: Labelled): string {
  return element.ariaLabel?.trim() || (labelText(element) === '' ? textOf([...element.labels]) : '');
}

/** Whether the label's slot shows the node: text, and elements that are in no other slot. */
function isLabel(node: Node): boolean {
  return isElement(node) ? node.slot === '' : node.nodeType === Node.TEXT_NODE;
}

/** The text of nodes on one line, with the alternative texts of their pictures. */
function textOf(nodes: readonly Node[]): string {
  return nodes.map(contentOf).join(' ').trim().replace(/\s+/gu, ' ');
}

function contentOf(node: Node): string {
  if (node.nodeType === Node.COMMENT_NODE) return '';
  const { alt, data } = node as HTMLImageElement & Text;
  return alt || data || [...node.childNodes].map(contentOf).join('');
}
