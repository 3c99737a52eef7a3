/**
 * The children of an element may be parsed after it is upgraded, if the script was loaded before the page.
 *
 * @param draw called when all of the page is there
 */
export function isComingIn(draw: () => void): boolean {
  if (document.readyState !== 'loading') return false;
  document.addEventListener('DOMContentLoaded', draw, { once: true });
  return true;
}

/** A child `<script type="application/json">`: data, which no content security policy needs to allow. */
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
