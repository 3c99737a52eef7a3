import { counterOf, type Counter } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

/** What a file with the texts of one language exports. */
interface Texts {
  readonly dictionary: (counter: Counter) => Dictionary;
  readonly editorDictionary: (counter: Counter) => EditorDictionary;
}

/** Loads the texts of one language, written as a region of it writes numbers. */
export interface Translation {
  readonly dictionary: (tag: string) => Promise<Dictionary>;
  readonly editorDictionary: (tag: string) => Promise<EditorDictionary>;
}

/** By language (ISO 639-1). English is in the script itself. Another language is a file and a line here. */
const TRANSLATIONS: Readonly<Partial<Record<string, Translation>>> = {
  ar: {
    dictionary: async (tag) => (await import('./ar.js')).ar(tag),
    editorDictionary: async (tag) => (await import('./editor-ar.js')).editorAr(tag),
  },
  de: oneFile(() => import('./de.js')),
  el: oneFile(() => import('./el.js')),
  es: oneFile(() => import('./es.js')),
  fr: oneFile(() => import('./fr.js')),
  hi: oneFile(() => import('./hi.js')),
  id: oneFile(() => import('./id.js')),
  it: oneFile(() => import('./it.js')),
  ja: oneFile(() => import('./ja.js')),
  pt: oneFile(() => import('./pt.js')),
  tr: oneFile(() => import('./tr.js')),
};

/** Languages in which the elements speak, besides English. */
export const LANGUAGES: readonly string[] = Object.keys(TRANSLATIONS);

/**
 * @param tag a language tag (BCP 47) of any region and in any case, as in `pt-BR`
 * @returns `undefined`: English serves
 */
export function translationOf(tag: string): Translation | undefined {
  return TRANSLATIONS[primaryLanguage(tag)];
}

/** An old code is known by its new one, as `in` by `id`. Of a tag that is not well formed, the first letters count. */
function primaryLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return /^[a-z]{2,3}(?![a-z])/i.exec(tag)?.[0].toLowerCase() ?? '';
  }
}

function oneFile(load: () => Promise<Texts>): Translation {
  return {
    dictionary: async (tag) => (await load()).dictionary(counterOf(tag)),
    editorDictionary: async (tag) => (await load()).editorDictionary(counterOf(tag)),
  };
}
