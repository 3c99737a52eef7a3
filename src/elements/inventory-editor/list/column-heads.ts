import { html, nothing, type TemplateResult } from 'lit';
import type { Query, SortName } from '../../../client/editor/editor-types.js';
import type { ToolsOfEditor } from '../editor-context.js';

interface Column {
  readonly name: 'item' | 'group' | 'availability' | 'status' | 'updated';
  readonly sort: SortName;
  /** Class of all cells of the column. */
  readonly className: string;
}

const COLUMNS: readonly Column[] = [
  { name: 'item', sort: 'label', className: '' },
  { name: 'group', sort: 'group', className: 'group' },
  { name: 'availability', sort: 'value', className: '' },
  { name: 'status', sort: 'state', className: '' },
  { name: 'updated', sort: 'changed-at', className: 'time' },
];

/**
 * The column headers, each with a button that sorts: first in its order, then in the reverse, then in the host's order
 * again. Arrow keys move between them (`grid-keyboard.ts`). If the check box before them is hidden, the first header is the
 * tab stop.
 */
export function renderHeads(tools: ToolsOfEditor): TemplateResult {
  const { text, locked } = tools.context;
  return html`${COLUMNS.map(
    ({ name, sort, className }, at) =>
      html`<div role="columnheader" class=${className} aria-sort=${directionOf(tools.wanted, sort) ?? nothing}>
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

/** The value of `aria-sort`. The newest time first is a descending order. */
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

/** The name of an order, with a mark if the list has this order reversed. */
export function orderText({ wanted, context: { text } }: ToolsOfEditor, sort: SortName): string {
  const isReversed = wanted.sort === sort && wanted.isReversed;
  return isReversed ? text.reversed(text.sorted[sort]) : text.sorted[sort];
}
