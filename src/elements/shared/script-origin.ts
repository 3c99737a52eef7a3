let address: string | undefined;
let listed: ReadonlySet<string> = new Set();
/** Values of the property `proxy`, by element: only a script sets a property. */
const setByScript = new WeakMap<Element, unknown>();

/**
 * The drop-in calls this with where its script came from. Entries from npm have no such place.
 *
 * @param others origins of other proxies that the tag of the script lists
 */
export function setDefaultProxy(url: string, others: readonly string[] = []): void {
  address = url;
  listed = new Set(others);
}

export function defaultProxy(): string | undefined {
  return address;
}

/** A script has set the property `proxy` of an element that shows it as its attribute. */
export function recordProxyProperty(element: Element, proxy: unknown): void {
  setByScript.set(element, proxy);
}

/**
 * Whether an element may speak to this proxy. A proxy gets the embed token, so markup alone, which a visitor may have injected,
 * cannot name one of another origin than that of the script: the tag of the script lists it, or a script sets the property.
 *
 * @param proxy an absolute URL @param given the property `proxy` of the element
 */
export function isTrustedProxy(element: Element, proxy: string, given: string | null | undefined): boolean {
  if (address === undefined || given === null || given === undefined) return true;
  const { origin } = new URL(proxy);
  if (origin === new URL(address).origin || listed.has(origin)) return true;
  return given !== element.getAttribute('proxy') || setByScript.get(element) === given;
}

/**
 * Reads `data-proxies` of the script's tag: addresses with spaces between them. Where two tags have a list, one of them may be
 * injected, and none counts.
 *
 * @param base where the script came from @returns their origins
 */
export function listedProxies(page: ParentNode, base: string): string[] {
  const tags = [...page.querySelectorAll<HTMLScriptElement>('script[src][data-proxies]')].filter(
    ({ src }) => URL.canParse(src) && new URL('.', src).href === base,
  );
  const [tag] = tags;
  if (tags.length > 1) console.warn('vendor-inventory-widget: two tags of the script list proxies, so no list counts.');
  const urls = tags.length === 1 ? (tag?.dataset['proxies']?.split(/\s+/) ?? []) : [];
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin);
}
