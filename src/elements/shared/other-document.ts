/**
 * Elements may be moved into another document: a frame, a popped-out window, picture-in-picture. Objects of that document
 * are not instances of this window's classes, so these functions check `nodeType` and not `instanceof`.
 */

/** @returns the host of a shadow root; `undefined` for any other node */
export function hostOf(root: Node): Element | undefined {
  return root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? (root as Partial<ShadowRoot>).host : undefined;
}

export function isElement(target: EventTarget | null | undefined): target is HTMLElement {
  return (target as Partial<Node> | null | undefined)?.nodeType === Node.ELEMENT_NODE;
}

/**
 * Observes the sizes of elements with the `ResizeObserver` of their own window, because the browser may not render the
 * frames of this one.
 *
 * @returns `undefined` if their document has no window, as in a frame that was removed: nothing is laid out there
 */
export function observeSize(elements: readonly Element[], callback: () => void): ResizeObserver | undefined {
  const view = elements[0]?.ownerDocument.defaultView as (Window & typeof globalThis) | null | undefined;
  if (!view) return undefined;
  const observer = new view.ResizeObserver(callback);
  for (const element of elements) observer.observe(element);
  return observer;
}
