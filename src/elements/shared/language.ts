import type { Dictionary } from '../../locales/dictionary.js';
import { translationOf } from '../../locales/languages.js';

/** An element that says something, and says it anew when asked. */
export interface Speaker extends Element {
  requestUpdate(): void;
}

const speakers = new Set<Speaker>();
/** By tag, because each kind of a language writes numbers in its own way. `undefined`: on its way. */
const dictionaries = new Map<string, Dictionary | undefined>();
const LANG = { attributes: true, attributeFilter: ['lang'], subtree: true };

/** One for all elements of the page. Absent where there is no page, as on a server. */
const observer = 'MutationObserver' in globalThis ? new MutationObserver(speakAnew) : undefined;

function speakAnew(): void {
  for (const speaker of speakers) speaker.requestUpdate();
}

/** From now on a change of language around it makes the element speak anew. */
export function followLanguage(speaker: Speaker): void {
  if (speakers.size === 0) observer?.observe(document, LANG);
  speakers.add(speaker);
  for (let root = speaker.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
    observer?.observe(root, LANG);
  }
}

export function leaveLanguage(speaker: Speaker): void {
  speakers.delete(speaker);
  if (speakers.size === 0) observer?.disconnect();
}

/**
 * @returns the language tag (BCP 47) that holds for an element: its own or the nearest around it; empty: unknown. Some servers
 *   write it as POSIX does, as in `ar_EG`.
 */
export function languageOf(element: Element): string {
  const near = element.closest('[lang]');
  if (near !== null) return (near.getAttribute('lang') ?? '').replaceAll('_', '-');
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOf(root.host) : '';
}

/**
 * @param tag a language tag (BCP 47)
 * @returns the dictionary of another language than English, as soon as it is loaded; all elements speak anew then
 */
export function dictionaryOf(tag: string): Dictionary | undefined {
  const translation = translationOf(tag);
  if (translation === undefined) return undefined;
  if (!dictionaries.has(tag)) {
    dictionaries.set(tag, undefined);
    translation.dictionary(tag).then(
      (dictionary) => {
        dictionaries.set(tag, dictionary);
        speakAnew();
      },
      // English stays; whoever speaks next asks again.
      () => dictionaries.delete(tag),
    );
  }
  return dictionaries.get(tag);
}
