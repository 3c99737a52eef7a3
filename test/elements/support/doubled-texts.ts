type Texts = Readonly<Record<string, unknown>>;

/** Texts that are not doubled: a formatted number is no text of a language. */
const KEPT = ['number'];

/**
 * A pseudo-locale: it doubles each text, which makes it as long as the longest translations. The words keep their length,
 * so lines can break as they do in a real language.
 */
export function doubleTexts<T extends object>(texts: T): T {
  const entries = Object.entries(texts as Texts).map(([key, text]) => [key, KEPT.includes(key) ? text : double(text)]);
  return Object.fromEntries(entries) as T;
}

function double(text: unknown): unknown {
  if (typeof text === 'string') return text === '' ? '' : `${text} ${text}`;
  if (typeof text === 'function')
    return (...values: unknown[]) => double((text as (...all: unknown[]) => unknown)(...values));
  // Arrays are the words that an import accepts, and are not shown.
  return typeof text === 'object' && text !== null && !Array.isArray(text) ? doubleTexts(text) : text;
}
