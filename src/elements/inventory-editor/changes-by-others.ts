import type { ItemId, Timestamp } from '../../domain/item.js';
import type { EditorContext } from './editor-context.js';

/** Changes that come together are told together. */
const TOGETHER_MS = 1_000;
/** A change that is told once may be heard of again: when the portal has it, too. */
const MOST_TOLD = 1_000;

/** Says politely, and once, what somebody else has changed while the list is open: who sees it hears nothing of it else. */
export class ChangesByOthers {
  readonly #context: () => EditorContext;
  readonly #leave: () => void;
  readonly #told = new Map<ItemId, Timestamp>();
  readonly #news = new Set<ItemId>();
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(context: () => EditorContext) {
    this.#context = context;
    const { store } = context();
    this.#leave = store.subscribe((id) => {
      if (id !== undefined) this.#hear(id);
    });
  }

  close(): void {
    this.#leave();
    clearTimeout(this.#due);
  }

  #hear(id: ItemId): void {
    const { store } = this.#context();
    const { by, updated_at, truth } = store.view(id);
    if (by === undefined || updated_at === undefined || this.#told.get(id) === updated_at) return;
    if (this.#told.size >= MOST_TOLD) this.#told.clear();
    this.#told.set(id, updated_at);
    // What was so when the page came is no news, and what needs a decision is told of as that.
    if (!store.snapshot.complete || truth === 'needs-attention') return;
    this.#news.add(id);
    this.#due ??= setTimeout(() => {
      this.#tell();
    }, TOGETHER_MS);
  }

  #tell(): void {
    const { store, table, text, announce } = this.#context();
    const ids = [...this.#news].filter((id) => table.positionOf(id) !== undefined);
    this.#due = undefined;
    this.#news.clear();
    const [id] = ids;
    if (id === undefined) return;
    const { by = '', label = id, available } = store.view(id);
    announce(
      ids.length === 1 && available !== undefined
        ? text.changedBy(by, label, available)
        : text.changedByOthers(ids.length),
    );
  }
}
