import { html, nothing, type TemplateResult } from 'lit';
import type { RowValue } from '../../../../client/editor/editor-types.js';
import { shownValue } from '../../../../client/editor/row-state.js';
import type { RevertPlan, SkippedItem } from '../../../../client/history/revert-plan.js';
import type { FeatureDictionary } from '../../../../locales/features/feature-dictionary.js';
import type { EditorContext } from '../../editor-context.js';
import { valueText } from './history-view.js';

/** Items of each group that the preview names; the others are counted. */
const MAX_NAMED = 100;

/** Previews an undo: the rows that it changes, and the items that it skips. */
export function renderRevert(
  context: EditorContext,
  own: FeatureDictionary,
  plan: 'loading' | { readonly problem: string } | RevertPlan,
): TemplateResult {
  const { text } = context;
  if (plan === 'loading') return html`<p role="status">${text.loading}</p>`;
  if ('problem' in plan) return html`<p role="status">${own.historyFailed(plan.problem)}</p>`;
  const { rows, skipped } = plan;
  return html`${context.locked ? html`<p>${text.readOnly}</p>` : nothing}
  ${rows.length === 0 ? html`<p>${text.bulkNothing}</p>` : nothing}
  ${[true, false].map((available) =>
    renderGroup(
      context,
      rows.filter((row) => row.available === available),
    ),
  )}
  ${
    skipped.length === 0
      ? nothing
      : html`<h4>${own.leftAsTheyAre} (${text.number(skipped.length)})</h4>
          <ul class="listing names">
            ${skipped
              .slice(0, MAX_NAMED)
              .map(
                (item) =>
                  html`<li>
                    <bdi>${context.store.view(item.id).label ?? item.id}</bdi> <span>${reasonText(item, own)}</span>
                  </li>`,
              )}
          </ul>
          ${skipped.length > MAX_NAMED ? html`<p>${text.more(skipped.length - MAX_NAMED)}</p>` : nothing}`
  }`;
}

function renderGroup(context: EditorContext, rows: readonly RowValue[]): TemplateResult | typeof nothing {
  const { table, text } = context;
  const [first] = rows;
  if (first === undefined) return nothing;
  const row = table.at(first.itemIndex);
  const named = rows.slice(0, MAX_NAMED).flatMap(({ itemIndex }) => table.row(itemIndex)?.view ?? []);
  return html`<h4 class=${first.available ? 'opens' : 'closes'}>
      ${text.fromTo(valueText(context, row && shownValue(row)), valueText(context, first.available))}
      (${text.number(rows.length)})
    </h4>
    <ul class="listing names">
      ${named.map(({ id, label = id }) => html`<li><bdi>${label}</bdi></li>`)}
    </ul>
    ${rows.length > named.length ? html`<p>${text.more(rows.length - named.length)}</p>` : nothing}`;
}

function reasonText({ reason, by }: SkippedItem, own: FeatureDictionary): string {
  switch (reason) {
    case 'changed':
      return by === undefined ? own.changedSince : own.changedSinceBy(`\u2068${by}\u2069`);
    case 'first':
      return own.noEarlierValue;
    case 'locked':
      return own.fault.locked;
    case 'unlisted':
      return own.notListed;
  }
}
