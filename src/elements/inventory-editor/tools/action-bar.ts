import { html, nothing, type TemplateResult } from 'lit';
import { toTimestamp } from '../../../domain/item.js';
import { timeAgo } from '../../shared/relative-time.js';
import type { ToolsOfEditor } from '../editor-context.js';

function button(label: string, press: (event: MouseEvent) => void, className = 'plain', opens = false): TemplateResult {
  return html`<button
    type="button"
    class=${className}
    part=${className === 'strong' ? 'button primary-button' : 'button'}
    aria-haspopup=${opens ? 'dialog' : nothing}
    @click=${press}
  >
    ${label}
  </button>`;
}

/** The bars that stay in sight below the list: the selection, failed edits, and unsaved changes. */
export function renderBars(tools: ToolsOfEditor): TemplateResult {
  // All bars together would leave no row in sight on a small phone, so the offer to reopen items is hidden while rows are
  // selected.
  const waits = tools.selection.count > 0 ? nothing : closed(tools);
  return html`<div class="bars" part="bars">
    ${offered(tools)}${waits}${leftAlone(tools)}${failed(tools)}${selected(tools)}${unsaved(tools)}
  </div>`;
}

function offered(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { autosave } = tools;
  const { text, language, timeZone, locked } = tools.context;
  const drafts = autosave.offered;
  if (drafts === undefined || locked) return nothing;
  return html`<div class="bar" part="drafts">
    <span
      >${text.drafts(drafts.count, timeAgo(toTimestamp(drafts.madeAt), Date.now(), language, timeZone, text.justNow))}</span
    >
    ${button(text.dropDrafts, () => void autosave.discardOffered())}
    ${button(text.takeDrafts, () => void takeBack(tools), 'strong')}
  </div>`;
}

/**
 * Restores the offered drafts. Drafts of items that are not in this list stay on offer, and a text says so, because a press
 * without a visible effect needs an answer.
 */
async function takeBack(tools: ToolsOfEditor): Promise<void> {
  const { skipped } = await tools.autosave.restore();
  const { text, announce, table } = tools.context;
  tools.leftAlone = skipped > 0 ? text.draftsElsewhere(skipped) : '';
  announce(tools.leftAlone || text.changes(table.counts.changed));
}

function closed(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { closures } = tools;
  const { text, language, timeZone, locked } = tools.context;
  const { offered } = closures;
  if (offered === undefined || locked) return nothing;
  const age = timeAgo(toTimestamp(offered.madeAt), Date.now(), language, timeZone, text.justNow);
  return html`<div class="bar" part="closed">
    <span
      >${text.closed(offered.count, age)}${offered.isStored ? nothing : html` <small>${text.closedRefused}</small>`}</span
    >
    ${button(text.keepClosed, () => {
      closures.forget();
    })}
    ${button(text.reopen(offered.count), () => tools.withDialogs((dialogs) => dialogs.setAll(true)), 'plain opens', true)}
  </div>`;
}

function leftAlone(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { leftAlone, context } = tools;
  if (leftAlone === '') return nothing;
  return html`<div class="bar" part="left-alone">
    <span>${leftAlone}</span>
    ${button(context.text.close, () => {
      tools.leftAlone = '';
      context.requestUpdate();
    })}
  </div>`;
}

function failed(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { text, table, locked, store } = tools.context;
  const { attention, conflict, waiting } = table.counts;
  const refused = attention - conflict;
  if (attention === 0 && (waiting === 0 || store.snapshot.status === 'ready')) return nothing;
  return html`<div class="bar trouble" part="trouble">
    <span>${attention === 0 ? text.queue(waiting) : tools.outcomes.problemText}</span>
    ${button(text.details, () => tools.withDialogs((dialogs) => dialogs.queue()), 'plain', true)}
    ${
      refused > 0 && !locked
        ? button(text.retryFailed(refused), () => tools.withDialogs((dialogs) => dialogs.retryFailed()))
        : nothing
    }
    ${
      conflict > 0 && !locked
        ? button(text.conflictsTitle, () => tools.withDialogs((dialogs) => dialogs.conflicts()), 'plain', true)
        : nothing
    }
  </div>`;
}

function selected(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { selection, filter } = tools;
  const { order } = filter;
  const { text, locked } = tools.context;
  if (selection.count === 0 || locked) return nothing;
  const bulk = (available: boolean): (() => void) => {
    return () => tools.withDialogs((dialogs) => dialogs.bulk(available));
  };
  return html`<div class="bar" part="selection">
    <span>${tools.isSelecting ? text.counting : text.selected(selection.count)}</span>
    ${
      selection.state(order) === 'all'
        ? nothing
        : button(
            filter.busy ? text.selectAll : text.selectMatching(order.length),
            () => {
              tools.selectAll();
            },
            'link',
          )
    }
    ${button(
      text.clearSelection,
      () => {
        tools.clearSelection();
      },
      'link',
    )}
    ${tools.isSelecting || !tools.context.store.snapshot.canSchedule ? nothing : until(tools)}
    ${tools.isSelecting ? nothing : [button(text.setUnavailable(selection.count), bulk(false), 'plain closes', true), button(text.setAvailable(selection.count), bulk(true), 'plain opens', true)]}
  </div>`;
}

function until(tools: ToolsOfEditor): TemplateResult {
  const { table, store, text } = tools.context;
  const open = (): void => {
    const ids = tools.selection.rows().flatMap((itemIndex) => table.idAt(itemIndex) ?? []);
    void tools.openSchedule(
      ids.filter((id) => store.canEdit(id)),
      { onDone: () => void tools.endSelection() },
    );
  };
  return button(text.unavailableUntil, open, 'plain closes', true);
}

function unsaved(tools: ToolsOfEditor): TemplateResult | typeof nothing {
  const { progress, context } = tools;
  const { text, table, locked } = context;
  const { changed } = table.counts;
  if (progress !== undefined) {
    return html`<div class="bar save" part="save">
      <span class="brief">${text.saving(progress.saved, progress.of)}</span>
      <progress max=${progress.of} .value=${progress.saved} aria-label=${text.save}></progress>
      ${button(text.cancel, ({ detail }) => {
        // It takes the place of "Save", so the second press of a double press on "Save" must not act.
        if (detail < 2) tools.cancelSave();
      })}
    </div>`;
  }
  // In `auto` mode there are no new drafts, but drafts from before may be left.
  if (locked || changed === 0) return nothing;
  const { refused } = tools.autosave;
  return html`<div class="bar save" part="save">
    <span class=${refused ? '' : 'brief'}
      >${text.changes(changed)}${refused ? html` <small>${text.draftsRefused}</small>` : nothing}</span
    >
    ${button(text.discard, () => {
      tools.discard();
    })}
    ${button(text.save, () => void tools.save(), 'strong')}
  </div>`;
}
