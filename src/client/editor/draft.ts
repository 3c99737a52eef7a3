import { type RowChange, type Step, type Turn, UndoHistory } from '../../domain/undo-history.js';
import type { ItemId } from '../../domain/item.js';
import type { Wish } from '../store/create-edits.js';
import { DraftChanges, type DraftRow } from './draft-changes.js';
import { type Compensated, compensations, setMany } from './bulk-edit.js';
import type {
  BulkPreview,
  DraftOfItems,
  EditorStore,
  MayChange,
  Position,
  Rows,
  RowValue,
  SaveProgress,
  SaveResult,
  UndoResult,
} from './editor-types.js';
import { type ItemList, MANY } from './item-list.js';
import { isChanged, shownValue } from './row-state.js';

/** Rows that are sent before the next look at whether the person has cancelled. */
const CHUNK = 500;

/** What a draft needs of its editor. */
export interface DraftOptions {
  readonly mode: 'manual' | 'auto';
  /** Takes edits back that were not sent. Resolves to how many. */
  readonly withdraw: (ids: readonly ItemId[]) => Promise<number>;
  /** Asked before something that was saved is put back or made again. */
  readonly mayChange: MayChange;
}

/**
 * What a person does to the items of a list: drafts that wait for "Save", or edits at once, with one history for both.
 *
 * Only rows that a person changed are ever sent. A row that another person changed since is held back until the person has
 * chosen a value.
 */
export class ItemDraft implements DraftOfItems {
  mode: 'manual' | 'auto';
  readonly table: ItemList;
  readonly changes: DraftChanges;
  readonly #store: EditorStore;
  readonly #options: DraftOptions;
  readonly #history = new UndoHistory();
  readonly #unsubscribe: () => void;
  #person: number;
  #saving: Promise<SaveResult> | undefined;
  /** Called when the store has taken a step, or one was undone or made again. */
  onSaved: () => void = () => undefined;
  /** What is sent at once, put back or made again: one step after the other. */
  turning: Promise<unknown> | undefined;

  constructor(table: ItemList, store: EditorStore, options: DraftOptions) {
    this.mode = options.mode;
    this.table = table;
    this.#store = store;
    this.#options = options;
    this.changes = new DraftChanges(table);
    this.#person = table.person;
    this.#unsubscribe = table.subscribe(() => {
      if (this.#person === table.person) return;
      this.#person = table.person;
      this.#history.forget();
    });
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  async set(position: Position, available: boolean): Promise<void> {
    const row = this.table.isRow(position) ? this.table.at(position) : undefined;
    if (row === undefined || !this.#store.mayEdit(row.id) || shownValue(row) === available) return;
    this.#draft([{ position, available }]);
    this.table.tell(position);
    if (this.mode !== 'auto') return;
    await this.#store.set(row.id, available);
    this.onSaved();
  }

  async setSelected(selection: Rows, available: boolean, onTurn?: Step['onTurn']): Promise<BulkPreview> {
    const { positions, preview } = this.#plan(selection, available);
    await this.setEach(
      positions.map((position) => ({ position, available })),
      onTurn,
    );
    return preview;
  }

  async setEach(rows: readonly RowValue[], onTurn?: Step['onTurn']): Promise<void> {
    if (rows.length === 0) return;
    this.#draft(rows, onTurn);
    this.table.tell(MANY);
    if (this.mode !== 'auto') return;
    const wanted = rows.flatMap(({ position, available }) => this.#wish(position, available));
    await this.#inTurn(() => setMany(this.#store, wanted));
    this.onSaved();
  }

  preview(selection: Rows, available: boolean): BulkPreview {
    return this.#plan(selection, available).preview;
  }

  changing(selection: Rows, available: boolean): readonly Position[] {
    return this.#plan(selection, available).positions;
  }

  undo(): Promise<UndoResult> {
    return this.#take(this.#history.undo(), true);
  }

  redo(): Promise<UndoResult> {
    return this.#take(this.#history.redo(), false);
  }

  /** While one save is on its way there is no second one. */
  save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult> {
    this.#saving ??= this.#save(onProgress, signal).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  discard(): void {
    this.changes.clear();
    this.#history.dropUnsaved();
    this.table.tell(undefined);
  }

  resolve(position: Position, keep: 'mine' | 'theirs'): void {
    if (keep === 'mine') this.changes.keep(position);
    else this.changes.set([{ position, wanted: undefined }]);
    this.table.tell(position);
  }

  /** Drafts of an earlier page, as one step. */
  restore(rows: readonly (DraftRow & { readonly wanted: boolean })[]): void {
    this.#history.record({ changes: rows.map(({ position, wanted }) => this.#change(position, wanted)) });
    this.changes.set(rows);
    this.table.tell(undefined);
  }

  /** Steps that undo would take back, and that are no drafts: the oldest first. */
  get savedSteps(): readonly Step[] {
    return this.#history.saved;
  }

  /** Steps that an earlier page of this person saved. */
  takeUpSteps(steps: readonly Step[]): void {
    this.#history.prepend(steps);
  }

  forgetSteps(): void {
    this.#history.forget();
  }

  close(): void {
    this.#unsubscribe();
    this.changes.close();
  }

  /** Which of the selected rows would get another value, and how many would not. */
  #plan(selection: Rows, available: boolean): { positions: Position[]; preview: BulkPreview } {
    const positions: Position[] = [];
    let [same, locked] = [0, 0];
    const mayEditAll = this.#store.mayEdit();
    for (const position of selection.rows()) {
      const row = this.table.at(position);
      if (row !== undefined && shownValue(row) === available) same += 1;
      else if (row !== undefined && (mayEditAll || this.#store.mayEdit(row.id))) positions.push(position);
      else locked += 1;
    }
    return { positions, preview: { change: positions.length, same, locked } };
  }

  /** Records a step and drafts it; where edits are sent at once, the rows wait for the store's word. */
  #draft(rows: readonly RowValue[], onTurn?: Step['onTurn']): void {
    this.#history.record({ changes: rows.map(({ position, available }) => this.#change(position, available)), onTurn });
    const isDraft = this.mode === 'manual';
    this.changes.set(rows.map(({ position, available }) => ({ position, wanted: isDraft ? available : undefined })));
    if (this.mode === 'auto') this.#history.markSaved();
  }

  #change(position: Position, wanted: boolean): RowChange {
    const row = this.table.at(position);
    return { position, shown: row && shownValue(row), draft: row?.draft?.available, wanted };
  }

  #wish(position: Position, available: boolean): Wish[] {
    const id = this.table.idAt(position);
    return id === undefined ? [] : [{ id, available }];
  }

  async #take(turn: Turn | undefined, isBack: boolean): Promise<UndoResult> {
    if (turn === undefined) return { changed: 0, skipped: 0 };
    const { step } = turn;
    const { changes, onTurn, unsent } = step;
    const saved: RowChange[] = [];
    const unsaved: DraftRow[] = [];
    for (const change of changes) {
      const { position, draft, wanted } = change;
      const row = this.table.at(position);
      const isDrafted = row !== undefined && isChanged(row);
      // What a save has held back or not come to is a draft still.
      if (turn.wasSaved && !isDrafted && !unsent?.has(position)) saved.push(change);
      else unsaved.push({ position, wanted: isBack ? draft : wanted });
    }
    // What the store has not becomes a draft again, and no edit: it was not sent, and the person may have given it up.
    const notThere = changes.filter(({ position, wanted }) => this.table.at(position)?.value !== wanted);
    step.unsent = isBack && this.mode === 'manual' ? new Set(notThere.map(({ position }) => position)) : undefined;
    this.changes.set(unsaved);
    this.table.tell(undefined);
    if (saved.length === 0) {
      onTurn?.(isBack);
      this.onSaved();
      return { changed: unsaved.length, skipped: 0 };
    }
    const result: Compensated = { changed: unsaved.length, skipped: 0, firsts: [] };
    const taken = await this.#inTurn(async () => {
      await setMany(this.#store, compensations(this.table, saved, isBack, this.#options.mayChange, result));
      const { changed, skipped, firsts } = result;
      // What the person set in between is newer, and stays.
      const same = firsts.filter(({ id, updated_at }) => updated_at === this.#store.view(id).updated_at);
      const gone = await this.#options.withdraw(same.map(({ id }) => id));
      // The host may have refused all of it.
      if (changed + gone > 0) onTurn?.(isBack);
      return { changed: changed + gone, skipped: skipped + firsts.length - gone };
    });
    this.onSaved();
    return taken ?? result;
  }

  /** Begins at once where nothing is under way, and never once another person is there. */
  #inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    const person = this.#person;
    const begin = async () => (person === this.#person ? work() : undefined);
    return (this.turning = this.turning?.then(begin, begin) ?? begin());
  }

  async #save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult> {
    const positions = this.changes.positions();
    const total = { saved: 0, held: 0 };
    this.#history.markSaved();
    let done = 0;
    for (; done < positions.length && signal?.aborted !== true; done += CHUNK) {
      await this.#saveSome(positions.slice(done, done + CHUNK), total);
      onProgress?.({ saved: total.saved, of: positions.length });
    }
    return { ...total, left: Math.max(positions.length - done, 0) };
  }

  async #saveSome(positions: readonly Position[], total: { saved: number; held: number }): Promise<void> {
    const person = this.#person;
    const ready: { readonly position: Position; readonly available: boolean }[] = [];
    for (const position of positions) {
      const { draft, met, mayEdit } = this.table.row(position) ?? {};
      // What the person took back in between is no draft any more.
      if (draft === undefined) continue;
      if (met === undefined && mayEdit === true && this.table.at(position)?.draft?.met !== true)
        ready.push({ position, available: draft });
      else total.held += 1;
    }
    await setMany(
      this.#store,
      ready.flatMap(({ position, available }) => this.#wish(position, available)),
    );
    if (person !== this.#person) return;
    total.saved += ready.length;
    // A row that was pressed once more in between has another draft.
    const kept = ready.filter(({ position, available }) => this.table.at(position)?.draft?.available === available);
    this.changes.set(kept.map(({ position }) => ({ position, wanted: undefined })));
    this.onSaved();
    this.table.tell(undefined);
  }
}
