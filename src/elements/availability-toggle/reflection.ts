/**
 * Properties that are their attributes, as in HTML: one owner for each fact, and nothing to keep for each element. A text
 * goes with `null` or `undefined`, a flag with anything that is false.
 */
export function reflect(prototype: object, flags: readonly string[], texts: Readonly<Record<string, string>>): void {
  for (const name of flags) {
    Object.defineProperty(prototype, name, {
      get(this: Element) {
        return this.hasAttribute(name);
      },
      set(this: Element, value: unknown) {
        this.toggleAttribute(name, Boolean(value));
      },
    });
  }
  for (const [property, name] of Object.entries(texts)) {
    Object.defineProperty(prototype, property, {
      get(this: Element) {
        return this.getAttribute(name);
      },
      set(this: Element, value: string | null | undefined) {
        setOrRemove(this, name, value);
      },
    });
  }
}

export function setOrRemove(element: Element, name: string, value: string | null | undefined): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
