import type { EditId } from './edit.js';

/**
 * The changes that a person made to a list of rows, one step after the other, and a cursor between two steps. Undo moves
 * the cursor back, redo moves it forward.
 *
 * - Saving does not end the history. A saved step is undone by a further edit, and only in rows that no other person
 *   changed since. A first value can be undone until it is sent, and no longer: the portal has no value "unknown".
 * - A draft that equals the store's value is no draft: an item that is switched there and back is not sent.
 *
 * The history knows item indexes and no items. The caller maps item indexes to rows and applies the steps.
 */

/** One row of a step. */
export interface RowChange {
  readonly itemIndex: number;
  /** The value that the person saw in the row before. */
  readonly shown: boolean | undefined;
  /** The draft of the row before the step. */
  readonly draft: boolean | undefined;
  readonly wanted: boolean;
}

export interface Step {
  readonly changes: readonly RowChange[];
  /** Shared by the edits of its rows. */
  readonly changeSet?: EditId | undefined;
  /** Called when the step is undone or redone. */
  readonly onUndoRedo?: ((isUndo: boolean) => void) | undefined;
  /**
   * Indexes of items whose value had not reached the store when the step was undone: still a draft, or discarded by
   * then.
   */
  unsent?: ReadonlySet<number> | undefined;
}

/** A step to undo or redo, and whether the store has it. */
export interface CursorMove {
  readonly step: Step;
  readonly wasSaved: boolean;
}

const MAX_STEPS = 200;
/** Over all steps: ten bulk edits of 100,000 items. */
const MAX_ROWS = 1_000_000;

export class UndoHistory {
  #steps: Step[] = [];
  #cursor = 0;
  /** Steps before this one are in the store. */
  #saved = 0;

  get canUndo(): boolean {
    return this.#cursor > 0;
  }

  get canRedo(): boolean {
    return this.#cursor < this.#steps.length;
  }

  /** Adds a step. It drops the steps that were undone before, and the oldest ones beyond the two limits. */
  record(step: Step): void {
    this.#steps.length = this.#cursor;
    this.#saved = Math.min(this.#saved, this.#cursor);
    this.#steps.push(step);
    let rows = this.#steps.reduce((sum, { changes }) => sum + changes.length, 0);
    while (this.#steps.length > MAX_STEPS || (rows > MAX_ROWS && this.#steps.length > 1)) {
      rows -= this.#steps.shift()?.changes.length ?? 0;
      this.#saved = Math.max(this.#saved - 1, 0);
    }
    this.#cursor = this.#steps.length;
  }

  /** Steps that the store has and that undo would revert, the oldest first. */
  get saved(): readonly Step[] {
    return this.#steps.slice(0, Math.min(this.#cursor, this.#saved));
  }

  /** Steps that the store does not have and that undo would revert, the oldest first. */
  get unsaved(): readonly Step[] {
    return this.#steps.slice(Math.min(this.#cursor, this.#saved), this.#cursor);
  }

  /** Adds steps that an earlier page saved, below the ones of this page. */
  prepend(steps: readonly Step[]): void {
    this.#steps = [...steps, ...this.#steps];
    this.#cursor += steps.length;
    this.#saved += steps.length;
  }

  undo(): CursorMove | undefined {
    const step = this.#steps[this.#cursor - 1];
    if (step === undefined) return undefined;
    this.#cursor -= 1;
    return { step, wasSaved: this.#cursor < this.#saved };
  }

  redo(): CursorMove | undefined {
    const step = this.#steps[this.#cursor];
    if (step === undefined) return undefined;
    this.#cursor += 1;
    return { step, wasSaved: this.#cursor <= this.#saved };
  }

  /** Call when the store has all steps before the cursor. */
  markSaved(): void {
    this.#saved = this.#cursor;
  }

  /** Call when all drafts were discarded: removes the steps that only made drafts. */
  dropUnsaved(): void {
    if (this.#cursor >= this.#saved) {
      this.#steps.length = this.#saved;
      this.#cursor = this.#saved;
    }
  }

  forget(): void {
    this.#steps = [];
    this.#cursor = 0;
    this.#saved = 0;
  }
}
