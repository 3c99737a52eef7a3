import { html, nothing, type TemplateResult } from 'lit';
import type { Query, SortName } from '../../../client/editor/editor-types.js';
import type { ToolsOfEditor } from '../editor-context.js';

interface Column {
  readonly name: 'item' | 'group' | 'availability' | 'status' | 'updated';
  readonly sort: SortName;
  /** Class of all cells of the column. */
  readonly look: string;
}

const COLUMNS: readonly Column[] = [
  { name: 'item', sort: 'label', look: '' },
  { name: 'group', sort: 'group', look: 'group' },
  { name: 'availability', sort: 'value', look: '' },
  { name: 'status', sort: 'state', look: '' },
  { name: 'updated', sort: 'changed-at', look: 'time' },
];

/**
 * The heads of the columns, each with a button that sorts: once in its order, pressed again the other way round, then in the
 * order of the page again. Arrow keys walk through them (`grid-keyboard.ts`); where the check box before them is out of use,
 * the first one is the tab stop.
 */
export function renderHeads(tools: ToolsOfEditor): TemplateResult {
  const { text, locked } = tools.context;
  return html`${COLUMNS.map(
    ({ name, sort, look }, at) =>
      html`<div role="columnheader" class=${look} aria-sort=${directionOf(tools.wanted, sort) ?? nothing}>
        <button
          type="button"
          class="by"
          tabindex=${locked && at === 0 ? 0 : -1}
          @click=${() => {
            sortBy(tools, sort);
          }}
        >
          ${text.columns[name]}
        </button>
      </div>`,
  )}`;
}

/** As the head of a column tells it: the newest time first is a descending order. */
function directionOf({ sort, isReversed }: Query, column: SortName): 'ascending' | 'descending' | undefined {
  if (sort !== column) return undefined;
  return isReversed === (column === 'changed-at') ? 'ascending' : 'descending';
}

function sortBy(tools: ToolsOfEditor, column: SortName): void {
  const { sort, isReversed } = tools.wanted;
  if (sort !== column) tools.find({ sort: column, isReversed: false });
  else if (!isReversed) tools.find({ isReversed: true, sort });
  else tools.find({ sort: 'given', isReversed: false });
  const { text, announce } = tools.context;
  announce(`${text.sort}: ${orderText(tools, tools.wanted.sort)}`);
}

/** The name of an order, and whether it is the one of the list and reversed. */
export function orderText({ wanted, context: { text } }: ToolsOfEditor, sort: SortName): string {
  const isReversed = wanted.sort === sort && wanted.isReversed;
  return isReversed ? text.reversed(text.sorted[sort]) : text.sorted[sort];
}
