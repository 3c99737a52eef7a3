/** Two copies of the script on one page: the first wins, one warning, nothing throws. */
export function defineOnce(tag: string, element: CustomElementConstructor): void {
  const known = customElements.get(tag);
  if (known === undefined) customElements.define(tag, element);
  else if (known !== element) console.warn(`<${tag}> is defined already; this copy of the script is not used.`);
}
