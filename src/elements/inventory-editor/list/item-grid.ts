import { html, nothing, type TemplateResult } from 'lit';
import type { ListTexts } from '../../../locales/dictionary.js';
import type { Lines } from './lines.js';

/** The grid around the rows. `VirtualRows` renders the rows into its sheet. */
export interface Grid {
  readonly text: ListTexts;
  /** Whether rows are listed. */
  readonly length: number;
  /** The lines of tiles, if items are shown as tiles. */
  readonly tiled: Pick<Lines, 'length' | 'columns'> | undefined;
  /** Whether some items have a picture. */
  readonly pictured: boolean;
  /** Whether all rows are known. */
  readonly complete: boolean;
  readonly locked: boolean;
  /** Column headers with buttons that sort; `undefined` until these are loaded. */
  readonly heads: TemplateResult | undefined;
  readonly picked: 'none' | 'some' | 'all';
  readonly onClick: (event: MouseEvent) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onPickAll: () => void;
}

const CHECKED = { none: 'false', some: 'mixed', all: 'true' } as const;

export function renderGrid(grid: Grid): TemplateResult {
  const { text, length, tiled, pictured, complete, locked, picked, ...on } = grid;
  return html`<div part="list" class="scroller" ?hidden=${length === 0}>
    <div
      role="grid"
      class="${locked ? 'locked' : ''} ${pictured ? 'pictured' : ''}"
      aria-labelledby="title"
      aria-multiselectable=${locked ? nothing : 'true'}
      aria-rowcount=${complete ? (tiled?.length ?? length) + 1 : -1}
      aria-colcount=${tiled?.columns ?? nothing}
      aria-readonly=${locked ? 'true' : 'false'}
      @click=${on.onClick}
      @focusin=${on.onFocus}
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex="1">
          <div role=${tiled ? 'gridcell' : 'columnheader'} class="pick">
            <button
              type="button"
              role="checkbox"
              aria-label=${text.selectEvery}
              aria-checked=${CHECKED[picked]}
              @click=${on.onPickAll}
            ></button>
          </div>
          ${tiled === undefined ? renderHeads(grid) : nothing}
        </div>
      </div>
      <div class="sheet" role="rowgroup"></div>
    </div>
  </div>`;
}

function renderHeads({ heads, text: { columns } }: Grid): TemplateResult {
  return (
    heads ??
    html`<div role="columnheader">${columns.item}</div>
      <div role="columnheader" class="group">${columns.group}</div>
      <div role="columnheader">${columns.availability}</div>
      <div role="columnheader">${columns.status}</div>
      <div role="columnheader" class="time">${columns.updated}</div>`
  );
}
