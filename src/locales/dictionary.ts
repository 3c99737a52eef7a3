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
  /** A sentence: why the portal does not have a received edit yet, by reason code. */
  readonly delayed: (reason: string | undefined) => string;
  /**
   * A sentence: why an edit needs attention and what to do, by reason code. In a conflict, `you` is the name of the person who
   * made the edit, absent for the person at this page, and `other` the name of the one who made the value that counts now.
   */
  readonly attention: (reason: string | undefined, you?: string, other?: string) => string;
  /** What is wrong with the connection and what to do, by problem code. */
  readonly connection: (problem: string | undefined) => string;
  readonly signedOut: string;
  /** After the person asked for it. */
  readonly goodbye: string;
}

/** What every element with an item says. */
export interface ItemTexts extends SwitchTexts, Reasons, MisuseTexts {
  readonly notSetYet: string;
  /** Instead of a value: it is being asked for, or nobody can be asked. */
  readonly checking: string;
  readonly notKnown: string;
  /** A sentence: what the portal shows while another value is wanted. */
  readonly guestsSee: (value: string) => string;
  /** The value comes from the host's page alone. */
  readonly asGiven: string;
  /** The portal has another value than was delivered: it was changed there. */
  readonly changedOnPortal: string;
  readonly truth: Readonly<Record<Truth, string>>;
  /** Sentences about an edit that is on this device. */
  readonly waitingForNetwork: string;
  /** Something else than the network is in the way; the notice above the list, or the element itself, says what. */
  readonly notSentYet: string;
  readonly waitingForSignIn: string;
  readonly unsaved: string;
  /** To connect or load once more. */
  readonly tryAgain: string;
  /** To send an edit once more that was not accepted. */
  readonly sendAgain: string;
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
  /** The two ways out. Values come as `available` and `notAvailable` say them. `by`: whose value it is; absent: this person's. */
  readonly keepMine: (value: string, by?: string) => string;
  /** `by` is absent where it is not known whose value it is. */
  readonly takeTheirs: (value: string, by?: string) => string;
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
  readonly unsavedCount: (count: number) => string;
  readonly nothingOpen: string;
  /** No change is on its way, and there are items whose value the portal has not confirmed. */
  readonly nothingWaiting: string;
  /** Heads of the columns. */
  readonly columns: Readonly<Record<'item' | 'group' | 'availability' | 'status' | 'updated', string>>;
  readonly total: (count: number) => string;
  /** Entries of the host's page that cannot be rows, because their id or value is invalid. */
  readonly leftOut: (count: number) => string;
  readonly counting: string;
  readonly selectEvery: string;
  /** The name of an item's check box. */
  readonly selectItem: (name: string) => string;
}

/** Everything that the elements ever say, one flat typed object for each language. */
export interface Dictionary extends ToggleTexts, ConflictTexts, ConfirmTexts, ListTexts {}

type FilterWord = 'all' | 'available' | 'unavailable' | 'unknown' | 'changed' | 'waiting' | 'attention' | 'conflict';

type SortWord = 'given' | 'label' | 'id' | 'group' | 'value' | 'state' | 'changed-at';

/**
 * Everything that the elements say around their rows and switches. Both make the same texts with the name of the portal or
 * without it, because most languages need another form of words for the one than for the other.
 */
export type DictionaryFor = (portal?: string) => Dictionary;
export type EditorDictionaryFor = (portal?: string) => EditorDictionary;

/** What the editor says beyond its rows: loaded with the tools that say it. */
export interface EditorDictionary {
  /** Alone, as the sentences write it. */
  readonly number: (count: number) => string;
  /** Of a row: a wish that is not saved. */
  readonly changed: string;
  /** Of a row: somebody else spoke after the wish was made. */
  readonly met: string;
  readonly search: string;
  readonly filters: string;
  readonly filter: Readonly<Record<FilterWord, string>>;
  readonly sort: string;
  readonly sorted: Readonly<Record<SortWord, string>>;
  /** An order, from the last to the first. */
  readonly reversed: (order: string) => string;
  /** Choices of the filter by group. */
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
  /** A part of the editor that the person asked for, and that the network has lost. */
  readonly notLoaded: string;
  /** Opens the dialog that asks until when. */
  readonly unavailableUntil: string;
  /** Of an item that a schedule has made unavailable, with the time at which it is available again. */
  readonly back: (time: string) => string;
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
  /** Of drafts that were to be taken back: their items are not in this list. */
  readonly draftsElsewhere: (count: number) => string;
  readonly dropDrafts: string;
  readonly bulkTitle: (count: number, available: boolean) => string;
  readonly bulkSame: (count: number, available: boolean) => string;
  /** The value of an item before and after. Values come as `available`, `notAvailable` and `notSetYet` say them. */
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
  /** The same of one group. */
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
  /** Before the value that is on the portal, and since when. */
  readonly portalNow: string;
  readonly lastChange: string;
  /** Above the newest entries of an item's history. */
  readonly lastChanges: string;
  readonly by: (name: string) => string;
  /** Above several. */
  readonly conflictsText: string;
  readonly keepAllMine: string;
  readonly takeAllTheirs: string;
  readonly queueTitle: string;
  readonly queueEmpty: string;
  /** A change that the person wanted to give up. */
  readonly notDiscarded: string;
  readonly conflictsTitle: string;
  readonly retryAll: string;
  readonly more: (count: number) => string;
  readonly keyList: readonly (readonly [keys: string, does: string])[];
  readonly signOutUnsent: (count: number) => string;
  /** Where something is not saved; `signOutSend` where all is saved and something is not sent. */
  readonly signOutSave: string;
  readonly signOutSend: string;
  readonly signOutDelete: string;
  readonly signOutStay: string;
  /** What saving, or sending, and signing out does. */
  readonly signOutSends: string;
  /** What deleting and signing out does. */
  readonly signOutDeletes: string;
  /** Of edits that the proxy has refused: signing out does not send them. */
  readonly signOutRefused: string;
  /** To who cannot see it, after it had been said that changes wait for the portal. */
  readonly portalIsBack: string;
}
