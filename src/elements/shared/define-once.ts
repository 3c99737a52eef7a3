import { isServer } from 'lit';

/**
 * Defines an element. If a page has two copies of the script, the first wins and the second logs a warning. On a server that
 * renders pages it does nothing: the server knows no values, so it sends the tags with their children, which show until the
 * browser upgrades the element.
 */
export function defineOnce(tag: string, element: CustomElementConstructor): void {
  if (isServer) return;
  const known = customElements.get(tag);
  if (known === undefined) customElements.define(tag, element);
  else if (known !== element) console.warn(`<${tag}> is defined already; this copy of the script is not used.`);
}
