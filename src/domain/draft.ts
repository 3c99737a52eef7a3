import type { Numbers } from './bit-set.js';
import type { Stand } from './stand.js';

/**
 * A draft: the items as the store has them, the steps of a person over them, and a cursor between two steps. Undo moves the
 * cursor back, redo forward; what is shown, what is changed and what may be undone are derived.
 *
 * - A step is a pass over bytes: it remembers which rows it touched and what stood in each, in one byte a row, or in one
 *   for all of them where it was the same. A step over 100,000 items holds no object for any of them.
 * - A wish that equals the store's value is no wish: an item that is switched there and back is not sent.
 * - A wish stands on the value that the person saw. Where that moves, the two have met, and a person decides: a draft
 *   never silently wins.
 * - Saving does not end the history. What was saved is undone by another edit, and only where nobody has spoken since. A
 *   first value is taken back as long as nobody has sent it, and stays from then on: there is no word for "not known".
 *
 * It deliberately knows no item: which row is which, and what becomes of a step, is the caller's.
 */

/** One byte for all rows of a step, or one for each in their order. */
export type PerRow = number | Uint8Array;

export interface Step {
  readonly rows: Numbers;
  /** Where each row stood before. */
  readonly before: PerRow;
  /** What the person wanted of each. */
  readonly after: PerRow;
  /** For whoever keeps more of it than rows: it is taken back, or made again. */
  readonly onTurn?: ((isBack: boolean) => void) | undefined;
  /** Rows whose value the store did not have when the step was taken back: wishes still, or given up by then. */
  unsent?: ReadonlySet<number> | undefined;
}

export function ofRow(bytes: PerRow, at: number): Stand {
  return typeof bytes === 'number' ? bytes : (bytes[at] ?? 0);
}

/** The same bytes, as one where they are all equal. */
export function perRow(bytes: Uint8Array): PerRow {
  const [first = 0] = bytes;
  // A call for each of a hundred thousand bytes would take as long as the rest of the step, and so would an iterator's.
  for (let at = 1; at < bytes.length; at += 1) if (bytes[at] !== first) return bytes;
  return first;
}

/** What is to be done for a step, and whether the store has it already. */
export interface Turn {
  readonly step: Step;
  readonly wasSaved: boolean;
}

/** A step over everything keeps up to a byte an item. */
const MOST_STEPS = 200;

export class DraftHistory {
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

  /** What was undone before is forgotten; so is the oldest of very many steps. */
  record(step: Step): void {
    this.#steps.length = this.#cursor;
    this.#saved = Math.min(this.#saved, this.#cursor);
    this.#steps.push(step);
    if (this.#steps.length > MOST_STEPS) {
      this.#steps.shift();
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

  /** The wishes are gone, and with them the steps that only made wishes. */
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
