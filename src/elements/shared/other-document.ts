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

/**
 * Observes the sizes of elements by the frames of their own document, because those of this one may rest.
 *
 * @returns `undefined` where that document has no window, as in a frame that was removed: nothing is laid out there
 */
export function observeSize(elements: readonly Element[], callback: () => void): ResizeObserver | undefined {
  const view = elements[0]?.ownerDocument.defaultView as (Window & typeof globalThis) | null | undefined;
  if (!view) return undefined;
  const observer = new view.ResizeObserver(callback);
  for (const element of elements) observer.observe(element);
  return observer;
}
