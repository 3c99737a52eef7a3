import type { TemplateResult, nothing } from 'lit';
import type {
  ClosuresOfItems,
  DraftOfItems,
  FilterName,
  FilterOfItems,
  AutosavedDrafts,
  ConfirmChange,
  Place,
  Position,
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

/** What `importCsv` resolves to: how many lines each verdict has, and which lines are refused. */
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

/** `lists/lists-part.ts`: lists in and out. */
export interface ListsOfEditor {
  open(tools: ToolsOfEditor): void;
  importCsv(tools: ToolsOfEditor, csv: string): Promise<ImportReport>;
  exportCsv(tools: ToolsOfEditor): string;
  /** Hands rows out as a file of comma-separated values. @param name of the file, without its ending */
  download(rows: readonly (readonly string[])[], name: string): void;
}

/** `schedules/schedule-part.ts`: "unavailable until ...". */
export interface SchedulesOfEditor {
  open(tools: ToolsOfEditor, ids: readonly ItemId[], options?: ScheduleOptions): void;
}

export interface ScheduleOptions {
  /** Called when the schedule is set. */
  readonly onDone?: () => void;
  /**
   * The person has chosen a group or everything, and no items. A closing until a time names those that are available now: at
   * its end it would open the others, too.
   */
  readonly isWhole?: boolean;
}

/** `dialogs/history/history-part.ts`: who changed what. */
export interface HistoryOfEditor {
  /** @param onChange when it has to be drawn again */
  ofItem(tools: ToolsOfEditor, id: ItemId, onChange: () => void): HistoryOfItem;
  /** Opens the history of all items. */
  open(tools: ToolsOfEditor): void;
}

/** The last changes of one item. */
export interface HistoryOfItem {
  render(): TemplateResult;
  close(): void;
}

/** What the parts of the editor that are loaded on demand may know and ask of it. */
export interface EditorContext {
  readonly element: HTMLElement;
  readonly root: ShadowRoot;
  readonly table: ItemList;
  readonly store: InventoryStore;
  readonly rows: VirtualRows;
  readonly text: EditorTexts;
  readonly language: string;
  readonly timeZone: string | undefined;
  /** No change is possible: readonly, disabled, or a person who may only view. */
  readonly locked: boolean;
  readonly mode: 'manual' | 'auto';
  /** What the page leaves out, as its `hide` names it. */
  hides(part: 'groups'): boolean;
  readonly confirmChange: ConfirmChange;
  /** Politely, to who cannot see. */
  announce(text: string): void;
  /** Renders everything but the rows again. */
  requestUpdate(): void;
  /** Loads what imports and exports lists. @throws where the network has lost it */
  loadLists(): Promise<ListsOfEditor>;
  /** Loads what asks until when items are unavailable. @throws where the network has lost it */
  loadSchedules(): Promise<SchedulesOfEditor>;
  /** Loads what reads and draws the history. @throws where the network has lost it */
  loadHistory(): Promise<HistoryOfEditor>;
  /** The child script with items is another one, or its text has changed. */
  readChildren(): void;
}

/** `editor-controller.ts`, as its bars, its keys and the dialogs see it. */
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
  /** The list has headings of groups. */
  readonly isGrouped: boolean;
  /** Collapses a group, or shows its items again. */
  fold(group: string): void;
  readonly outcomes: ProblemsOfItems;
  /** What the last press could not do; empty: nothing, or the person has read it. */
  leftAlone: string;
  /** While a save is on its way. */
  readonly progress: SaveProgress | undefined;
  /** What is listed now, with the headings of groups. `filter.order` has all items that match, and no headings. */
  readonly order: RowOrder;
  find(wanted: Partial<Query>): void;
  focusSearch(): void;
  select(place: Place, range: boolean): void;
  /** Moves the keyboard from one item to another. @param selects whether the items between them are selected */
  walk(from: Place, to: Place, selects: boolean): void;
  selectAll(): void;
  /** All that matches is selected, and still being found. */
  readonly isSelecting: boolean;
  clearSelection(): void;
  /** Sets one item, where the person and the page allow it. */
  set(position: Position, available: boolean): Promise<void>;
  /** What the items were selected for is done. */
  endSelection(): void;
  undo(redo?: boolean): Promise<void>;
  save(): Promise<void>;
  /** What was just changed is in the picture. */
  seen(): Promise<void>;
  /** All that was set at once, put back or made again before has reached its rows. */
  whenApplied(): Promise<void>;
  cancelSave(): void;
  discard(): void;
  newFilter(name: FilterName, onChange: () => void): FilterOfItems;
  /** Opens the dialog that imports and exports lists. */
  openLists(): Promise<void>;
  /** Opens the dialog with the history of all items. */
  openHistory(): Promise<void>;
  /** Opens the dialog that asks until when these items are unavailable. */
  openSchedule(ids: readonly ItemId[], options?: ScheduleOptions): Promise<void>;
  /** Opens one of the dialogs. */
  withDialogs(open: (dialogs: DialogsOfEditor) => void): void;
}

/** `outcome-announcer.ts`: what a person has to look at, in words; empty: nothing. */
export interface ProblemsOfItems {
  readonly problemText: string;
  /** That they have tried again in vain, and when: a press that seems to do nothing has to be told. */
  readonly inVain: string;
  /** They try again what has failed. */
  retries(): void;
}

export type SignOutChoice = 'send' | 'delete' | 'stay';

/** `dialogs/editor-dialogs.ts`: the dialogs. */
export interface DialogsOfEditor {
  readonly tools: ToolsOfEditor;
  keys(): void;
  details(position: Position): void;
  bulk(available: boolean): void;
  /** Closes everything or one group, or opens exactly that again. */
  setAll(available: boolean, group?: string): void;
  queue(): void;
  conflicts(): void;
  /** @param unsaved how many drafts there are, whenever it is drawn */
  signOut(unsent: number, unsaved: () => number, answer: (choice: SignOutChoice) => void): void;
  /** A dialog of a part that is loaded later. @param onEnd when it closes */
  show(view: () => DialogView | undefined, onEnd: () => void): void;
  retryFailed(): void;
  /** Sends an edit that needs attention once more, as a new edit, where the host lets it. */
  retry(id: ItemId): Promise<void>;
  /** Gives an edit up, or says in the dialog that it could not be. */
  discard(id: ItemId): Promise<void>;
  /** The first positions of a filter, and how many there are. */
  listed(name: FilterName): { readonly positions: readonly Position[]; readonly count: number };
  eachOf(name: FilterName, act: (position: Position) => Promise<void> | void): Promise<void>;
  dismiss(): void;
  /**
   * Hides the dialog at once, and closes it after the next frame: closing makes the browser restyle the whole page.
   * @returns `false`: it is leaving already, and what was pressed is pressed twice
   */
  leave(): boolean;
  update(): void;
  /** Follows its size in the document where the editor is now. */
  observe(): void;
  close(): void;
}

/** One dialog. */
export interface DialogView {
  readonly title: string;
  readonly body: TemplateResult;
  readonly choices: TemplateResult | typeof nothing;
}
