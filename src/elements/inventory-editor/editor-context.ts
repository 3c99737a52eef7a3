import type { TemplateResult, nothing } from 'lit';
import type {
  ClosingsOfItems,
  DraftOfItems,
  FilterName,
  FilterOfItems,
  KeeperOfDrafts,
  MayChange,
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
}

/** `schedules/schedule-part.ts`: "unavailable until ...". */
export interface SchedulesOfEditor {
  open(tools: ToolsOfEditor, ids: readonly ItemId[], onDone?: () => void): void;
}

/** `dialogs/history/history-part.ts`: who changed what. */
export interface HistoryOfEditor {
  /** @param onChange when it has to be drawn again */
  ofItem(tools: ToolsOfEditor, id: ItemId, onChange: () => void): HistoryOfItem;
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
  /** Nobody may change anything: readonly, disabled, or a person who may only look. */
  readonly locked: boolean;
  readonly mode: 'manual' | 'auto';
  readonly mayChange: MayChange;
  /** Politely, to who cannot see. */
  announce(text: string): void;
  /** Draws what is not a row anew. */
  requestUpdate(): void;
  /** Loads what imports and exports lists. @throws where the network has lost it */
  loadLists(): Promise<ListsOfEditor>;
  /** Loads what asks until when items are unavailable. @throws where the network has lost it */
  loadSchedules(): Promise<SchedulesOfEditor>;
  /** Loads what reads and draws the history. @throws where the network has lost it */
  loadHistory(): Promise<HistoryOfEditor>;
  /** Another script with items stands inside the element, or its text is another. */
  readChildren(): void;
}

/** `editor-controller.ts`, as its bars, its keys and the dialogs see it. */
export interface ToolsOfEditor {
  readonly context: EditorContext;
  readonly filter: FilterOfItems;
  readonly selection: SelectionOfItems;
  readonly draft: DraftOfItems;
  readonly keeper: KeeperOfDrafts;
  readonly closings: ClosingsOfItems;
  readonly wanted: Query;
  readonly groups: ItemGroups;
  readonly grouped: GroupedOrder;
  /** Collapses a group, or shows its items again. */
  fold(group: string): void;
  readonly aloud: TroubleOfItems;
  /** What the last press could not do; empty: nothing, or the person has read it. */
  leftAlone: string;
  /** While a save is on its way. */
  readonly progress: SaveProgress | undefined;
  /** What is listed now, with the headings of groups. `filter.order` has all items that match, and no headings. */
  readonly order: RowOrder;
  find(wanted: Partial<Query>): void;
  focusSearch(): void;
  select(place: Place, range: boolean): void;
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
  untilTurned(): Promise<void>;
  cancelSave(): void;
  discard(): void;
  newFilter(name: FilterName, onChange: () => void): FilterOfItems;
  /** Opens the dialog that imports and exports lists. */
  openLists(): Promise<void>;
  /** Opens the dialog that asks until when these items are unavailable. @param onDone when that is set */
  openSchedule(ids: readonly ItemId[], onDone?: () => void): Promise<void>;
  /** Opens one of the dialogs. */
  panel(open: (panels: PanelsOfEditor) => void): void;
}

/** `outcome-announcer.ts`: what a person has to look at, in words; empty: nothing. */
export interface TroubleOfItems {
  readonly trouble: string;
  /** That they have tried again in vain, and when: a press that seems to do nothing has to be told. */
  readonly inVain: string;
  /** They try again what has failed. */
  retries(): void;
}

export type SignOutChoice = 'send' | 'delete' | 'stay';

/** `dialogs/editor-dialogs.ts`: the dialogs. */
export interface PanelsOfEditor {
  readonly tools: ToolsOfEditor;
  keys(): void;
  details(position: Position): void;
  bulk(available: boolean): void;
  /** Closes everything or one group, or opens exactly that again. */
  turnAll(available: boolean, group?: string): void;
  queue(): void;
  conflicts(): void;
  /** @param unsaved how many drafts there are, whenever it is drawn */
  signOut(unsent: number, unsaved: () => number, answer: (choice: SignOutChoice) => void): void;
  /** A dialog of a part that is loaded later. @param onEnd when it closes */
  show(view: () => PanelView | undefined, onEnd: () => void): void;
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
   * Out of sight at once, and closed when what was done can be seen: all that is on the page is styled anew when a dialog closes.
   * @returns `false`: it is leaving already, and what was pressed is pressed twice
   */
  leave(): boolean;
  update(): void;
  /** Follows its size in the document where the editor is now. */
  observe(): void;
  close(): void;
}

/** One dialog. */
export interface PanelView {
  readonly title: string;
  readonly body: TemplateResult;
  readonly choices: TemplateResult | typeof nothing;
}
