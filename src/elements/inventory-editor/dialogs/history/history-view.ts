import { html, nothing, type TemplateResult } from 'lit';
import type { HistoryList } from '../../../../client/history/history-list.js';
import type { HistoryEntry } from '../../../../contract/history.js';
import { truthOf } from '../../../../domain/edit-state.js';
import type { FeatureDictionary } from '../../../../locales/features/feature-dictionary.js';
import { timeOfDay } from '../../../shared/relative-time.js';
import type { EditorContext } from '../../editor-context.js';

export interface EntriesOptions {
  readonly context: EditorContext;
  readonly text: FeatureDictionary;
  readonly list: HistoryList;
  /** How many entries are drawn. */
  readonly shown: number;
  /** Where entries are of several items: the name of each. */
  readonly nameOf?: (entry: HistoryEntry) => string;
  readonly onMore: () => void;
  readonly onRetry: () => void;
}

/** Entries as a list that a person reads, and what there is instead of it: loading, none, or a failure. */
export function renderEntries(options: EntriesOptions): TemplateResult {
  const { context, text, list, shown, onMore, onRetry } = options;
  const { entries, status, hasMore } = list;
  const drawn = entries.slice(0, shown);
  return html`${
      drawn.length === 0
        ? nothing
        : html`<ul class="listing history" aria-busy=${status === 'loading' ? 'true' : 'false'}>
            ${drawn.map((entry) => renderEntry(entry, options))}
          </ul>`
    }
    <p class="hint" role="status">${statusOf(options)}</p>
    ${status === 'failed' ? button(context.text.tryAgain, onRetry) : nothing}
    ${
      // It stays while more is loaded, so that it keeps the focus.
      status !== 'failed' && (hasMore || entries.length > shown) ? button(text.showMore, onMore) : nothing
    }`;
}

function button(label: string, press: () => void): TemplateResult {
  return html`<button type="button" class="plain" part="button" @click=${press}>${label}</button>`;
}

function valueText({ text }: EditorContext, available: boolean | undefined): string {
  if (available === undefined) return text.notSetYet;
  return available ? text.available : text.notAvailable;
}

function statusOf({ context, text, list }: EntriesOptions): string {
  const { entries, status, problem } = list;
  switch (status) {
    case 'loading':
      return context.text.loading;
    case 'failed':
      return text.historyFailed(problem ?? '');
    case 'ready':
      return entries.length === 0 ? text.historyEmpty : '';
  }
}

function renderEntry(entry: HistoryEntry, { context, text, nameOf }: EntriesOptions): TemplateResult {
  const { language, timeZone } = context;
  const change = context.text.fromTo(valueText(context, entry.from), valueText(context, entry.to));
  return html`<li data-edit=${entry.edit_id}>
    ${nameOf === undefined ? nothing : html`<b><bdi>${nameOf(entry)}</bdi></b>`}
    <b class=${entry.to ? 'opens' : 'closes'}>${change}</b>
    <span>
      <time datetime=${entry.accepted_at}>${timeOfDay(entry.accepted_at, Date.now(), language, timeZone)}</time> ·
      ${whoMade(entry, context, text)} ·
      <em data-sign=${truthOf(entry.state) ?? nothing}>${text.outcome[entry.state]}</em></span
    >
  </li>`;
}

/** A person without a name is not shown by id. */
export function whoMade(entry: HistoryEntry, { store, text }: EditorContext, own: FeatureDictionary): string {
  const isOwn = store.isOwnSubject(entry.subject);
  const name = isOwn ? text.you : entry.name === undefined ? own.colleague : `\u2068${entry.name}\u2069`;
  return entry.by === 'schedule' ? own.bySchedule(name) : name;
}
