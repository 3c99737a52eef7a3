import type { Position, TableListener } from './editor-model.js';

/** Who is told which rows changed. */
export class RowAudience {
  readonly #listeners = new Set<TableListener>();

  subscribe(listener: TableListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param changed `undefined`: counts, the order or all rows */
  tell(changed: Position | undefined): void {
    for (const listener of this.#listeners) listener(changed);
  }
}
