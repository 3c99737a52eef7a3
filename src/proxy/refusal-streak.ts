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
  /** Parked for nothing, until the outbox has them back: its storage may fail, and nobody else knows of them. */
  #wronged: OpenEdit[] = [];
  /** Brought back once. When the portal has taken others since, another refusal is about the item after all. */
  readonly #doubted = new Set<string>();

  /** The edits to bring back. */
  get wronged(): readonly OpenEdit[] {
    return this.#wronged;
  }

  /** @param edits of one call @returns whether these refusals complete the streak */
  refused(edits: readonly OpenEdit[], codeOf: (edit: OpenEdit) => string): boolean {
    const before = this.#wronged.length;
    for (const code of new Set(edits.map(codeOf))) {
      this.#alike(
        edits.filter((edit) => codeOf(edit) === code),
        code,
      );
    }
    return this.#wronged.length > before;
  }

  passed(): void {
    this.#code = undefined;
    this.#edits.clear();
  }

  /** @param edits of `wronged`: another call may have added some meanwhile */
  broughtBack(edits: readonly OpenEdit[]): void {
    for (const { id } of edits) this.#doubted.add(id);
    this.#wronged = this.#wronged.filter((edit) => !edits.includes(edit));
  }

  #alike(edits: readonly OpenEdit[], code: string): void {
    const fresh = edits.filter(({ id }) => !this.#doubted.delete(id));
    if (fresh.length === 0) return;
    if (code !== this.#code) this.#edits.clear();
    this.#code = code;
    for (const edit of fresh) this.#edits.set(edit.id, edit);
    if (this.#edits.size < SAME_REFUSALS) return;
    this.#wronged = [...this.#wronged, ...this.#edits.values()];
    this.passed();
  }
}
