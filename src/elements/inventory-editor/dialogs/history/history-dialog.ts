import { html, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../../../../client/api/api-error.js';
import { historyRows } from '../../../../client/history/export-history.js';
import { HISTORY, HistoryList, readPages, type HistoryFilter } from '../../../../client/history/history-list.js';
import { planRevert, type RevertPlan, unchangedRows } from '../../../../client/history/revert-plan.js';
import type { HistoryEntry } from '../../../../contract/history.js';
import type { FeatureDictionary } from '../../../../locales/features/feature-dictionary.js';
import type { EditorContext, DialogsOfEditor, DialogView, ToolsOfEditor } from '../../editor-context.js';
import { People, renderFilters } from './history-filters.js';
import { renderActs, nameOf } from './history-view.js';
import { renderRevert } from './revert-preview.js';

/** The number of entries that each press on "Show more" adds. */
const MORE_SHOWN = 100;

/** A change set whose items are listed in the dialog. */
interface OpenAct {
  readonly list: HistoryList;
  shown: number;
}

/** The preview of an undo, which replaces the list until the person has decided. */
type Question = 'loading' | { readonly problem: string } | RevertPlan;

/** The dialog with the history of all items: filters, export and undo. */
export class HistoryDialog {
  readonly #tools: ToolsOfEditor;
  readonly #text: FeatureDictionary;
  readonly #dialogs: DialogsOfEditor;
  readonly #list: HistoryList;
  readonly #people = new People();
  readonly #acts = new Map<string, OpenAct>();
  readonly #closed = new AbortController();
  readonly #owner: string;
  #filter: HistoryFilter = {};
  #question: Question | undefined;
  #undone: readonly [path: string, entry: HistoryEntry] | undefined;
  #exported: 'loading' | { readonly problem: string } | undefined;

  constructor(tools: ToolsOfEditor, text: FeatureDictionary, dialogs: DialogsOfEditor) {
    this.#tools = tools;
    this.#text = text;
    this.#dialogs = dialogs;
    this.#owner = this.#context.store.snapshot.owner;
    this.#list = new HistoryList(this.#context.store, this.#draw);
  }

  open(): void {
    this.#find({});
    this.#dialogs.show(
      () => this.#render(),
      () => {
        this.#closed.abort();
        this.#list.close();
        this.#closeActs();
      },
    );
  }

  get #context(): EditorContext {
    return this.#tools.context;
  }

  readonly #draw = (): void => {
    if (!this.#closed.signal.aborted) this.#dialogs.update();
  };

  readonly #find = (change: HistoryFilter): void => {
    this.#closeActs();
    this.#filter = { ...this.#filter, ...change };
    // With a filter by item, each edit is an entry of its own.
    const collapse = this.#filter.item === undefined ? ({ collapse: 'change_set' } as const) : {};
    void this.#list.read({ ...this.#filter, ...collapse });
  };

  #closeActs(): void {
    for (const { list } of this.#acts.values()) list.close();
    this.#acts.clear();
  }

  readonly #toggle = ({ edit_id, change_set, subject }: HistoryEntry): void => {
    const act = this.#acts.get(edit_id);
    if (act === undefined) {
      const list = new HistoryList(this.#context.store, this.#draw);
      this.#acts.set(edit_id, { list, shown: MORE_SHOWN });
      void list.read({ ...this.#filter, change_set, subject });
    } else {
      act.list.close();
      this.#acts.delete(edit_id);
    }
    this.#draw();
  };

  readonly #showMore = (edit: string): void => {
    const act = this.#acts.get(edit);
    if (act === undefined) return;
    act.shown += MORE_SHOWN;
    if (act.shown > act.list.entries.length) void act.list.more();
    this.#draw();
  };

  readonly #askToUndo = async (entry: HistoryEntry): Promise<void> => {
    const { store, table } = this.#context;
    this.#question = 'loading';
    this.#draw();
    try {
      // The plan compares the values on this page, so they must be those of the proxy.
      const [entries] = await Promise.all([this.#entriesOf(entry), store.readChanges()]);
      this.#question = planRevert(entries, table);
      this.#undone = [entry.edit_id, entry];
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#question = { problem: error.code };
    }
    this.#draw();
  };

  async #entriesOf(entry: HistoryEntry): Promise<readonly HistoryEntry[]> {
    const { change_set, subject, summary } = entry;
    const { signal } = this.#closed;
    const path = `v1/change-sets/${change_set ?? ''}`;
    const isWhole = change_set !== undefined && summary !== undefined;
    const pages = isWhole
      ? readPages(this.#context.store, path, { subject }, signal)
      : readPages(this.#context.store, HISTORY, { item: entry.id }, signal);
    const entries: HistoryEntry[] = [];
    for await (const page of pages) {
      entries.push(...(isWhole ? page : page.filter(({ edit_id }) => edit_id === entry.edit_id)));
      if (!isWhole && entries.length > 0) break;
    }
    return entries;
  }

  readonly #undo = async (): Promise<void> => {
    const { context, draft } = this.#tools;
    const [, entry] = this.#undone ?? [];
    if (entry === undefined || context.locked || !this.#dialogs.leave()) return;
    await this.#tools.whenApplied();
    // The values may have changed while the preview was open.
    const plan = this.#question;
    if (plan === undefined || plan === 'loading' || 'problem' in plan) return;
    const rows = unchangedRows(plan, context.table);
    const allowed = [true, false].flatMap((available) => {
      const some = rows.filter((row) => row.available === available);
      const ids = some.flatMap(({ itemIndex }) => context.table.idAt(itemIndex) ?? []);
      const [first] = ids;
      return first !== undefined && context.confirmChange(ids, first, available) ? some : [];
    });
    await draft.setEach(allowed);
    await this.#tools.seen();
    const skipped = plan.skipped.length + plan.rows.length - allowed.length;
    context.announce(context.text.undone(allowed.length, skipped));
  };

  readonly #cancel = (): void => {
    this.#question = undefined;
    this.#draw();
  };

  readonly #export = async (): Promise<void> => {
    const { store } = this.#context;
    this.#exported = 'loading';
    this.#draw();
    try {
      const lists = await this.#context.loadLists();
      const entries: HistoryEntry[] = [];
      for await (const page of readPages(store, HISTORY, this.#filter, this.#closed.signal)) entries.push(...page);
      const labelOf = ({ id }: HistoryEntry): string => store.view(id).label ?? '';
      lists.download(historyRows(entries, labelOf), `${this.#text.fileName}-history`);
      this.#exported = undefined;
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      const isLost = error instanceof TypeError;
      if (!isLost && !(error instanceof ApiError)) throw error;
      this.#exported = { problem: isLost ? 'unreachable' : error.code };
    }
    this.#draw();
  };

  #render(): DialogView | undefined {
    const { store, text } = this.#context;
    // Another person has signed in, who may not be allowed to read the history.
    if (store.snapshot.owner !== this.#owner) return undefined;
    const { undo, cancel, close, number } = text;
    const question = this.#question;
    const leave = html`<button type="button" class="plain" part="button" @click=${this.#dialogs.dismiss}>
      ${close}
    </button>`;
    if (question !== undefined) {
      const rows = typeof question === 'object' && 'rows' in question ? question.rows : [];
      return {
        title: undo,
        body: renderRevert(this.#context, this.#text, question),
        choices: html`<button type="button" class="plain" part="button" @click=${this.#cancel}>${cancel}</button> ${
            rows.length === 0 || this.#context.locked
              ? nothing
              : html`<button type="button" class="strong" part="button primary-button" @click=${this.#undo}>
                  ${undo} (${number(rows.length)})
                </button>`
          }`,
      };
    }
    return { title: text.lastChanges, body: this.#renderList(), choices: leave };
  }

  #renderList(): TemplateResult {
    const own = this.#text;
    const { entries } = this.#list;
    this.#people.add(entries, this.#context, own);
    return html`${renderFilters(this.#context, own, this.#filter, this.#people, this.#find)}
      ${renderActs({
        context: this.#context,
        text: own,
        list: this.#list,
        isFiltered: Object.values(this.#filter).some((value) => value !== undefined),
        acts: this.#acts,
        nameOf: (entry) => nameOf(entry, this.#context),
        onToggle: this.#toggle,
        onUndo: (entry) => void this.#askToUndo(entry),
        onMore: () => void this.#list.more(),
        onMoreOf: this.#showMore,
        onRetry: (list) => void list.retry(),
      })}
      <div class="acts">
        <button type="button" class="link" ?disabled=${entries.length === 0} @click=${() => void this.#export()}>
          ${own.export}
        </button>
        <span role="status">${this.#exportText()}</span>
      </div>`;
  }

  #exportText(): string {
    if (this.#exported === undefined) return '';
    return this.#exported === 'loading' ? this.#context.text.loading : this.#text.historyFailed(this.#exported.problem);
  }
}
