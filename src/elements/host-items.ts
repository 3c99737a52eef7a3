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
