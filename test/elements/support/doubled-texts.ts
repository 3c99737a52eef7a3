type Texts = Readonly<Record<string, unknown>>;

/** What is no text of a language: a number stays as it is. */
const KEPT = ['number'];

/**
 * A pseudo-locale: each text twice, as long as the longest translations are. Words stay as short as they are, so that lines
 * may break where they may in a real language.
 */
export function doubleTexts<T extends object>(texts: T): T {
  const entries = Object.entries(texts as Texts).map(([key, text]) => [key, KEPT.includes(key) ? text : double(text)]);
  return Object.fromEntries(entries) as T;
}

function double(text: unknown): unknown {
  if (typeof text === 'string') return text === '' ? '' : `${text} ${text}`;
  if (typeof text === 'function')
    return (...values: unknown[]) => double((text as (...all: unknown[]) => unknown)(...values));
  // Lists are what an import understands, not what is shown.
  return typeof text === 'object' && text !== null && !Array.isArray(text) ? doubleTexts(text) : text;
}
