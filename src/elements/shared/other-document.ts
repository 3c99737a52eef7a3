/**
 * Elements may be moved into another document: a frame, a window that was popped out, picture-in-picture. Objects of that
 * document are no instances of the classes of this script's window, so these functions ask for what they are.
 */

/** @returns the element that a root of a tree is the shadow root of */
export function hostOf(root: Node): Element | undefined {
  return root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? (root as Partial<ShadowRoot>).host : undefined;
}

export function isElement(target: EventTarget | null | undefined): target is HTMLElement {
  return (target as Partial<Node> | null | undefined)?.nodeType === Node.ELEMENT_NODE;
}

/** Observes the size of an element by the frames of its own document, because those of this one may rest. */
export function newSizeObserver(element: Element, callback: ResizeObserverCallback): ResizeObserver {
  const view = element.ownerDocument.defaultView as (Window & typeof globalThis) | null;
  return new (view ?? globalThis).ResizeObserver(callback);
}
