import type { Dictionary } from '../../locales/dictionary.js';
import type * as reasons from '../../locales/en-reasons.js';
import type * as questions from './questions.js';

/** What the part that an item needs sees of its toggle. */
export interface ItemHost extends HTMLElement {
  readonly item: string | null | undefined;
  readonly proxy: string | null | undefined;
  readonly session: string | null | undefined;
  readonly getSession: (() => Promise<string>) | null | undefined;
  readonly readonly: boolean;
  readonly quiet: boolean;
  /** A person is asked before it becomes unavailable. */
  readonly confirm: boolean;
  readonly timeZone: string | null | undefined;
  readonly strings: Partial<Dictionary> | null | undefined;
  /** Out of use by its own attribute or a fieldset around it. */
  readonly isDisabled: boolean;
  /** What stands on it, for a person. */
  readonly labelText: string;
  readonly language: string;
  /** Of another language than English. */
  readonly dictionary: Dictionary | undefined;
  /** Loads it where it is not there yet, and draws then; `null`: the network has lost it. */
  readonly troublePart: TroublePart | null | undefined;
  /** Once: a misconfigured element must not flood the console of its page. */
  warn(message: string): void;
  requestUpdate(): void;
  /** A person picked a value where none was known: asks, takes it and says so. */
  choose(available: boolean): void;
}

/** What a toggle shows of its item. */
export interface Shown {
  /** `undefined`: nobody has told us, or it cannot be known. */
  readonly available: boolean | undefined;
  readonly locked: boolean;
  /** Of the item, where nothing stands on the toggle. */
  readonly label: string;
  /** Names of custom states. */
  readonly states: readonly string[];
}

/** The network half of a toggle: loaded where there is an item, so that a plain switch stays small. */
export interface ItemPart {
  /** Connects to the store and draws what is known of the item. */
  update(): Shown;
  /** @returns whether an edit may be taken: the host page has the last word */
  ask(available: boolean): boolean;
  /** Takes the edit that was asked about last. */
  take?: () => unknown;
  /** Leaves the store. */
  disconnect(): void;
  /** Takes away what it has drawn. */
  remove(): void;
}

/** What most visits never see. */
export type TroublePart = typeof questions & typeof reasons;
