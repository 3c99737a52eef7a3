import type { Dictionary } from '../../locales/dictionary.js';
import { translationOf } from '../../locales/languages.js';

/** An element that says something, and says it anew when asked. */
export interface Speaker extends Element {
  requestUpdate(): void;
}

const speakers = new Set<Speaker>();
/** By tag, because each kind of a language writes numbers in its own way. `undefined`: on its way. */
const dictionaries = new Map<string, Dictionary | undefined>();
/** Dictionaries on their way. Each resolves, whether it came or was lost. */
const loads = new Map<string, Promise<void>>();
/** A slow network delays the first drawing no longer than this. */
const MAX_WAIT_MS = 3_000;
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
    const load = translation.dictionary(tag).then(
      (dictionary) => {
        dictionaries.set(tag, dictionary);
        speakAnew();
      },
      // English stays; the next drawing asks again.
      () => void dictionaries.delete(tag),
    );
    loads.set(tag, load);
  }
  return dictionaries.get(tag);
}

/** Draws an element; for the first time only when the words of its language are there, so that none of English come first. */
export function drawWithWords(
  element: Element & { readonly hasUpdated: boolean },
  draw: () => void,
): Promise<void> | undefined {
  const tag = languageOf(element);
  const load = element.hasUpdated || dictionaryOf(tag) !== undefined ? undefined : loads.get(tag);
  if (load !== undefined) {
    const isLate = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
    return Promise.race([load, isLate]).then(draw);
  }
  draw();
  return undefined;
}
