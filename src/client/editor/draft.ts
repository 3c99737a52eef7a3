import { type RowChange, type Step, type CursorMove, UndoHistory } from '../../domain/undo-history.js';
import { type EditId, isClosingId, toClosingId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { newEditId } from '../storage/edit-id.js';
import type { EditRequest } from '../store/create-edits.js';
import { DraftChanges, type DraftRow } from './draft-changes.js';
import { type CompensationResult, createCompensations, setMany } from './bulk-edit.js';
import type {
  BulkPreview,
  DraftOfItems,
  EditorStore,
  ConfirmChange,
  ItemIndex,
  Rows,
  RowValue,
  SaveProgress,
  SaveResult,
  UndoResult,
} from './editor-types.js';
import { type ItemList, MANY } from './item-list.js';
import { isChanged, shownValue } from './row-state.js';

/** A save checks for cancellation after this many rows. */
const CHUNK = 500;

/** Options that the editor gives to its draft. */
export interface DraftOptions {
  readonly mode: 'manual' | 'auto';
  /** Removes edits that were not sent. Resolves to how many it removed. */
  readonly withdraw: (ids: readonly ItemId[]) => Promise<number>;
  /** Whether the host allows the changes of an undo or redo of a saved step. */
  readonly confirmChange: ConfirmChange;
}

/**
 * The changes that a person makes to the items of a list: drafts that wait for "Save", or edits that are sent at once.
 * Both share one undo history.
 *
 * Only rows that the person changed are sent. A draft that conflicts with a change by another person is held back until
 * the person has chosen a value.
 */
export class ItemDraft implements DraftOfItems {
  mode: 'manual' | 'auto';
  readonly table: ItemList;
  readonly changes: DraftChanges;
  readonly #store: EditorStore;
  readonly #options: DraftOptions;
  readonly #history = new UndoHistory();
  readonly #unsubscribe: () => void;
  #sessionEpoch: number;
  #saving: Promise<SaveResult> | undefined;
  /** The change sets of drafts that a save has begun to send. */
  readonly #changeSets = new Map<ItemIndex, EditId | undefined>();
  /** Called after the store has accepted a step, and after an undo or redo. */
  onSaved: () => void = () => undefined;
  /** The last step that writes to the store. These steps run one after the other. */
  applying: Promise<unknown> | undefined;

  constructor(table: ItemList, store: EditorStore, options: DraftOptions) {
    this.mode = options.mode;
    this.table = table;
    this.#store = store;
    this.#options = options;
    this.changes = new DraftChanges(table);
    this.#sessionEpoch = table.sessionEpoch;
    this.#unsubscribe = table.subscribe(() => {
      if (this.#sessionEpoch === table.sessionEpoch) return;
      this.#sessionEpoch = table.sessionEpoch;
      this.#history.forget();
    });
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  async set(itemIndex: ItemIndex, available: boolean): Promise<void> {
    const row = this.table.isRow(itemIndex) ? this.table.at(itemIndex) : undefined;
    if (row === undefined || !this.#store.canEdit(row.id) || shownValue(row) === available) return;
    this.#draft([{ itemIndex, available }]);
    this.table.notify(itemIndex);
    if (this.mode !== 'auto') return;
    await this.#store.set(row.id, available);
    this.onSaved();
  }

  async setSelected(selection: Rows, available: boolean, step: StepOptions = {}): Promise<BulkPreview> {
    const { itemIndexes, preview } = this.#plan(selection, available);
    await this.setEach(
      itemIndexes.map((itemIndex) => ({ itemIndex, available })),
      step,
    );
    return preview;
  }

  async setEach(rows: readonly RowValue[], step: StepOptions = {}): Promise<void> {
    if (rows.length === 0) return;
    const changeSet = this.#draft(rows, step);
    this.table.notify(MANY);
    if (this.mode !== 'auto') return;
    const wanted = rows.flatMap(({ itemIndex, available }) => this.#toRequests(itemIndex, available, changeSet));
    await this.#enqueue(() => setMany(this.#store, wanted));
    this.onSaved();
  }

  preview(selection: Rows, available: boolean): BulkPreview {
    return this.#plan(selection, available).preview;
  }

  changing(selection: Rows, available: boolean): readonly ItemIndex[] {
    return this.#plan(selection, available).itemIndexes;
  }

  undo(): Promise<UndoResult> {
    return this.#apply(this.#history.undo(), true);
  }

  redo(): Promise<UndoResult> {
    return this.#apply(this.#history.redo(), false);
  }

  /** Joins a save that is still running instead of starting another one. */
  save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult> {
    this.#saving ??= this.#save(onProgress, signal).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  discard(): void {
    this.changes.clear();
    this.#history.dropUnsaved();
    this.table.notify(undefined);
  }

  resolve(itemIndex: ItemIndex, keep: 'mine' | 'theirs'): void {
    if (keep === 'mine') this.changes.keep(itemIndex);
    else this.changes.set([{ itemIndex, wanted: undefined }]);
    this.table.notify(itemIndex);
  }

  /** Restores drafts of an earlier page as one step. */
  restore(rows: readonly (DraftRow & { readonly wanted: boolean })[]): void {
    const changes = rows.map(({ itemIndex, wanted }) => this.#change(itemIndex, wanted));
    this.#history.record({ changes, changeSet: changeSetOf(rows) });
    this.changes.set(rows);
    this.table.notify(undefined);
  }

  /** Saved steps that undo would revert, the oldest first. */
  get savedSteps(): readonly Step[] {
    return this.#history.saved;
  }

  /** Adds steps that an earlier page of this person saved. */
  prependSteps(steps: readonly Step[]): void {
    this.#history.prepend(steps);
  }

  clearHistory(): void {
    this.#history.forget();
  }

  close(): void {
    this.#unsubscribe();
    this.changes.close();
  }

  /** Finds the selected rows whose value would change, and counts the others. */
  #plan(selection: Rows, available: boolean): { itemIndexes: ItemIndex[]; preview: BulkPreview } {
    const itemIndexes: ItemIndex[] = [];
    let [same, locked] = [0, 0];
    const canEditAll = this.#store.canEdit();
    for (const itemIndex of selection.rows()) {
      const row = this.table.at(itemIndex);
      if (row !== undefined && shownValue(row) === available) same += 1;
      else if (row !== undefined && (canEditAll || this.#store.canEdit(row.id))) itemIndexes.push(itemIndex);
      else locked += 1;
    }
    return { itemIndexes, preview: { change: itemIndexes.length, same, locked } };
  }

  /** Records a step and sets its drafts. In `auto` mode the rows get no draft and show the values of the store. */
  #draft(
    rows: readonly RowValue[],
    { onUndoRedo, changeSet = changeSetOf(rows) }: StepOptions = {},
  ): EditId | undefined {
    this.#history.record({
      changes: rows.map(({ itemIndex, available }) => this.#change(itemIndex, available)),
      changeSet,
      onUndoRedo,
    });
    const isDraft = this.mode === 'manual';
    this.changes.set(rows.map(({ itemIndex, available }) => ({ itemIndex, wanted: isDraft ? available : undefined })));
    if (this.mode === 'auto') this.#history.markSaved();
    return changeSet;
  }

  #change(itemIndex: ItemIndex, wanted: boolean): RowChange {
    const row = this.table.at(itemIndex);
    return { itemIndex, shown: row && shownValue(row), draft: row?.draft?.available, wanted };
  }

  #toRequests(itemIndex: ItemIndex, available: boolean, changeSet: EditId | undefined): EditRequest[] {
    const id = this.table.idAt(itemIndex);
    return id === undefined ? [] : [{ id, available, changeSet }];
  }

  async #apply(move: CursorMove | undefined, isUndo: boolean): Promise<UndoResult> {
    if (move === undefined) return { changed: 0, skipped: 0 };
    const { step } = move;
    const { changes, changeSet: before, onUndoRedo, unsent } = step;
    const isRedoneClosing = !isUndo && before !== undefined && isClosingId(before);
    const saved: RowChange[] = [];
    const unsaved: DraftRow[] = [];
    for (const change of changes) {
      const { itemIndex, draft, wanted } = change;
      const row = this.table.at(itemIndex);
      const isDrafted = row !== undefined && isChanged(row);
      // A row that a save held back or did not reach is still a draft.
      if (move.wasSaved && !isDrafted && !unsent?.has(itemIndex)) saved.push(change);
      else unsaved.push({ itemIndex, wanted: isUndo ? draft : wanted });
    }
    // A redo makes these rows drafts and not edits: their value was not sent, and the person may have discarded it.
    const notSent = changes.filter(({ itemIndex, wanted }) => this.table.at(itemIndex)?.value !== wanted);
    step.unsent = isUndo && this.mode === 'manual' ? new Set(notSent.map(({ itemIndex }) => itemIndex)) : undefined;
    this.changes.set(unsaved);
    this.table.notify(undefined);
    if (saved.length === 0) {
      onUndoRedo?.(isUndo);
      this.onSaved();
      return { changed: unsaved.length, skipped: 0 };
    }
    const result: CompensationResult = { changed: unsaved.length, skipped: 0, firstValues: [] };
    const applied = await this.#enqueue(async () => {
      const { confirmChange } = this.#options;
      const changeSet = isRedoneClosing ? toClosingId(newEditId()) : changeSetOf(saved);
      const edits = createCompensations(this.table, saved, isUndo, confirmChange, result, changeSet);
      await setMany(this.#store, edits);
      const { changed, skipped, firstValues } = result;
      // A value that the person set in between is newer, so it stays.
      const unchanged = firstValues.filter(({ id, updated_at }) => updated_at === this.#store.view(id).updated_at);
      const withdrawn = await this.#options.withdraw(unchanged.map(({ id }) => id));
      // The host may have refused all changes.
      if (changed + withdrawn > 0) onUndoRedo?.(isUndo);
      return { changed: changed + withdrawn, skipped: skipped + firstValues.length - withdrawn };
    });
    this.onSaved();
    return applied ?? result;
  }

  /** Runs the work at once, or after the step that is running. Skips it if another person has signed in by then. */
  #enqueue<T>(work: () => Promise<T>): Promise<T | undefined> {
    const sessionEpoch = this.#sessionEpoch;
    const begin = async () => (sessionEpoch === this.#sessionEpoch ? work() : undefined);
    return (this.applying = this.applying?.then(begin, begin) ?? begin());
  }

  async #save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult> {
    const itemIndexes = this.changes.findItemIndexes();
    const total = { saved: 0, held: 0 };
    this.#readChangeSets();
    this.#history.markSaved();
    let done = 0;
    for (; done < itemIndexes.length && signal?.aborted !== true; done += CHUNK) {
      await this.#saveChunk(itemIndexes.slice(done, done + CHUNK), total);
      onProgress?.({ saved: total.saved, of: itemIndexes.length });
    }
    return { ...total, left: Math.max(itemIndexes.length - done, 0) };
  }

  /** A draft belongs to the last step that changed its row, however many steps one save sends. */
  #readChangeSets(): void {
    for (const { changes, changeSet } of this.#history.unsaved)
      for (const { itemIndex } of changes) this.#changeSets.set(itemIndex, changeSet);
  }

  async #saveChunk(itemIndexes: readonly ItemIndex[], total: { saved: number; held: number }): Promise<void> {
    const sessionEpoch = this.#sessionEpoch;
    const ready: { readonly itemIndex: ItemIndex; readonly available: boolean }[] = [];
    for (const itemIndex of itemIndexes) {
      const { draft, conflict, canEdit } = this.table.row(itemIndex) ?? {};
      // The person may have removed the draft in between.
      if (draft === undefined) continue;
      if (conflict === undefined && canEdit === true && this.table.at(itemIndex)?.draft?.isConflicting !== true)
        ready.push({ itemIndex, available: draft });
      else total.held += 1;
    }
    await setMany(
      this.#store,
      ready.flatMap(({ itemIndex, available }) =>
        this.#toRequests(itemIndex, available, this.#changeSets.get(itemIndex)),
      ),
    );
    if (sessionEpoch !== this.#sessionEpoch) return;
    total.saved += ready.length;
    for (const { itemIndex } of ready) this.#changeSets.delete(itemIndex);
    // A row that was switched again in between has a new draft, which stays.
    const unchanged = ready.filter(
      ({ itemIndex, available }) => this.table.at(itemIndex)?.draft?.available === available,
    );
    this.changes.set(unchanged.map(({ itemIndex }) => ({ itemIndex, wanted: undefined })));
    this.onSaved();
    this.table.notify(undefined);
  }
}

/** What a step has beyond its rows. Without a change set, it gets one of its own. */
type StepOptions = Pick<Step, 'onUndoRedo' | 'changeSet'>;

/** A change of one row needs none. */
function changeSetOf(rows: readonly unknown[]): EditId | undefined {
  return rows.length > 1 ? newEditId() : undefined;
}
