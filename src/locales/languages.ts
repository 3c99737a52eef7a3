import { counterOf, type Counter } from './counter.js';
import type { DictionaryFor, Dictionary, EditorDictionary, EditorDictionaryFor } from './dictionary.js';
import type { FeatureDictionary } from './features/feature-dictionary.js';

/** The exports of a file with the texts of one language. */
interface Texts {
  readonly dictionary: (counter: Counter, portal?: string) => Dictionary;
  readonly editorDictionary: (counter: Counter, portal?: string) => EditorDictionary;
}

/** Loads the texts of one language. @param tag the region in it decides how numbers are written */
export interface Translation {
  readonly dictionary: (tag: string) => Promise<DictionaryFor>;
  readonly editorDictionary: (tag: string) => Promise<EditorDictionaryFor>;
  readonly featureDictionary: (tag: string) => Promise<FeatureDictionary>;
}

/** By language (ISO 639-1). English is part of the script itself. Another language needs a file and an entry here. */
const TRANSLATIONS: Readonly<Partial<Record<string, Translation>>> = {
  ar: {
    dictionary: async (tag) => {
      const { ar } = await import('./ar.js');
      return (portal) => ar(tag, portal);
    },
    editorDictionary: async (tag) => {
      const { editorAr } = await import('./editor-ar.js');
      return (portal) => editorAr(tag, portal);
    },
    featureDictionary: async () => (await import('./features/features-ar.js')).featuresAr,
  },
  de: twoFiles(
    () => import('./de.js'),
    async () => (await import('./features/features-de.js')).featuresDe,
  ),
  el: twoFiles(
    () => import('./el.js'),
    async () => (await import('./features/features-el.js')).featuresEl,
  ),
  es: twoFiles(
    () => import('./es.js'),
    async () => (await import('./features/features-es.js')).featuresEs,
  ),
  fr: twoFiles(
    () => import('./fr.js'),
    async () => (await import('./features/features-fr.js')).featuresFr,
  ),
  hi: twoFiles(
    () => import('./hi.js'),
    async () => (await import('./features/features-hi.js')).featuresHi,
  ),
  id: twoFiles(
    () => import('./id.js'),
    async () => (await import('./features/features-id.js')).featuresId,
  ),
  it: twoFiles(
    () => import('./it.js'),
    async () => (await import('./features/features-it.js')).featuresIt,
  ),
  ja: twoFiles(
    () => import('./ja.js'),
    async () => (await import('./features/features-ja.js')).featuresJa,
  ),
  pt: twoFiles(
    () => import('./pt.js'),
    async () => (await import('./features/features-pt.js')).featuresPt,
  ),
  tr: twoFiles(
    () => import('./tr.js'),
    async () => (await import('./features/features-tr.js')).featuresTr,
  ),
};

/** The languages of the elements, besides English. */
export const LANGUAGES: readonly string[] = Object.keys(TRANSLATIONS);

/**
 * @param tag a language tag (BCP 47) with any region and in any case, such as `pt-BR`
 * @returns `undefined` if English is used
 */
export function translationOf(tag: string): Translation | undefined {
  return TRANSLATIONS[primaryLanguage(tag)];
}

/**
 * Replaces a deprecated code by its current one, such as `in` by `id`. Of a malformed tag, only its first letters are used.
 */
function primaryLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return /^[a-z]{2,3}(?![a-z])/i.exec(tag)?.[0].toLowerCase() ?? '';
  }
}

function twoFiles(load: () => Promise<Texts>, loadFeatures: () => Promise<FeatureDictionary>): Translation {
  return {
    dictionary: async (tag) => {
      const [{ dictionary }, counter] = [await load(), counterOf(tag)];
      return (portal) => dictionary(counter, portal);
    },
    editorDictionary: async (tag) => {
      const [{ editorDictionary }, counter] = [await load(), counterOf(tag)];
      return (portal) => editorDictionary(counter, portal);
    },
    featureDictionary: loadFeatures,
  };
}
