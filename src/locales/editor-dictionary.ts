type FilterWord = 'all' | 'available' | 'unavailable' | 'unknown' | 'changed' | 'waiting' | 'attention' | 'conflict';

type SortWord = 'given' | 'label' | 'id' | 'state' | 'changed-at';

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
  readonly found: (count: number) => string;
  readonly noMatch: string;
  readonly showAll: string;
  readonly orderStale: string;
  readonly keys: string;
  readonly queue: (count: number) => string;
  readonly conflicts: (count: number) => string;
  readonly selected: (count: number) => string;
  readonly selectAll: string;
  readonly selectMatching: (count: number) => string;
  readonly clearSelection: string;
  readonly setAvailable: string;
  readonly setUnavailable: string;
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
  readonly bulkLocked: (count: number) => string;
  readonly bulkNothing: string;
  readonly bulkSet: (count: number, available: boolean) => string;
  readonly bulkDone: (count: number, available: boolean) => string;
  readonly closeAll: string;
  readonly closeAllText: string;
  readonly reopen: string;
  readonly reopenText: string;
  readonly turnSkipped: (count: number) => string;
  readonly closed: (count: number, age: string) => string;
  readonly closedRefused: string;
  readonly keepClosed: string;
  readonly details: string;
  readonly id: string;
  readonly note: string;
  readonly value: string;
  readonly lastChange: string;
  readonly by: (name: string) => string;
  /** Above several. */
  readonly conflictsText: string;
  /** Before what was two people chose: the value that both stand on. */
  readonly base: string;
  /** Before what this person chose. */
  readonly mine: string;
  /** Before the value that counts meanwhile. */
  readonly theirs: string;
  readonly keepMine: string;
  readonly takeTheirs: string;
  readonly keepAllMine: string;
  readonly takeAllTheirs: string;
  readonly queueTitle: string;
  readonly queueEmpty: string;
  /** A change that the person wanted to give up. */
  readonly notDiscarded: string;
  readonly conflictsTitle: string;
  readonly retry: string;
  readonly retryAll: string;
  readonly more: (count: number) => string;
  readonly keyList: readonly (readonly [keys: string, does: string])[];
  readonly signOutUnsent: (count: number) => string;
  readonly signOutSend: string;
  readonly signOutDelete: string;
  readonly signOutStay: string;
  /** To who cannot see it, after it had been said that changes wait for the portal. */
  readonly portalIsBack: string;
  readonly toolsMissing: string;
}
