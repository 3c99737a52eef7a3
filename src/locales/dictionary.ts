import type { Truth } from '../domain/edit-state.js';

/** All that a switch without an item ever says. */
export interface SwitchTexts {
  readonly available: string;
  readonly notAvailable: string;
  /** Why a form does not go out while a required switch is off. */
  readonly required: string;
}

/** What the author of a page has to mend. */
export interface MisuseTexts {
  readonly secretGiven: (attribute: string) => string;
  readonly missingProxy: string;
  readonly badItem: string;
}

/** Why something is not as a person wants it. */
export interface Reasons {
  /** Why the portal does not have a received edit yet, by reason code. */
  readonly delayed: (reason: string | undefined) => string;
  /** Why an edit needs attention and what to do, by reason code. */
  readonly attention: (reason: string | undefined) => string;
  /** What is wrong with the connection and what to do, by problem code. */
  readonly connection: (problem: string | undefined) => string;
  readonly signedOut: string;
  /** After the person asked for it. */
  readonly goodbye: string;
}

/** What every element with an item says. */
export interface ItemTexts extends SwitchTexts, Reasons, MisuseTexts {
  readonly notSetYet: string;
  /** The value comes from the host's page alone. */
  readonly asGiven: string;
  readonly truth: Readonly<Record<Truth, string>>;
  readonly waitingForNetwork: string;
  readonly waitingForSignIn: string;
  readonly unsaved: string;
  readonly tryAgain: string;
  /** Of a moment less than a minute ago. */
  readonly justNow: string;
  /** To who cannot see it: somebody else has changed one item meanwhile, or several. */
  readonly changedBy: (by: string, name: string, value: string) => string;
  readonly changedByOthers: (count: number) => string;
  readonly requestId: (id: string) => string;
  readonly readOnly: string;
}

export interface ToggleTexts extends ItemTexts {
  /** After a truth: how long ago it came about, as in "2 minutes ago", and who it was, where that was somebody else. */
  readonly since: (ago: string, by: string | undefined) => string;
}

/** Two people, two values: the one that both stand on, the one that this person chose, the one that counts meanwhile. */
export interface ConflictTexts {
  /** The value that both stand on. */
  readonly before: string;
  /** What this person chose. */
  readonly you: string;
  /** The value that counts meanwhile. */
  readonly now: string;
  /** The two ways out. Values come as `available` and `notAvailable` say them. */
  readonly keepMine: (value: string) => string;
  readonly takeTheirs: (value: string) => string;
  /** The one that was taken could not be carried out. */
  readonly notDecided: string;
}

export interface ConfirmTexts {
  /** Before an item, which has a name, goes unavailable. */
  readonly confirmQuestion: (name: string) => string;
  readonly confirmYes: string;
  readonly confirmNo: string;
}

/** What a list says around its rows. */
export interface ListTexts {
  /** The network has lost a part of the script. */
  readonly missingPart: string;
  /** After trouble that a person could not end by trying again, with the time of that. */
  readonly triedAgain: (time: string) => string;
  readonly inventory: string;
  readonly loading: string;
  readonly empty: string;
  readonly openCount: (count: number) => string;
  readonly nothingOpen: string;
  /** Heads of the columns. */
  readonly columns: Readonly<Record<'item' | 'group' | 'availability' | 'status' | 'updated', string>>;
  readonly total: (count: number) => string;
  readonly counting: string;
  readonly selectEvery: string;
}

/** Everything that the elements ever say, one flat typed object for each language. */
export interface Dictionary extends ToggleTexts, ConflictTexts, ConfirmTexts, ListTexts {}
