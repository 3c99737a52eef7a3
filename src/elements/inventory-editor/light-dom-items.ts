/**
 * Whether the page is still being parsed: children of an element are parsed after it is upgraded if the script was loaded
 * before the page.
 *
 * @param draw called when the whole page is parsed
 */
export function isComingIn(draw: () => void): boolean {
  if (document.readyState !== 'loading') return false;
  document.addEventListener('DOMContentLoaded', draw, { once: true });
  return true;
}

/**
 * Reads the items of a child `<script type="application/json">`. It is data, so a content security policy need not allow
 * it.
 */
export function readChildItems(element: Element, warn: (message: string) => void): readonly unknown[] {
  const script = element.querySelector(':scope > script[type="application/json"]');
  if (script === null) return [];
  try {
    const value: unknown = JSON.parse(script.textContent);
    if (Array.isArray(value)) return value;
    warn('the JSON inside it is no array of items.');
  } catch {
    warn('the script inside it is not JSON.');
  }
  return [];
}
