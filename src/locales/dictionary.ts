import type { Truth } from '../domain/edit-state.js';

/** The texts of a switch without an item. */
export interface SwitchTexts {
  readonly available: string;
  readonly notAvailable: string;
  /** Why the browser does not submit a form while a required switch is off. */
  readonly required: string;
}

/** Messages about mistakes that the author of a page has to fix. */
export interface MisuseTexts {
  readonly secretGiven: (attribute: string) => string;
  readonly missingProxy: string;
  readonly badItem: string;
}

/** The reasons of a state, and what the person can do. */
export interface Reasons {
  /** Why the portal does not have a received edit yet, by reason code. */
  readonly delayed: (reason: string | undefined) => string;
  /**
   * Why an edit needs attention and what to do, by reason code. In a conflict, `you` is the name of the person who made
   * the edit, absent for the person at this page, and `other` the name of the person who set the value that is valid
   * now.
   */
  readonly attention: (reason: string | undefined, you?: string, other?: string) => string;
  /** What is wrong with the connection and what to do, by problem code. */
  readonly connection: (problem: string | undefined) => string;
  readonly signedOut: string;
  /** After a sign-out that the person requested. */
  readonly goodbye: string;
}

/** The texts of every element with an item. */
export interface ItemTexts extends SwitchTexts, Reasons, MisuseTexts {
  readonly notSetYet: string;
  /** Shown in place of a value: `checking` while the value is requested, `notKnown` without a connection. */
  readonly checking: string;
  readonly notKnown: string;
  /** What the portal shows until a changed value is delivered. */
  readonly guestsSee: (value: string) => string;
  /** The only source of the value is the host's page. */
  readonly asGiven: string;
  /** The portal has another value than the delivered one, because it was changed there. */
  readonly changedOnPortal: string;
  readonly truth: Readonly<Record<Truth, string>>;
  /** Sentences about an edit that is only on this device. */
  readonly waitingForNetwork: string;
  /**
   * The edit cannot be sent for another reason than the network. The notice above the list, or the element itself,
   * names it.
   */
  readonly notSentYet: string;
  readonly waitingForSignIn: string;
  readonly unsaved: string;
  /** Button that connects or loads again. */
  readonly tryAgain: string;
  /** Button that sends an edit again that was not accepted. */
  readonly sendAgain: string;
  /** The relative time of the last minute. */
  readonly justNow: string;
  /** Announced to screen readers: another person has changed one item, or several. */
  readonly changedBy: (by: string, name: string, value: string) => string;
  readonly changedByOthers: (count: number) => string;
  readonly requestId: (id: string) => string;
  readonly readOnly: string;
}

export interface ToggleTexts extends ItemTexts {
  /** Follows a delivery status: how long ago it was reached, as in "2 minutes ago", and by whom, for another person. */
  readonly since: (ago: string, by: string | undefined) => string;
}

/** The texts of a conflict: two people have set different values. */
export interface ConflictTexts {
  /** The value before both changes. */
  readonly before: string;
  /** The value that this person chose. */
  readonly you: string;
  /** The value that is valid until the decision. */
  readonly now: string;
  /**
   * The two decisions. Values are given as `available` and `notAvailable` name them. `by`: who set the value; absent:
   * this person.
   */
  readonly keepMine: (value: string, by?: string) => string;
  /** @param by absent if it is unknown who set the value */
  readonly takeTheirs: (value: string, by?: string) => string;
  /** The decision failed. */
  readonly notDecided: string;
}

export interface ConfirmTexts {
  /** Asked before an item becomes unavailable. @param name of the item */
  readonly confirmQuestion: (name: string) => string;
  readonly confirmYes: string;
  readonly confirmNo: string;
}

/** The texts around the rows of a list. */
export interface ListTexts {
  /** A part of the script could not be loaded. */
  readonly missingPart: string;
  /** Another attempt, at this time, has failed too. */
  readonly triedAgain: (time: string) => string;
  readonly inventory: string;
  readonly loading: string;
  readonly empty: string;
  readonly openCount: (count: number) => string;
  readonly unsavedCount: (count: number) => string;
  readonly nothingOpen: string;
  /** No change waits, but the portal has not confirmed the values of some items. */
  readonly nothingWaiting: string;
  /** The headers of the columns. */
  readonly columns: Readonly<Record<'item' | 'group' | 'availability' | 'status' | 'updated', string>>;
  readonly total: (count: number) => string;
  /** Entries of the host's page without a row, because their id or value is invalid. */
  readonly leftOut: (count: number) => string;
  readonly counting: string;
  readonly selectEvery: string;
  /** The accessible name of an item's check box. */
  readonly selectItem: (name: string) => string;
}

/** All texts of the elements: one flat typed object for each language. */
export interface Dictionary extends ToggleTexts, ConflictTexts, ConfirmTexts, ListTexts {}

type FilterWord = 'all' | 'available' | 'unavailable' | 'unknown' | 'changed' | 'waiting' | 'attention' | 'conflict';

type SortWord = 'given' | 'label' | 'id' | 'group' | 'value' | 'state' | 'changed-at';

/**
 * Create the texts with the name of the portal or without it. Most languages phrase a sentence differently with a name.
 */
export type DictionaryFor = (portal?: string) => Dictionary;
export type EditorDictionaryFor = (portal?: string) => EditorDictionary;

/** The texts of the editor beyond its rows. They are loaded with its tools. */
export interface EditorDictionary {
  /** A number alone, formatted as in the sentences. */
  readonly number: (count: number) => string;
  /** Status of a row with an unsaved draft. */
  readonly changed: string;
  /** Status of a row whose draft conflicts with another person's change. */
  readonly met: string;
  readonly search: string;
  readonly filters: string;
  readonly filter: Readonly<Record<FilterWord, string>>;
  readonly sort: string;
  readonly sorted: Readonly<Record<SortWord, string>>;
  /** A descending order. */
  readonly reversed: (order: string) => string;
  /** Options of the filter by group. */
  readonly allGroups: string;
  readonly noGroup: string;
  /** How many items of a group are available, as in "3 of 5 available". */
  readonly groupCount: (available: number, all: number) => string;
  readonly found: (count: number) => string;
  readonly noMatch: string;
  readonly showAll: string;
  readonly orderStale: string;
  readonly keys: string;
  /** Opens the dialog that imports and exports lists. */
  readonly lists: string;
  /** A part of the editor that the person opened could not be loaded. */
  readonly notLoaded: string;
  /** Opens the dialog that asks for the end of the closing. */
  readonly unavailableUntil: string;
  /** When a schedule makes an item available again. */
  readonly back: (time: string) => string;
  /** After a person has changed an item that a schedule keeps unavailable. */
  readonly setByHand: string;
  readonly queue: (count: number) => string;
  readonly conflicts: (count: number) => string;
  readonly selected: (count: number) => string;
  readonly selectAll: string;
  readonly selectMatching: (count: number) => string;
  readonly clearSelection: string;
  /** Buttons for the items that are selected. */
  readonly setAvailable: (count: number) => string;
  readonly setUnavailable: (count: number) => string;
  readonly changes: (count: number) => string;
  readonly save: string;
  readonly discard: string;
  readonly discarded: (count: number) => string;
  readonly undo: string;
  readonly redo: string;
  readonly undone: (changed: number, skipped: number) => string;
  readonly redone: (changed: number, skipped: number) => string;
  readonly saving: (saved: number, of: number) => string;
  readonly cancel: string;
  readonly close: string;
  readonly saveDone: (saved: number, held: number, left: number) => string;
  readonly failed: (count: number) => string;
  readonly retryFailed: (count: number) => string;
  readonly drafts: (count: number, age: string) => string;
  readonly draftsRefused: string;
  readonly takeDrafts: string;
  /** The items of drafts to restore are not in this list. */
  readonly draftsElsewhere: (count: number) => string;
  readonly dropDrafts: string;
  readonly bulkTitle: (count: number, available: boolean) => string;
  readonly bulkSame: (count: number, available: boolean) => string;
  /**
   * The value of an item before and after. Values are given as `available`, `notAvailable` and `notSetYet` name them.
   */
  readonly fromTo: (from: string, to: string) => string;
  readonly bulkLocked: (count: number) => string;
  readonly bulkNothing: string;
  readonly bulkSet: (count: number, available: boolean) => string;
  readonly bulkDone: (count: number, available: boolean) => string;
  readonly closeAll: string;
  readonly closeAllText: string;
  /** A button for the items that were closed together. */
  readonly reopen: (count: number) => string;
  readonly reopenText: string;
  /** The same texts for one group. */
  readonly closeGroupText: (group: string) => string;
  readonly reopenGroupText: (group: string) => string;
  readonly turnSkipped: (count: number) => string;
  readonly closed: (count: number, age: string) => string;
  readonly closedRefused: string;
  readonly keepClosed: string;
  readonly details: string;
  readonly id: string;
  readonly note: string;
  readonly value: string;
  /** Label of the portal's current value, and of its time. */
  readonly portalNow: string;
  readonly lastChange: string;
  /** Above the newest entries of an item's history. */
  readonly lastChanges: string;
  readonly by: (name: string) => string;
  /** Above several conflicts. */
  readonly conflictsText: string;
  readonly keepAllMine: string;
  readonly takeAllTheirs: string;
  readonly queueTitle: string;
  readonly queueEmpty: string;
  /** A change could not be discarded. */
  readonly notDiscarded: string;
  readonly conflictsTitle: string;
  readonly retryAll: string;
  readonly more: (count: number) => string;
  readonly keyList: readonly (readonly [keys: string, does: string])[];
  readonly signOutUnsent: (count: number) => string;
  /** `signOutSave` if there are drafts; `signOutSend` if everything is saved and some edits are not sent. */
  readonly signOutSave: string;
  readonly signOutSend: string;
  readonly signOutDelete: string;
  readonly signOutStay: string;
  /** Explains the buttons `signOutSave` and `signOutSend`. */
  readonly signOutSends: string;
  /** Explains the button `signOutDelete`. */
  readonly signOutDeletes: string;
  /** A sign-out does not send edits that the proxy has refused. */
  readonly signOutRefused: string;
  /**
   * Announced to screen readers once the portal accepts changes again, if an earlier announcement reported the delay.
   */
  readonly portalIsBack: string;
}
