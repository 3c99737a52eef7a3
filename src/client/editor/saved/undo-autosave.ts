import type { RowChange, Step } from '../../../domain/undo-history.js';
import type { ItemId } from '../../../domain/item.js';
import { newEditId } from '../../storage/edit-id.js';
import { NativePromise } from '../../storage/native-promise.js';
import { isProvisional } from '../../storage/queue-owner.js';
import { type StepKey, type StoredStep, UndoStepTable } from '../../storage/undo-step-table.js';
import type { ItemDraft } from '../draft.js';
import type { EditorStore } from '../editor-types.js';
import { whenRead } from '../item-list.js';
import { isChanged } from '../row-state.js';

/**
 * Stores saved steps, so that undo works after a reload. Its promises:
 *
 * - The stored steps are those that undo would revert: a step is added when its edits are stored, and deleted when it
 *   is undone.
 * - A step is restored only if this list has all of its items, and below the steps that were made since.
 * - Steps belong to the person who made them, and are deleted when that person signs out.
 * - The table is bounded in steps, rows and age (`undo-step-table.ts`).
 *
 * Undo itself checks each row: a value that another person or another tab has changed since stays (`bulk-edit.ts`).
 */
export class UndoAutosave {
  readonly #draft: ItemDraft;
  readonly #store: EditorStore;
  readonly #onChange: () => void;
  readonly #onRestoredStep: () => void;
  readonly #db = new UndoStepTable();
  readonly #unsubscribe: () => void;
  /**
   * The stored steps of this list. The key contains the number of stored rows: after a cancelled save, a step is stored
   * again once its other rows are saved.
   */
  readonly #stored = new Map<Step, StepKey>();
  #owner: string;
  #isLoaded = false;
  #lastTime = 0;
  #hasWarned = false;
  #work: Promise<void> = NativePromise.resolve();

  /** @param onRestoredStep called after an undo or redo of a step of an earlier page */
  constructor(
    draft: ItemDraft,
    store: EditorStore,
    onChange: () => void,
    onRestoredStep: () => void = () => undefined,
  ) {
    this.#draft = draft;
    this.#store = store;
    this.#onChange = onChange;
    this.#onRestoredStep = onRestoredStep;
    this.#owner = store.snapshot.owner;
    draft.onSaved = () => void this.#next(() => this.#write());
    this.#unsubscribe = store.subscribe((changed) => {
      if (changed === undefined) this.#onSnapshot();
    });
    this.#onSnapshot();
  }

  /** Resolves when all changes so far are written, or storage has failed. */
  get settled(): Promise<void> {
    return this.#work;
  }

  close(): void {
    this.#unsubscribe();
    void this.#work.then(() => void this.#db.close());
  }

  #onSnapshot(): void {
    const { owner, problem, status } = this.#store.snapshot;
    const before = this.#owner;
    if (owner !== before) {
      this.#owner = owner;
      this.#isLoaded = false;
      if (isProvisional(before)) void this.#next(() => this.#claim(before, owner));
      else {
        this.#stored.clear();
        // After a sign-out the owner is anonymous, and a sign-out deletes the steps. If another person has signed in, the
        // steps stay for the person who may return.
        if (isProvisional(owner)) void this.#next(() => this.#db.remove(before));
      }
    } else if (problem === 'signed_out' && isProvisional(owner)) {
      // The person has signed out before the proxy had named them.
      this.#draft.clearHistory();
      this.#stored.clear();
      void this.#next(() => this.#db.remove(owner));
    }
    // While the store loads, items that only the proxy knows may be missing.
    if (this.#isLoaded || status === 'loading' || status === 'signed-out') return;
    this.#isLoaded = true;
    void this.#next(() => this.#load(owner));
  }

  async #claim(anonymous: string, owner: string): Promise<void> {
    await this.#db.move(anonymous, owner);
    for (const [step, [, ...rest]] of this.#stored) this.#stored.set(step, [owner, ...rest]);
  }

  async #load(owner: string): Promise<void> {
    const { table } = this.#draft;
    const { sessionEpoch } = table;
    await whenRead(table);
    const storedKeys = new Set([...this.#stored.values()].map(String));
    const found = (await this.#db.read(owner)).filter(([key]) => !storedKeys.has(String(key)));
    if (owner !== this.#owner || sessionEpoch !== table.sessionEpoch) return;
    const steps: Step[] = [];
    for (const [key, stored] of found) {
      const step = this.#toStep(stored);
      if (step === undefined) continue;
      this.#stored.set(step, key);
      steps.push(step);
    }
    if (steps.length === 0) return;
    this.#draft.prependSteps(steps);
    this.#onChange();
  }

  /** @returns `undefined` if this list lacks one of its items */
  #toStep(stored: StoredStep): Step | undefined {
    const { table } = this.#draft;
    const changes: RowChange[] = [];
    for (const { shown, wanted, ids } of stored)
      for (const id of ids) {
        const itemIndex = table.findItemIndex(id);
        if (itemIndex === undefined || !table.isRow(itemIndex)) return undefined;
        changes.push({ itemIndex, shown, draft: undefined, wanted });
      }
    return { changes, onUndoRedo: this.#onRestoredStep };
  }

  async #write(): Promise<void> {
    const owner = this.#owner;
    const saved = new Set(this.#draft.savedSteps);
    const gone: StepKey[] = [];
    const added: [StepKey, StoredStep][] = [];
    for (const [step, key] of this.#stored) {
      if (saved.has(step)) continue;
      gone.push(key);
      this.#stored.delete(step);
    }
    for (const step of saved) {
      const before = this.#stored.get(step);
      if (before?.[2] === step.changes.length) continue;
      const groups = this.#toGroups(step);
      const count = groups.reduce((sum, { ids }) => sum + ids.length, 0);
      if (count === (before?.[2] ?? 0)) continue;
      if (before !== undefined) gone.push(before);
      const key: StepKey = [owner, before?.[1] ?? this.#nextTime(), count, newEditId()];
      added.push([key, groups]);
      this.#stored.set(step, key);
    }
    if (gone.length + added.length > 0) await this.#db.write(owner, added, gone);
  }

  /** Groups the rows of a step by value, without the rows that are still drafts. */
  #toGroups({ changes }: Step): StoredStep {
    const { table } = this.#draft;
    const groups = new Map<string, { shown: boolean | undefined; wanted: boolean; ids: ItemId[] }>();
    for (const { itemIndex, shown, wanted } of changes) {
      const row = table.at(itemIndex);
      if (row === undefined || isChanged(row)) continue;
      const name = `${String(shown)} ${String(wanted)}`;
      const group = groups.get(name) ?? { shown, wanted, ids: [] };
      groups.set(name, group);
      group.ids.push(row.id);
    }
    return [...groups.values()];
  }

  /** The present time, or one millisecond after the last one, so that two steps keep their order. */
  #nextTime(): number {
    return (this.#lastTime = Math.max(Date.now(), this.#lastTime + 1));
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      if (!this.#hasWarned) console.warn('vendor-inventory-widget: the browser does not store undo steps.', error);
      this.#hasWarned = true;
    });
    return this.#work;
  }
}
