import type { TemplateResult, nothing } from 'lit';
import type {
  ClosuresOfItems,
  DraftOfItems,
  FilterName,
  FilterOfItems,
  AutosavedDrafts,
  ConfirmChange,
  ViewIndex,
  ItemIndex,
  RowOrder,
  SaveProgress,
  Query,
  SelectionOfItems,
} from '../../client/editor/editor-types.js';
import type { GroupedOrder } from '../../client/editor/view/grouped-order.js';
import type { ItemGroups } from '../../client/editor/view/item-groups.js';
import type { ItemList } from '../../client/editor/item-list.js';
import type { InventoryStore } from '../../client/store/inventory-store.js';
import type { ItemId } from '../../domain/item.js';
import type { ConflictTexts, EditorDictionary, ItemTexts, ListTexts } from '../../locales/dictionary.js';
import type { VirtualRows } from './list/virtual-list.js';

export type EditorTexts = ItemTexts & ListTexts & ConflictTexts & EditorDictionary;

/** The result of `importCsv`: the number of lines with each outcome, and the rejected lines. */
export interface ImportReport {
  readonly new: number;
  readonly changed: number;
  readonly same: number;
  readonly refused: number;
  readonly faults: readonly {
    readonly line: number;
    readonly column: number;
    readonly reason: 'id' | 'value' | 'repeated' | 'locked' | 'malformed';
  }[];
}

/** Import and export of lists; `lists/lists-part.ts` has the class. */
export interface ListsOfEditor {
  open(tools: ToolsOfEditor): void;
  importCsv(tools: ToolsOfEditor, csv: string): Promise<ImportReport>;
  exportCsv(tools: ToolsOfEditor): string;
  /** Offers rows for download as a file of comma-separated values. @param name file name without its extension */
  download(rows: readonly (readonly string[])[], name: string): void;
}

/** Schedules, as in "unavailable until ..."; `schedules/schedule-part.ts` has the class. */
export interface SchedulesOfEditor {
  open(tools: ToolsOfEditor, ids: readonly ItemId[], options?: ScheduleOptions): void;
}

export interface ScheduleOptions {
  /** Called when the schedule is saved. */
  readonly onDone?: () => void;
  /**
   * The person has chosen a group or everything, and not single items. A closing until a time includes only the items that
   * are available now: at its end it would open the others too.
   */
  readonly isWhole?: boolean;
}

/** Who changed what and when; `dialogs/history/history-part.ts` has the class. */
export interface HistoryOfEditor {
  /** The last changes of one item. @param onChange called when it has to be rendered again */
  ofItem(tools: ToolsOfEditor, id: ItemId, onChange: () => void): HistoryOfItem;
  /** Opens the history of all items. */
  open(tools: ToolsOfEditor): void;
}

/** The rendered list of an item's last changes. */
export interface HistoryOfItem {
  render(): TemplateResult;
  close(): void;
}

/** The interface of the editor for its parts that are loaded on demand. */
export interface EditorContext {
  readonly element: HTMLElement;
  readonly root: ShadowRoot;
  readonly table: ItemList;
  readonly store: InventoryStore;
  readonly rows: VirtualRows;
  readonly text: EditorTexts;
  readonly language: string;
  readonly timeZone: string | undefined;
  /** Whether no change is possible: the editor is readonly or disabled, or the person may only view. */
  readonly locked: boolean;
  readonly mode: 'manual' | 'auto';
  /** Whether the page hides this part, by the attribute `hide`. */
  hides(part: 'groups'): boolean;
  readonly confirmChange: ConfirmChange;
  /** Announces a text in the polite live region. */
  announce(text: string): void;
  /** Renders everything but the rows again. */
  requestUpdate(): void;
  /** Loads the import and export of lists. @throws if it could not be loaded */
  loadLists(): Promise<ListsOfEditor>;
  /** Loads the dialog for schedules. @throws if it could not be loaded */
  loadSchedules(): Promise<SchedulesOfEditor>;
  /** Loads the history. @throws if it could not be loaded */
  loadHistory(): Promise<HistoryOfEditor>;
  /** Call when the child script with items was replaced, or its text has changed. */
  readChildren(): void;
}

/** The interface of `editor-controller.ts` for its bars, keys and dialogs. */
export interface ToolsOfEditor {
  readonly context: EditorContext;
  readonly filter: FilterOfItems;
  readonly selection: SelectionOfItems;
  readonly draft: DraftOfItems;
  readonly autosave: AutosavedDrafts;
  readonly closures: ClosuresOfItems;
  readonly wanted: Query;
  readonly groups: ItemGroups;
  readonly grouped: GroupedOrder;
  /** Whether the list has headings of groups. */
  readonly isGrouped: boolean;
  /** Collapses a group, or expands it again. */
  fold(group: string): void;
  readonly outcomes: ProblemsOfItems;
  /** A text about what the last press could not change; empty if there is nothing to say, or the person has read it. */
  leftAlone: string;
  /** Absent when no save is running. */
  readonly progress: SaveProgress | undefined;
  /** The listed rows with the headings of groups. `filter.order` has all items that match, and no headings. */
  readonly order: RowOrder;
  find(wanted: Partial<Query>): void;
  focusSearch(): void;
  select(viewIndex: ViewIndex, range: boolean): void;
  /** Moves the keyboard focus from one row to another. @param selects whether the items between them are selected */
  walk(from: ViewIndex, to: ViewIndex, selects: boolean): void;
  selectAll(): void;
  /** Whether "select all" applies to a search that is still running. */
  readonly isSelecting: boolean;
  clearSelection(): void;
  /** Sets one item, if the person and the host allow it. */
  set(itemIndex: ItemIndex, available: boolean): Promise<void>;
  /** Call when the change for which the items were selected is done. */
  endSelection(): void;
  undo(redo?: boolean): Promise<void>;
  save(): Promise<void>;
  /** Resolves when the browser has drawn the last change. */
  seen(): Promise<void>;
  /** Resolves when all bulk edits, undos and redos so far have reached their rows. */
  whenApplied(): Promise<void>;
  cancelSave(): void;
  discard(): void;
  newFilter(name: FilterName, onChange: () => void): FilterOfItems;
  /** Opens the dialog that imports and exports lists. */
  openLists(): Promise<void>;
  /** Opens the dialog with the history of all items. */
  openHistory(): Promise<void>;
  /** Opens the dialog that asks for the end of a closing of these items. */
  openSchedule(ids: readonly ItemId[], options?: ScheduleOptions): Promise<void>;
  /** Opens one of the dialogs. */
  withDialogs(open: (dialogs: DialogsOfEditor) => void): void;
}

/** Texts about items that need attention, empty if none does; `outcome-announcer.ts` has the class. */
export interface ProblemsOfItems {
  readonly problemText: string;
  /** Tells that another attempt has failed, and when, because a press without a visible effect needs an answer. */
  readonly inVain: string;
  /** Call when the person retries what has failed. */
  retries(): void;
}

export type SignOutChoice = 'send' | 'delete' | 'stay';

/** The dialogs of the editor; `dialogs/editor-dialogs.ts` has the class. */
export interface DialogsOfEditor {
  readonly tools: ToolsOfEditor;
  keys(): void;
  details(itemIndex: ItemIndex): void;
  bulk(available: boolean): void;
  /** Closes everything or one group, or reopens exactly those items. */
  setAll(available: boolean, group?: string): void;
  queue(): void;
  conflicts(): void;
  /** @param unsaved returns the number of drafts at each rendering */
  signOut(unsent: number, unsaved: () => number, answer: (choice: SignOutChoice) => void): void;
  /** Opens a dialog of a part that is loaded on demand. @param onEnd called when the dialog closes */
  show(view: () => DialogView | undefined, onEnd: () => void): void;
  retryFailed(): void;
  /** Sends an edit that needs attention again, as a new edit, if the host allows it. */
  retry(id: ItemId): Promise<void>;
  /** Discards an edit, or shows in the dialog that it could not be discarded. */
  discard(id: ItemId): Promise<void>;
  /** The first item indexes of a filter, and the number of all. */
  listed(name: FilterName): { readonly itemIndexes: readonly ItemIndex[]; readonly count: number };
  eachOf(name: FilterName, act: (itemIndex: ItemIndex) => Promise<void> | void): Promise<void>;
  dismiss(): void;
  /**
   * Hides the dialog at once, and closes it after the next frame, because closing makes the browser restyle the whole page.
   *
   * @returns `false` if the dialog is hidden already, so that the second press of a double press is ignored
   */
  leave(): boolean;
  update(): void;
  /** Observes the dialog's size in the document that the editor is in now. */
  observe(): void;
  close(): void;
}

/** The content of one dialog. */
export interface DialogView {
  readonly title: string;
  readonly body: TemplateResult;
  readonly choices: TemplateResult | typeof nothing;
}
