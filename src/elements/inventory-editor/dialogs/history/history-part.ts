import type { TemplateResult } from 'lit';
import { HistoryList } from '../../../../client/history/history-list.js';
import type { ItemId } from '../../../../domain/item.js';
import type { FeatureDictionary } from '../../../../locales/features/feature-dictionary.js';
import { addStyles } from '../../../shared/document-styles.js';
import type { HistoryOfEditor, HistoryOfItem, ToolsOfEditor } from '../../editor-context.js';
import { HistoryDialog } from './history-dialog.js';
import { renderEntries } from './history-view.js';
import { styles } from './history.styles.js';

/** The number of an item's entries at first, and the number that each press on "Show more" adds. */
const FIRST_SHOWN = 5;
const MORE_SHOWN = 20;

/** The history. This module is loaded with its texts when a person first opens a history. */
export class HistoryPart implements HistoryOfEditor {
  readonly #text: FeatureDictionary;

  constructor(text: FeatureDictionary) {
    this.#text = text;
  }

  ofItem(tools: ToolsOfEditor, id: ItemId, onChange: () => void): HistoryOfItem {
    addStyles(tools.context.root, [styles]);
    return new ItemHistory(tools, this.#text, id, onChange);
  }

  open(tools: ToolsOfEditor): void {
    addStyles(tools.context.root, [styles]);
    tools.withDialogs((dialogs) => {
      new HistoryDialog(tools, this.#text, dialogs).open();
    });
  }
}

/** The last changes of one item. They are read again when the item has changed. */
class ItemHistory implements HistoryOfItem {
  readonly #tools: ToolsOfEditor;
  readonly #text: FeatureDictionary;
  readonly #id: ItemId;
  readonly #list: HistoryList;
  #shown = FIRST_SHOWN;
  /** The state of the item when its entries were read. */
  #readAt: string;

  constructor(tools: ToolsOfEditor, text: FeatureDictionary, id: ItemId, onChange: () => void) {
    this.#tools = tools;
    this.#text = text;
    this.#id = id;
    this.#list = new HistoryList(tools.context.store, onChange);
    this.#readAt = this.#version;
    void this.#list.read({ item: id });
  }

  render(): TemplateResult {
    const { context } = this.#tools;
    if (this.#readAt !== this.#version) {
      this.#readAt = this.#version;
      // In a microtask, because reading calls for a rendering, and this is one.
      queueMicrotask(() => void this.#list.read());
    }
    return renderEntries({
      context,
      text: this.#text,
      list: this.#list,
      shown: this.#shown,
      onMore: () => {
        this.#more();
      },
      onRetry: () => void this.#list.retry(),
    });
  }

  close(): void {
    this.#list.close();
  }

  #more(): void {
    const { entries, hasMore, status } = this.#list;
    if (status !== 'ready') return;
    this.#shown += MORE_SHOWN;
    if (hasMore && this.#shown > entries.length) void this.#list.more();
    else this.#tools.context.requestUpdate();
  }

  /**
   * Identifies the state of the item. An edit that is only on this device does not change it, because the history has no
   * entry of it yet.
   */
  get #version(): string {
    const { truth, updated_at = '', settled_at = '' } = this.#tools.context.store.view(this.#id);
    return truth === 'on-device' || truth === undefined ? this.#readAt : `${truth} ${updated_at} ${settled_at}`;
  }
}
