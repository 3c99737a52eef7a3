import { html, nothing, type TemplateResult } from 'lit';
import type { FilterName, SortName } from '../../../client/editor/editor-types.js';
import type { ToolsOfEditor } from '../editor-context.js';
import { orderText } from '../list/column-heads.js';

/** Always offered; the others only where there is something to see, so that a quiet day looks quiet. */
const STEADY: readonly FilterName[] = ['all', 'available', 'unavailable', 'unknown'];

/** What is typed is the field's, and no key of the host's page, whose listeners may be for any of the three events of a key. */
function stay(event: Event): void {
  event.stopPropagation();
}

/** Only where there is something to choose between. */
function groupChoice(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { groups, wanted, context } = tools;
  const { text } = context;
  if (!groups.areSeveral) return nothing;
  return html`<label class="sort of-group"
    ><span>${text.columns.group}</span>
    <select
      @change=${(event: Event) => {
        // The first one is all of them.
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

/** Finding: search, filters with their counts, order; and taking back. */
export function renderToolbar(tools: ToolsOfEditor): TemplateResult {
  const { context, wanted, draft, filter } = tools;
  const { text, table, locked } = context;
  const { complete } = table;
  const counts = wanted.group === undefined ? table.counts : tools.groups.countsOf(wanted.group);
  const isThere = (name: FilterName): boolean => STEADY.includes(name) || counts[name] > 0 || wanted.filter === name;
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
  return html`<div class="tools" part="tools">
    <div class="line">
      <label class="search" @keypress=${stay} @keyup=${stay}
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
            filter.rest();
          }}
          @input=${(event: Event) => {
            tools.find({ text: (event.target as HTMLInputElement).value });
          }}
      /></label>
      <label class="sort"
        ><span>${text.sort}</span>
        <select
          @change=${(event: Event) => {
            tools.find({ sort: (event.target as HTMLSelectElement).value as SortName, isReversed: false });
          }}
        >
          ${(Object.keys(text.sorted) as SortName[])
            .filter((name) => name !== 'group' || wanted.sort === name || tools.groups.areSeveral)
            .map(
              (name) =>
                html`<option value=${name} .selected=${wanted.sort === name}>${orderText(tools, name)}</option>`,
            )}
        </select></label
      >
      ${groupChoice(tools)}
      ${locked ? nothing : [step(text.undo, draft.canUndo, false), step(text.redo, draft.canRedo, true)]}
      ${
        // Faint and not left out where all is closed: what is beside it stays where it is.
        locked || !complete
          ? nothing
          : html`<button
              type="button"
              class="quiet-button"
              aria-haspopup="dialog"
              ?disabled=${table.counts.available === 0}
              @click=${() => {
                tools.panel((panels) => {
                  panels.turnAll(false);
                });
              }}
            >
              ${text.closeAll}
            </button>`
      }
      <button type="button" class="quiet-button" aria-haspopup="dialog" @click=${() => void tools.openLists()}>
        ${text.lists}
      </button>
      <button
        type="button"
        class="quiet-button keys"
        aria-haspopup="dialog"
        @click=${() => {
          tools.panel((panels) => {
            panels.keys();
          });
        }}
      >
        ${text.keys}
      </button>
    </div>
    <div class="chips" role="group" aria-label=${text.filters}>
      ${(Object.keys(text.filter) as FilterName[]).map(
        // Hidden and not left out: a filter that the keyboard is on never becomes another one.
        (name) =>
          html`<button
            type="button"
            class="chip"
            part="chip"
            ?hidden=${!isThere(name)}
            data-filter=${name}
            aria-pressed=${wanted.filter === name ? 'true' : 'false'}
            @click=${() => {
              tools.find({ filter: name });
            }}
          >
            ${text.filter[name]} <span>${complete ? text.number(counts[name]) : '…'}</span>
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
    </div>
  </div>`;
}
