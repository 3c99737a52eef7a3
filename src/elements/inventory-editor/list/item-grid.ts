import { html, nothing, type TemplateResult } from 'lit';
import type { ListTexts } from '../../../locales/dictionary.js';

/** The grid around the rows, which draw themselves into its sheet. */
export interface Grid {
  readonly text: ListTexts;
  /** Rows that are listed. */
  readonly length: number;
  /** Whether that is all of them. */
  readonly complete: boolean;
  readonly locked: boolean;
  /** With buttons that sort, once these are loaded. */
  readonly heads: TemplateResult | undefined;
  readonly picked: 'none' | 'some' | 'all';
  readonly onClick: (event: MouseEvent) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onPickAll: () => void;
}

const CHECKED = { none: 'false', some: 'mixed', all: 'true' } as const;

export function renderGrid({ text, length, complete, locked, picked, heads, ...on }: Grid): TemplateResult {
  const { columns } = text;
  return html`<div part="list" class="scroller" ?hidden=${length === 0}>
    <div
      role="grid"
      class=${locked ? 'locked' : ''}
      aria-labelledby="title"
      aria-multiselectable=${locked ? nothing : 'true'}
      aria-rowcount=${complete ? length + 1 : -1}
      aria-readonly=${locked ? 'true' : 'false'}
      @click=${on.onClick}
      @focusin=${on.onFocus}
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex="1">
          <div role="columnheader" class="pick">
            <button
              type="button"
              role="checkbox"
              aria-label=${text.selectEvery}
              aria-checked=${CHECKED[picked]}
              @click=${on.onPickAll}
            ></button>
          </div>
          ${
            heads ??
            html`<div role="columnheader">${columns.item}</div>
              <div role="columnheader" class="group">${columns.group}</div>
              <div role="columnheader">${columns.availability}</div>
              <div role="columnheader">${columns.status}</div>
              <div role="columnheader" class="time">${columns.updated}</div>`
          }
        </div>
      </div>
      <div class="sheet" role="rowgroup"></div>
    </div>
  </div>`;
}
