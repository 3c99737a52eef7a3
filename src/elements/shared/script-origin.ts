let address: string | undefined;
let listed: ReadonlySet<string> = new Set();
/** The values of the property `proxy`, by element. Only a script can set a property, but markup can set an attribute. */
const setByScript = new WeakMap<Element, unknown>();

/**
 * Sets the default proxy: the drop-in calls this with the address that its script was loaded from. Entries from npm have no
 * such address.
 *
 * @param others origins of other proxies that the script's tag lists
 */
export function setDefaultProxy(url: string, others: readonly string[] = []): void {
  address = url;
  listed = new Set(others);
}

export function defaultProxy(): string | undefined {
  return address;
}

/** Records that a script has set the property `proxy`, for an element that stores the property as an attribute. */
export function recordProxyProperty(element: Element, proxy: unknown): void {
  setByScript.set(element, proxy);
}

/**
 * Whether an element may send requests to this proxy. A proxy gets the embed token, and markup may have been injected by a
 * visitor. So markup alone cannot choose a proxy of another origin than that of the script: the script's tag has to list
 * it, or a script has to set the property.
 *
 * @param proxy an absolute URL
 * @param given the property `proxy` of the element
 */
export function isTrustedProxy(element: Element, proxy: string, given: string | null | undefined): boolean {
  if (address === undefined || given === null || given === undefined) return true;
  const { origin } = new URL(proxy);
  if (origin === new URL(address).origin || listed.has(origin)) return true;
  return given !== element.getAttribute('proxy') || setByScript.get(element) === given;
}

/**
 * Reads `data-proxies` of the script's tag: addresses separated by spaces. If two tags have a list, one of them may be
 * injected, so none counts.
 *
 * @param base the address that the script was loaded from
 * @returns the origins of the listed proxies
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
