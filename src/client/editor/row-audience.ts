import type { Position, TableListener } from './editor-types.js';

/** Instead of a position: values of many rows, in the order that they have. */
export const MANY: Position = -1;

/** Who is told which rows changed. */
export class RowAudience {
  readonly #listeners = new Set<TableListener>();

  subscribe(listener: TableListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param changed `undefined`: the order or all rows, too */
  tell(changed: Position | undefined): void {
    for (const listener of this.#listeners) listener(changed);
  }
}
