import { html, nothing, type TemplateResult } from 'lit';
import type { FilterName, SortName } from '../../../client/editor/editor-types.js';
import type { ToolsOfEditor } from '../editor-context.js';
import { orderText } from '../list/column-heads.js';

/** Filters that are always offered. The others appear only if they have items. */
const ALWAYS_SHOWN: readonly FilterName[] = ['all', 'available', 'unavailable', 'unknown'];

/** Keeps keys that are typed into a field from the host's page, which may listen to any of the three events of a key. */
function stay(event: Event): void {
  event.stopPropagation();
}

/** Shown only if there is more than one group. */
function renderGroupChoice(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { groups, wanted, context } = tools;
  const { text } = context;
  if (!groups.areSeveral) return nothing;
  return html`<label class="sort of-group"
    ><span>${text.columns.group}</span>
    <select
      title=${wanted.group === undefined ? text.allGroups : wanted.group || text.noGroup}
      @change=${(event: Event) => {
        // The first option means all groups.
        tools.find({ group: groups.names[(event.target as HTMLSelectElement).selectedIndex - 1] });
      }}
    >
      <option .selected=${wanted.group === undefined}>${text.allGroups}</option>
      ${groups.names.map(
        (name) => html`<option .selected=${wanted.group === name}>${name === '' ? text.noGroup : name}</option>`,
      )}
    </select></label
  >`;
}

/** The buttons beside the search. If they do not fit, they wrap together. */
function renderActions(tools: ToolsOfEditor): TemplateResult {
  const { context, draft } = tools;
  const { text, table, locked } = context;
  const step = (label: string, can: boolean, redo: boolean): TemplateResult =>
    html`<button
      type="button"
      class="quiet-button"
      ?disabled=${!can}
      @click=${() => {
        void tools.undo(redo);
      }}
    >
      ${label}
    </button>`;
  return html`${locked ? nothing : [step(text.undo, draft.canUndo, false), step(text.redo, draft.canRedo, true)]}
    ${
      // Disabled instead of hidden if everything is closed, so that the other buttons do not move.
      locked || !table.complete
        ? nothing
        : html`<button
            type="button"
            class="quiet-button"
            aria-haspopup="dialog"
            ?disabled=${table.counts.available === 0}
            @click=${() => {
              tools.withDialogs((dialogs) => {
                dialogs.setAll(false);
              });
            }}
          >
            ${text.closeAll}
          </button>`
    }
    <button type="button" class="quiet-button" aria-haspopup="dialog" @click=${() => void tools.openLists()}>
      ${text.lists}
    </button>
    ${
      context.store.snapshot.canReadHistory
        ? html`<button
            type="button"
            class="quiet-button"
            aria-haspopup="dialog"
            @click=${() => void tools.openHistory()}
          >
            ${text.lastChanges}
          </button>`
        : nothing
    }
    <button
      type="button"
      class="quiet-button keys"
      aria-haspopup="dialog"
      @click=${() => {
        tools.withDialogs((dialogs) => {
          dialogs.keys();
        });
      }}
    >
      ${text.keys}
    </button>`;
}

function renderSearch(tools: ToolsOfEditor): TemplateResult {
  const { context, wanted, filter } = tools;
  const { text } = context;
  return html`<label class="search" @keypress=${stay} @keyup=${stay}
    ><input
      part="search"
      type="search"
      autocomplete="off"
      placeholder=${text.search}
      aria-label=${text.search}
      .value=${wanted.text}
      @focus=${() => {
        filter.prepare();
      }}
      @blur=${() => {
        filter.release();
      }}
      @input=${(event: Event) => {
        tools.find({ text: (event.target as HTMLInputElement).value });
      }}
  /></label>`;
}

function renderSort(tools: ToolsOfEditor): TemplateResult {
  const { context, wanted, groups } = tools;
  const { text } = context;
  const canSortByGroup = wanted.sort === 'group' || (groups.areSeveral && !context.hides('groups'));
  const names = (Object.keys(text.sorted) as SortName[]).filter((name) => name !== 'group' || canSortByGroup);
  return html`<label class="sort"
    ><span>${text.sort}</span>
    <select
      title=${orderText(tools, wanted.sort)}
      @change=${(event: Event) => {
        tools.find({ sort: (event.target as HTMLSelectElement).value as SortName, isReversed: false });
      }}
    >
      ${names.map(
        (name) => html`<option value=${name} .selected=${wanted.sort === name}>${orderText(tools, name)}</option>`,
      )}
    </select></label
  >`;
}

/** The filters with their counts. */
function renderFilters(tools: ToolsOfEditor): TemplateResult {
  const { context, wanted, filter, groups } = tools;
  const { text, table } = context;
  const counts = wanted.group === undefined ? table.counts : groups.countsOf(wanted.group);
  const isShown = (name: FilterName): boolean =>
    ALWAYS_SHOWN.includes(name) || counts[name] > 0 || wanted.filter === name;
  return html`<div class="chips" role="group" aria-label=${text.filters}>
    ${(Object.keys(text.filter) as FilterName[]).map(
      // Hidden with an attribute instead of removed, so that a focused filter never becomes another one.
      (name) =>
        html`<button
          type="button"
          class="chip"
          part="chip"
          ?hidden=${!isShown(name)}
          data-filter=${name}
          aria-pressed=${wanted.filter === name ? 'true' : 'false'}
          @click=${() => {
            tools.find({ filter: name });
          }}
        >
          ${text.filter[name]} <span>${table.complete ? text.number(counts[name]) : '…'}</span>
        </button>`,
    )}
    ${
      filter.stale
        ? html`<button
            type="button"
            class="chip stale"
            @click=${() => {
              tools.find({});
            }}
          >
            ${text.orderStale}
          </button>`
        : nothing
    }
  </div>`;
}

/** Search, order, undo and redo, and the filters. */
export function renderToolbar(tools: ToolsOfEditor): TemplateResult {
  return html`<div class="tools" part="tools">
    <div class="line">
      ${renderSearch(tools)} ${renderSort(tools)} ${renderGroupChoice(tools)}
      <div class="actions">${renderActions(tools)}</div>
    </div>
    ${renderFilters(tools)}
  </div>`;
}
