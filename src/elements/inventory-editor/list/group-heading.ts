import { html, nothing, render, type TemplateResult } from 'lit';
import type { ItemIndex, ViewIndex } from '../../../client/editor/editor-types.js';
import type { ItemId } from '../../../domain/item.js';
import type { ToolsOfEditor } from '../editor-context.js';
import type { Row } from './item-row.js';

/**
 * Renders the heading of a group: its name, how many of its items are available, and the buttons that close or reopen them.
 */
export function drawHeading(tools: ToolsOfEditor, row: Row, viewIndex: ViewIndex, heading: ItemIndex): void {
  render(renderHeading(tools, heading), row.leadWith(viewIndex, heading));
}

function renderHeading(tools: ToolsOfEditor, heading: ItemIndex): TemplateResult {
  const { grouped, groups, context } = tools;
  const { text } = context;
  const name = grouped.nameOf(heading);
  const { available, all } = groups.countsOf(name);
  const key = String(-heading);
  return html`<div role="rowheader">
      <button
        type="button"
        id="g${key}"
        class="fold"
        aria-expanded=${grouped.isCollapsed(name) ? 'false' : 'true'}
        aria-describedby="c${key}"
        @click=${() => {
          tools.fold(name);
        }}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 6l5 5 5-5"></path></svg>
        <bdi>${groupText(tools, name)}</bdi>
      </button>
    </div>
    <div role="gridcell" id="c${key}" class="open">${text.groupCount(available, all)}</div>
    <div role="gridcell" class="turn">
      ${context.locked || !grouped.isWhole ? nothing : renderGroupActions(tools, name, key)}
    </div>`;
}

export function groupText({ context }: ToolsOfEditor, name: string): string {
  return name === '' ? context.text.noGroup : name;
}

function renderGroupActions(tools: ToolsOfEditor, name: string, key: string): TemplateResult {
  const { text } = tools.context;
  const closed = closedIn(tools, name);
  const button = (id: string, label: string, available: boolean, isOff: boolean): TemplateResult =>
    html`<button
      type="button"
      id="${id}${key}"
      class=${available ? 'plain opens' : 'plain closes'}
      part="button"
      aria-haspopup="dialog"
      aria-labelledby="${id}${key} g${key}"
      ?disabled=${isOff}
      @click=${() => {
        tools.withDialogs((dialogs) => {
          dialogs.setAll(available, name);
        });
      }}
    >
      ${label}
    </button>`;
  return html`${closed > 0 ? button('o', text.reopen(closed), true, false) : nothing}
  ${button('x', text.closeAll, false, tools.groups.countsOf(name).available === 0)}`;
}

interface ClosedByGroup {
  readonly names: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

/** Cached for each list of closed items, so that they are not counted for each heading. */
const closedByGroup = new WeakMap<readonly ItemId[], ClosedByGroup>();

/** @returns the number of items of a group that were closed together and can be reopened */
function closedIn({ closures, groups, context: { table } }: ToolsOfEditor, name: string): number {
  const { closedIds } = closures;
  let known = closedByGroup.get(closedIds);
  if (known?.names !== groups.names) {
    const counts = new Map<string, number>();
    for (const id of closedIds) {
      const group = groups.nameAt(table.findItemIndex(id) ?? -1);
      if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    known = { names: groups.names, counts };
    closedByGroup.set(closedIds, known);
  }
  return known.counts.get(name) ?? 0;
}
