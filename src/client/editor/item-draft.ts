import { listOf, type BitSet } from '../../domain/bit-set.js';
import { DraftHistory, ofRow, perRow, type PerRow, type Step, type Turn } from '../../domain/draft.js';
import { codeOf, isChanged, NONE, shownIn, STAND, valueIn, wishIn, type Code } from '../../domain/stand.js';
import type { DraftOptions } from './draft-options.js';
import type {
  BulkPreview,
  DraftOfItems,
  EditorStore,
  Position,
  Rows,
  SaveProgress,
  SaveResult,
  UndoResult,
} from './editor-types.js';
import { planBulk, type BulkPlan } from './bulk-plan.js';
import { MET } from './item-bits.js';
import { compensations, edits, type Compensated } from './item-edits.js';
import type { ItemTable } from './item-table.js';
import { ItemWishes, type Ground } from './item-wishes.js';
import { MANY } from './row-audience.js';
import { whenIdle } from '../browser/idle-work.js';

/** Rows that are handed over before the next look at whether the person has cancelled. */
const CHUNK = 500;

/**
 * What a person does to the items of a table: wishes that wait for save, or edits at once, with one history for both.
 * `domain/draft.ts` says what that means; here it meets the store.
 *
 * Only rows that a person has changed are ever handed over. A row that somebody else spoke of since the person looked is
 * held back until the person has said which value it shall be.
 */
export class ItemDraft implements DraftOfItems {
  mode: 'manual' | 'auto';
  readonly table: ItemTable;
  readonly wishes: ItemWishes;
  readonly #store: EditorStore;
  readonly #options: DraftOptions;
  readonly #history = new DraftHistory();
  readonly #leave: () => void;
  #person: number;
  #saving: Promise<SaveResult> | undefined;
  /** What is handed over at once, put back or made again: one step after the other. */
  turning: Promise<unknown> | undefined;
  /** What the person was told that a press would do, and what that depends on. */
  #planned: { readonly plan: BulkPlan; readonly key: readonly unknown[] } | undefined;

  constructor(table: ItemTable, store: EditorStore, options: DraftOptions) {
    this.mode = options.mode;
    this.table = table;
    this.#store = store;
    this.#options = options;
    this.wishes = new ItemWishes(table, options.pace ?? whenIdle);
    this.#person = table.person;
    this.#leave = table.subscribe(() => {
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
    const row = this.table.row(position);
    const code = codeOf(available);
    if (!row?.mayEdit || shownIn(this.table.states.at(position)) === code) return;
    const rows = Uint32Array.of(position);
    this.#record(rows, code);
    this.wishes.set(rows, this.mode === 'manual' ? code : NONE);
    this.table.tell(position);
    if (this.mode === 'manual') return;
    this.#history.markSaved();
    await this.#store.set(row.view.id, available);
  }

  async setSelected(selection: Rows, available: boolean, onTurn?: Step['onTurn']): Promise<BulkPreview> {
    const code = codeOf(available);
    const plan = this.#plan(selection, available);
    const { rows, before, preview } = plan;
    this.#planned = undefined;
    if (preview.change === 0) return preview;
    this.#history.record({ rows: rows.packed(), before, after: code, onTurn });
    this.wishes.take(plan);
    this.table.tell(MANY);
    if (this.mode === 'auto') {
      this.#history.markSaved();
      const wanted = edits(this.table, rows.list(), () => code);
      await this.#inTurn(() => this.#options.setMany(this.#store, wanted));
    }
    return preview;
  }

  preview(selection: Rows, available: boolean): BulkPreview {
    return this.#plan(selection, available).preview;
  }

  changing(selection: Rows, available: boolean): Pick<BitSet, 'list'> {
    return this.#plan(selection, available).rows;
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
    const wished = this.wishes.rows((bits) => wishIn(bits) !== NONE);
    this.wishes.set(wished, NONE);
    this.#history.dropUnsaved();
    this.table.tell(undefined);
  }

  resolve(position: Position, keep: 'mine' | 'theirs'): void {
    if (keep === 'mine') this.wishes.keep(position);
    else this.wishes.set(Uint32Array.of(position), NONE);
    this.table.tell(position);
  }

  /** Wishes of an earlier page, as one step. @param ground what each stands on */
  restore(rows: Uint32Array, wishes: PerRow, ground: readonly Ground[]): void {
    this.#record(rows, wishes);
    this.wishes.set(rows, wishes, ground);
    this.table.tell(undefined);
  }

  close(): void {
    this.#leave();
    this.wishes.close();
  }

  #plan(selection: Rows, available: boolean): BulkPlan {
    const { table, mode } = this;
    const key = [selection, selection.version, available, mode, table.states.version, this.#store.snapshot];
    const known = this.#planned;
    if (known !== undefined && key.every((part, at) => part === known.key[at])) return known.plan;
    const code = codeOf(available);
    const plan = planBulk(table, selection.rows(), code, mode === 'manual' ? code : NONE);
    this.#planned = { plan, key };
    return plan;
  }

  #record(rows: Uint32Array, after: PerRow): void {
    const before = new Uint8Array(rows.length);
    rows.forEach((position, at) => {
      before[at] = this.table.states.at(position) & STAND;
    });
    this.#history.record({ rows, before: perRow(before), after });
  }

  async #take(turn: Turn | undefined, isBack: boolean): Promise<UndoResult> {
    if (turn === undefined) return { changed: 0, skipped: 0 };
    const { rows, before, after, onTurn, unsent } = turn.step;
    const positions = listOf(rows);
    const [from, to] = isBack ? [after, before] : [before, after];
    const wishes = new Uint8Array(rows.length);
    const [unsaved, saved]: [Position[], number[]] = [[], []];
    const { states } = this.table;
    positions.forEach((position, at) => {
      // What a save has held back or not come to is a wish still.
      if (turn.wasSaved && !isChanged(states.at(position)) && !unsent?.has(position)) saved.push(at);
      else {
        wishes[unsaved.length] = isBack ? wishIn(ofRow(to, at)) : ofRow(to, at);
        unsaved.push(position);
      }
    });
    // What the store has not becomes a wish again, and no edit: nobody has sent it, and the person may have given it up.
    const notThere = (position: Position, at: number) => valueIn(states.at(position)) !== shownIn(ofRow(after, at));
    turn.step.unsent = isBack && this.mode === 'manual' ? new Set(positions.filter(notThere)) : undefined;
    this.wishes.set(Uint32Array.from(unsaved), wishes);
    this.table.tell(undefined);
    if (saved.length === 0) {
      onTurn?.(isBack);
      return { changed: unsaved.length, skipped: 0 };
    }
    const result: Compensated = { changed: unsaved.length, skipped: 0, firsts: [] };
    const taken = await this.#inTurn(async () => {
      const wanted = compensations(this.table, { positions, saved, from, to, isBack }, this.#options.mayChange, result);
      await this.#options.setMany(this.#store, wanted);
      const { changed, skipped, firsts } = result;
      // What the person has wished meanwhile is newer, and stays.
      const same = firsts.filter(({ id, updated_at }) => updated_at === this.#store.view(id).updated_at);
      const gone = await this.#options.withdraw(same.map(({ id }) => id));
      // The host may have refused all of it.
      if (changed + gone > 0) onTurn?.(isBack);
      return { changed: changed + gone, skipped: skipped + firsts.length - gone };
    });
    return taken ?? result;
  }

  /** At once, where nothing was before it; not at all, where somebody else is there by then. */
  #inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    const person = this.#person;
    const begin = async () => (person === this.#person ? work() : undefined);
    return (this.turning = this.turning?.then(begin, begin) ?? begin());
  }

  async #save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult> {
    const rows = this.wishes.rows();
    const total = { saved: 0, held: 0 };
    this.#history.markSaved();
    let done = 0;
    for (; done < rows.length && signal?.aborted !== true; done += CHUNK) {
      await this.#saveSome(rows.subarray(done, done + CHUNK), total);
      onProgress?.({ saved: total.saved, of: rows.length });
    }
    return { ...total, left: Math.max(rows.length - done, 0) };
  }

  async #saveSome(rows: Uint32Array, total: { saved: number; held: number }): Promise<void> {
    const { states } = this.table;
    const person = this.#person;
    // What the person has taken back meanwhile is no wish any more.
    const changed = rows.filter((position) => isChanged(states.at(position)));
    const ready = changed.filter((position) => (states.at(position) & MET) === 0 && this.table.row(position)?.mayEdit);
    const wishes = Uint8Array.from(ready, (position) => wishIn(states.at(position)));
    const wanted = edits(this.table, ready, (at) => wishes[at] as Code);
    await this.#options.setMany(this.#store, wanted);
    if (person !== this.#person) return;
    total.saved += ready.length;
    total.held += changed.length - ready.length;
    // Who has clicked once more meanwhile has another wish.
    const kept = ready.filter((position, at) => wishIn(states.at(position)) === wishes[at]);
    this.wishes.set(kept, NONE);
    this.table.tell(undefined);
  }
}
