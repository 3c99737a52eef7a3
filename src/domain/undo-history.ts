/**
 * The steps of a person over a list of rows, and a cursor between two steps. Undo moves the cursor back, redo forward.
 *
 * - Saving does not end the history. What was saved is undone by another edit, and only where no other person changed the
 *   row since. A first value is taken back as long as it was not sent, and stays from then on: the portal has no word for
 *   "not known".
 * - A draft that equals the store's value is none: an item that is switched there and back is not sent.
 *
 * It deliberately knows no item: which row is which, and what becomes of a step, is the caller's.
 */

/** One row of a step. */
export interface RowChange {
  readonly position: number;
  /** What the person saw in the row before. */
  readonly shown: boolean | undefined;
  /** The draft that the row had before. */
  readonly draft: boolean | undefined;
  readonly wanted: boolean;
}

export interface Step {
  readonly changes: readonly RowChange[];
  /** Called when the step is taken back, or made again. */
  readonly onTurn?: ((isBack: boolean) => void) | undefined;
  /** Positions whose value the store did not have when the step was taken back: drafts still, or given up by then. */
  unsent?: ReadonlySet<number> | undefined;
}

/** A step to be taken back or made again, and whether the store has it. */
export interface Turn {
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

  /** Forgets what was undone before, and the oldest steps where there are too many. */
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

  undo(): Turn | undefined {
    const step = this.#steps[this.#cursor - 1];
    if (step === undefined) return undefined;
    this.#cursor -= 1;
    return { step, wasSaved: this.#cursor < this.#saved };
  }

  redo(): Turn | undefined {
    const step = this.#steps[this.#cursor];
    if (step === undefined) return undefined;
    this.#cursor += 1;
    return { step, wasSaved: this.#cursor <= this.#saved };
  }

  /** The store has taken everything up to here. */
  markSaved(): void {
    this.#saved = this.#cursor;
  }

  /** The drafts are gone, and with them the steps that only made drafts. */
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
