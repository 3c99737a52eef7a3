import { isServer } from 'lit';

/**
 * Two copies of the script on one page: the first wins, one warning, nothing throws. A server that draws pages knows neither
 * what a person wants nor what the portal has: it sends the tags with their children, which show until the browser upgrades
 * them.
 */
export function defineOnce(tag: string, element: CustomElementConstructor): void {
  if (isServer) return;
  const known = customElements.get(tag);
  if (known === undefined) customElements.define(tag, element);
  else if (known !== element) console.warn(`<${tag}> is defined already; this copy of the script is not used.`);
}
