import { BackOff } from '../../client/browser/backoff.js';
import type { ItemList } from '../../client/editor/item-list.js';
import { afterNextPaint } from '../../client/browser/next-frame.js';
import type { EditorDictionaryFor } from '../../locales/dictionary.js';
import type { FeatureDictionary } from '../../locales/features/feature-dictionary.js';
import { translationOf } from '../../locales/languages.js';
import type { EditorContext, HistoryOfEditor, ListsOfEditor, SchedulesOfEditor } from './editor-context.js';
import type { EditorTools } from './editing/editor-controller.js';

/** The interface of the element for its parts. */
export interface PartsHost {
  /** A language tag (BCP 47), or an empty string. */
  language(): string;
  /** `undefined` if there is no list. */
  context(): EditorContext | undefined;
  onLoaded(): void;
  warn(message: string): void;
}

/** @param language a language tag (BCP 47); without a translation the texts are English */
async function loadDictionary(language: string): Promise<EditorDictionaryFor> {
  const translation = translationOf(language);
  if (translation !== undefined) return translation.editorDictionary(language);
  return (await import('./editing/editing.js')).editorEn;
}

/** Texts of the page that replace those of the dictionary. */
type OwnTexts = Partial<FeatureDictionary>;

async function featureTexts(language: string, own: OwnTexts): Promise<FeatureDictionary> {
  const translation = translationOf(language);
  const texts =
    translation === undefined
      ? (await import('../../locales/features/features-en.js')).featuresEn
      : await translation.featureDictionary(language);
  return { ...texts, ...own };
}

/** Import and export of lists, in the person's language. @throws if a module could not be loaded; another call tries again */
export async function loadLists(language: string, own: OwnTexts): Promise<ListsOfEditor> {
  const [{ Lists }, text] = await Promise.all([import('./lists/lists-part.js'), featureTexts(language, own)]);
  return new Lists(text);
}

/** The dialog for schedules, in the person's language. @throws as {@link loadLists} */
export async function loadSchedules(language: string, own: OwnTexts): Promise<SchedulesOfEditor> {
  const [{ SchedulePart }, text] = await Promise.all([
    import('./schedules/schedule-part.js'),
    featureTexts(language, own),
  ]);
  return new SchedulePart(text);
}

/** The history, in the person's language. @throws as {@link loadLists} */
export async function loadHistory(language: string, own: OwnTexts): Promise<HistoryOfEditor> {
  const [{ HistoryPart }, text] = await Promise.all([
    import('./dialogs/history/history-part.js'),
    featureTexts(language, own),
  ]);
  return new HistoryPart(text);
}

/** The page tries to load by itself after this time, in milliseconds; a press of the person tries at once. */
const RETRY_MS = 10_000;
const MAX_RETRY_MS = 60_000;

/** Loads what the editor needs after its first rows: the tools and their texts. */
export class EditorParts {
  readonly #host: PartsHost;
  tools: EditorTools | undefined;
  editorDictionary: EditorDictionaryFor | undefined;
  /** Whether the last attempt to load the tools has failed. */
  isLost = false;
  #language = '';
  #speaking: Promise<void> | undefined;
  #loading: Promise<EditorTools | undefined> | undefined;
  #asked = false;
  readonly #retry = new BackOff(RETRY_MS, MAX_RETRY_MS);

  constructor(host: PartsHost) {
    this.#host = host;
  }

  /** Loads the tools after the browser has drawn the first rows. */
  later(): void {
    if (this.#asked) return;
    this.#asked = true;
    void afterNextPaint().then(() => this.load());
  }

  /** @returns the tools; `undefined` if the list has ended or they could not be loaded. Another call tries again */
  load(): Promise<EditorTools | undefined> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      if (!this.isLost) this.#host.warn(`a part could not be loaded: ${String(error)}`);
      this.isLost = true;
      this.#retry.plan(() => void this.load());
      this.#host.onLoaded();
      return undefined;
    });
    return this.#loading;
  }

  /** Call when the page sets the items again. @returns whether the present list continues with them */
  renew(table: ItemList | undefined, items: readonly unknown[]): boolean | undefined {
    return table?.renew(items) || this.tools?.renew(items);
  }

  /** Call before each rendering. */
  setContext(context: EditorContext | undefined): void {
    if (this.tools === undefined || context === undefined) return;
    this.tools.setContext(context);
    this.speakSoon();
  }

  /** Ends the tools with their list, because another list gets tools of its own. */
  close(): void {
    this.tools?.close();
    this.tools = undefined;
    this.#loading = undefined;
    this.#asked = false;
    this.#retry.cancel();
  }

  /** Loads the editor's texts in the language of the page, or in English if there is no translation. */
  speak(): Promise<void> | undefined {
    const tag = this.#host.language();
    const language = translationOf(tag) === undefined ? 'en' : tag;
    if (language !== this.#language) this.#speaking = this.#learn((this.#language = language));
    return this.#speaking;
  }

  async #learn(language: string): Promise<void> {
    try {
      const editorDictionary = await loadDictionary(language);
      if (language !== this.#language) return await this.#speaking;
      this.editorDictionary = editorDictionary;
    } catch (error) {
      if (language === this.#language) this.#language = '';
      throw error;
    }
    this.#host.onLoaded();
  }

  /**
   * As `speak`, but without a failure: if the texts could not be loaded, the known ones stay until the next rendering tries
   * again.
   */
  speakSoon(): void {
    this.speak()?.catch(() => undefined);
  }

  async #load(): Promise<EditorTools | undefined> {
    const before = this.#host.context();
    const [{ EditorTools }] = await Promise.all([import('./editing/editing.js'), this.speak()]);
    const context = this.#host.context();
    if (context === undefined || context.table !== before?.table) return undefined;
    this.tools = new EditorTools(context);
    this.isLost = false;
    this.#retry.reset();
    this.#host.onLoaded();
    return this.tools;
  }
}
