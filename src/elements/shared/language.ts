import type { Dictionary } from '../../locales/dictionary.js';
import { translationOf } from '../../locales/languages.js';

/** An element with texts, which it renders again on request. */
export interface Speaker extends Element {
  requestUpdate(): void;
}

const speakers = new Set<Speaker>();
/** By language tag, because the variants of a language format numbers differently. `undefined`: the load is in progress. */
const dictionaries = new Map<string, Dictionary | undefined>();
/** The loads of dictionaries. Each resolves in the end, after a failure too. */
const loads = new Map<string, Promise<void>>();
/** A slow network delays the first rendering no longer than this. */
const MAX_WAIT_MS = 3_000;
const LANG = { attributes: true, attributeFilter: ['lang'], subtree: true };

/** One observer for all elements of the page. Absent on a server, which has no page. */
const observer = 'MutationObserver' in globalThis ? new MutationObserver(updateSpeakers) : undefined;

function updateSpeakers(): void {
  for (const speaker of speakers) speaker.requestUpdate();
}

/** Updates the element whenever the language changes on an element around it, until `leaveLanguage`. */
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
 * @returns the language tag (BCP 47) of an element: its own or that of the nearest ancestor; empty if there is none. Some
 *   servers write POSIX tags such as `ar_EG`, which are converted
 */
export function findLanguage(element: Element): string {
  const nearest = element.closest('[lang]');
  if (nearest !== null) return (nearest.getAttribute('lang') ?? '').replaceAll('_', '-');
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? findLanguage(root.host) : '';
}

/**
 * @param tag a language tag (BCP 47)
 * @returns the dictionary of a language other than English if it is loaded; otherwise it is loaded now, and all elements
 *   update afterwards
 */
export function requestDictionary(tag: string): Dictionary | undefined {
  const translation = translationOf(tag);
  if (translation === undefined) return undefined;
  if (!dictionaries.has(tag)) {
    dictionaries.set(tag, undefined);
    const load = translation.dictionary(tag).then(
      (dictionary) => {
        dictionaries.set(tag, dictionary);
        updateSpeakers();
      },
      // The element stays in English, and its next rendering starts another load.
      () => void dictionaries.delete(tag),
    );
    loads.set(tag, load);
  }
  return dictionaries.get(tag);
}

/** Renders an element. The first rendering waits for the dictionary of its language, so that it shows no English before. */
export function renderWithDictionary(
  element: Element & { readonly hasUpdated: boolean },
  draw: () => void,
): Promise<void> | undefined {
  const tag = findLanguage(element);
  const load = element.hasUpdated || requestDictionary(tag) !== undefined ? undefined : loads.get(tag);
  if (load !== undefined) {
    const timeout = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
    return Promise.race([load, timeout]).then(draw);
  }
  draw();
  return undefined;
}
