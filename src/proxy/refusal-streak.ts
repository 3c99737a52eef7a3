import type { OpenEdit } from './outbox.js';

/** Different items in a row that get the same refusal before we stop believing that it is about the items. */
export const SAME_REFUSALS = 5;

/**
 * Tells a portal that refuses an item from one that refuses everything. Refusals park their edits at once; when five
 * different items in a row got the same one and none passed, all of them were parked for nothing.
 */
export class RefusalStreak {
  #code: string | undefined;
  readonly #edits = new Map<string, OpenEdit>();
  /** Brought back once. When the portal has taken others since, another refusal is about the item after all. */
  readonly #doubted = new Set<string>();

  /** @param edits of one call @returns the edits to bring back, where these refusals complete the streak */
  refused(edits: readonly OpenEdit[], codeOf: (edit: OpenEdit) => string): readonly OpenEdit[] {
    return [...new Set(edits.map(codeOf))].flatMap((code) => {
      const alike = edits.filter((edit) => codeOf(edit) === code);
      return this.#alike(alike, code);
    });
  }

  passed(): void {
    this.#code = undefined;
    this.#edits.clear();
  }

  #alike(edits: readonly OpenEdit[], code: string): readonly OpenEdit[] {
    const fresh = edits.filter(({ id }) => !this.#doubted.delete(id));
    if (fresh.length === 0) return [];
    if (code !== this.#code) this.#edits.clear();
    this.#code = code;
    for (const edit of fresh) this.#edits.set(edit.id, edit);
    if (this.#edits.size < SAME_REFUSALS) return [];
    const back = [...this.#edits.values()];
    for (const { id } of back) this.#doubted.add(id);
    this.passed();
    return back;
  }
}
