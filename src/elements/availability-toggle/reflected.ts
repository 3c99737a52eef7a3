import type { ReactiveElement } from 'lit';
import { property } from 'lit/decorators.js';

interface ReflectedOptions {
  /** `Boolean`: the attribute is present or absent. Without it, the property is the text of the attribute, or `null`. */
  readonly type?: BooleanConstructor;
  /** Name of the attribute, if it differs from that of the property. */
  readonly attribute?: string;
  /** Called when a script sets the property. */
  readonly onSet?: (element: Element, value: unknown) => void;
}

/**
 * Declares a property whose only value is its attribute, as in HTML. Lit's own `reflect` writes the attribute at the next
 * update, but a form reads `name` and `disabled` at once. `null` and `undefined` remove the attribute.
 */
export function reflected({ type, attribute, onSet }: ReflectedOptions = {}) {
  return (prototype: ReactiveElement, key: string): void => {
    const name = attribute ?? key;
    Object.defineProperty(prototype, key, {
      configurable: true,
      get(this: Element) {
        return type ? this.hasAttribute(name) : this.getAttribute(name);
      },
      set(this: Element, value: string | null | undefined) {
        // Lit sets the property too when the attribute has changed.
        if (this.getAttribute(name) !== value) onSet?.(this, value);
        if (type) this.toggleAttribute(name, Boolean(value));
        else setOrRemove(this, name, value);
      },
    });
    property({ attribute: name, type: type ?? String })(prototype, key);
  };
}

export function setOrRemove(element: Element, name: string, value: string | null | undefined): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
