import { html, nothing, type TemplateResult } from 'lit';
import type { ItemId } from '../../../domain/item.js';
import type { HistoryOfItem, ToolsOfEditor } from '../editor-context.js';
import { button } from './dialog-parts.js';

/**
 * The last changes of an item, as a part of its details. The module is loaded at the first rendering, and only for a person
 * who may read the history. For all others nothing is requested and nothing is shown.
 */
export class ItemChanges {
  readonly #tools: ToolsOfEditor;
  readonly #id: ItemId;
  readonly #onChange: () => void;
  #history: HistoryOfItem | 'loading' | 'lost' | undefined;
  #isClosed = false;
  #owner: string | undefined;

  constructor(tools: ToolsOfEditor, id: ItemId, onChange: () => void) {
    this.#tools = tools;
    this.#id = id;
    this.#onChange = onChange;
  }

  render(): TemplateResult | typeof nothing {
    const { store, text } = this.#tools.context;
    const { canReadHistory, owner } = store.snapshot;
    // One person's history is not shown to the next person.
    if (owner !== this.#owner || !canReadHistory) this.#forget();
    this.#owner = owner;
    if (!canReadHistory) return nothing;
    if (this.#history === undefined) void this.#load();
    return html`<h4>${text.lastChanges}</h4>
      ${this.#renderHistory()}`;
  }

  close(): void {
    this.#isClosed = true;
    this.#forget();
  }

  #forget(): void {
    if (typeof this.#history === 'object') this.#history.close();
    this.#history = undefined;
  }

  #renderHistory(): TemplateResult {
    const { text } = this.#tools.context;
    switch (this.#history) {
      case undefined:
      case 'loading':
        return html`<p role="status">${text.loading}</p>`;
      case 'lost':
        return html`<p role="status">${text.notLoaded}</p>
          ${button(text.tryAgain, () => void this.#load())}`;
      default:
        return this.#history.render();
    }
  }

  async #load(): Promise<void> {
    this.#history = 'loading';
    try {
      const owner = this.#owner;
      const part = await this.#tools.context.loadHistory();
      if (this.#isClosed || owner !== this.#owner) return;
      this.#history = part.ofItem(this.#tools, this.#id, this.#onChange);
    } catch (error) {
      // An import that the network interrupted rejects with a TypeError (HTML standard, "fetch a single module script").
      if (!(error instanceof TypeError)) throw error;
      this.#history = 'lost';
    }
    this.#onChange();
  }
}
