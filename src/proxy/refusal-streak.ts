import type { OpenEdit } from './outbox.js';

/** Different items in a row that get the same refusal before we stop believing that it is about the items. */
export const SAME_REFUSALS = 5;

/**
 * Tells a portal that refuses an item from one that refuses everything. Single refusals park their edit at once; when five
 * different items in a row got the same one and none passed, all of them were parked for nothing.
 */
export class RefusalStreak {
  #code: string | undefined;
  readonly #edits = new Map<string, OpenEdit>();
  /** Brought back once. When the portal has taken others since, another refusal is about the item after all. */
  readonly #doubted = new Set<string>();

  /** @returns the edits to bring back, where this refusal completes the streak */
  refused(edit: OpenEdit, code: string): readonly OpenEdit[] {
    if (this.#doubted.delete(edit.id)) return [];
    if (code !== this.#code) this.#edits.clear();
    this.#code = code;
    this.#edits.set(edit.id, edit);
    if (this.#edits.size < SAME_REFUSALS) return [];
    const back = [...this.#edits.values()];
    for (const { id } of back) this.#doubted.add(id);
    this.passed();
    return back;
  }

  passed(): void {
    this.#code = undefined;
    this.#edits.clear();
  }
}
