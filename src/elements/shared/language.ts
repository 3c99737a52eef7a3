import type { Dictionary, DictionaryFor } from '../../locales/dictionary.js';
import { translationOf } from '../../locales/languages.js';
import { hostOf } from './other-document.js';

/** An element with texts, which it renders again on request. */
export interface Speaker extends Element {
  requestUpdate(): void;
}

const speakers = new Set<Speaker>();
/** By language tag, because numbers are written differently in each region. `undefined`: the dictionary is loading. */
const makers = new Map<string, DictionaryFor | undefined>();
/** The dictionaries that the makers have made, by tag and portal name. */
const dictionaries = new Map<string, Dictionary>();
/** The dictionaries that are loading. Each promise resolves, even if the load fails. */
const loads = new Map<string, Promise<void>>();
/** A slow network delays the first rendering by at most this time. */
const MAX_WAIT_MS = 3_000;
const LANG = { attributes: true, attributeFilter: ['lang'], subtree: true };

/** One observer for all elements of the page. Absent on a server, which has no page. */
const observer = 'MutationObserver' in globalThis ? new MutationObserver(updateSpeakers) : undefined;

function updateSpeakers(): void {
  for (const speaker of speakers) speaker.requestUpdate();
}

/** Updates the element whenever the language of an ancestor changes, until `leaveLanguage`. */
export function followLanguage(speaker: Speaker): void {
  speakers.add(speaker);
  // The roots are all shadow roots around the element and its document, which may be another one than that of this script.
  for (let at: Element | undefined = speaker; at !== undefined; at = hostOf(at.getRootNode())) {
    observer?.observe(at.getRootNode(), LANG);
  }
}

export function leaveLanguage(speaker: Speaker): void {
  speakers.delete(speaker);
  if (speakers.size === 0) observer?.disconnect();
}

/** @returns the language tag (BCP 47) of an element: its own or that of the nearest ancestor; empty if there is none */
export function findLanguage(element: Element): string {
  const nearest = element.closest('[lang]');
  if (nearest !== null) return toTag(nearest.getAttribute('lang') ?? '');
  const host = hostOf(element.getRootNode());
  return host === undefined ? '' : findLanguage(host);
}

const tags = new Map<string, string>();

/** Some servers write a language as POSIX does: `ar_EG`, `pt_BR.UTF-8`, `de_DE@euro`, `C`. */
function toTag(language: string): string {
  let tag = tags.get(language);
  if (tag === undefined) {
    tag = longestTag(
      language
        .trim()
        .replace(/[.@].*$/, '')
        .replaceAll('_', '-'),
    );
    tags.set(language, tag);
  }
  return tag;
}

/** @returns the longest well-formed beginning of the tag; the tag itself if there is none */
function longestTag(tag: string): string {
  for (let end = tag.length; end > 0; end = tag.lastIndexOf('-', end - 1)) {
    try {
      return Intl.getCanonicalLocales(tag.slice(0, end))[0] ?? tag;
    } catch {
      continue;
    }
  }
  return tag;
}

/**
 * @param tag a language tag (BCP 47)
 * @param portal its name, where the page gives it
 * @returns the dictionary of a language other than English if it is loaded; otherwise it is loaded now, and all elements
 *   update afterwards
 */
export function requestDictionary(tag: string, portal?: string): Dictionary | undefined {
  const translation = translationOf(tag);
  if (translation === undefined) return undefined;
  if (!makers.has(tag)) {
    makers.set(tag, undefined);
    const load = translation.dictionary(tag).then(
      (make) => {
        makers.set(tag, make);
        updateSpeakers();
      },
      // English stays. The next update requests the dictionary again.
      () => void makers.delete(tag),
    );
    loads.set(tag, load);
  }
  const key = `${tag} ${portal ?? ''}`;
  const dictionary = dictionaries.get(key) ?? makers.get(tag)?.(portal);
  if (dictionary !== undefined) dictionaries.set(key, dictionary);
  return dictionary;
}

/** @returns the name in directional isolates (U+2068, U+2069), as texts contain it; `undefined` if the page gives no name */
export function portalNameOf(name: string | null | undefined): string | undefined {
  const trimmed = name?.trim();
  return trimmed ? `\u2068${trimmed}\u2069` : undefined;
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
