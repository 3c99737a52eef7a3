import { html, nothing, type TemplateResult } from 'lit';
import type { HistoryList } from '../../../../client/history/history-list.js';
import type { HistoryEntry } from '../../../../contract/history.js';
import { EDIT_STATES, truthOf } from '../../../../domain/edit-state.js';
import type { FeatureDictionary } from '../../../../locales/features/feature-dictionary.js';
import { dayOf, timeOf, timeOfDay } from '../../../shared/relative-time.js';
import type { EditorContext } from '../../editor-context.js';

export interface EntriesOptions {
  readonly context: EditorContext;
  readonly text: FeatureDictionary;
  readonly list: HistoryList;
  /** The number of entries that are rendered. */
  readonly shown: number;
  /** Names the item of an entry; absent if all entries are of one item. */
  readonly nameOf?: (entry: HistoryEntry) => string;
  readonly onMore: () => void;
  readonly onRetry: () => void;
}

/** Options for the history of all items. */
export interface ActsOptions extends Pick<EntriesOptions, 'context' | 'text' | 'list' | 'onMore'> {
  readonly isFiltered: boolean;
  /** The change sets whose items are listed, by the id of the entry. */
  readonly acts: ReadonlyMap<string, { readonly list: HistoryList; readonly shown: number }>;
  readonly nameOf: (entry: HistoryEntry) => string;
  readonly onToggle: (entry: HistoryEntry) => void;
  readonly onUndo: (entry: HistoryEntry) => void;
  readonly onMoreOf: (edit: string) => void;
  readonly onRetry: (list: HistoryList) => void;
}

/** The list of entries, and the text in its place: loading, none, or a failure. */
export function renderEntries(options: EntriesOptions): TemplateResult {
  const { list, shown, context, text, nameOf } = options;
  const drawn = list.entries.slice(0, shown);
  const isBusy = list.status === 'loading';
  const entry = (one: HistoryEntry): TemplateResult => {
    const { language, timeZone } = context;
    const time = timeOfDay(one.accepted_at, Date.now(), language, timeZone);
    return html`<li data-edit=${one.edit_id}>${renderEntry(one, time, context, text, nameOf?.(one))}</li>`;
  };
  return html`${
    drawn.length === 0
      ? nothing
      : html`<ul class="listing history" aria-busy=${isBusy ? 'true' : 'false'}>
          ${drawn.map(entry)}
        </ul>`
  }
  ${renderEnd(options, text.historyEmpty)}`;
}

/** The entries grouped by days in the page's time zone, with one entry for each change set. */
export function renderActs(options: ActsOptions): TemplateResult {
  const { context, text, list, isFiltered, onRetry } = options;
  const days = new Map<string, HistoryEntry[]>();
  for (const entry of list.entries) {
    const day = dayOf(entry.accepted_at, context.language, context.timeZone);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return html`${[...days].map(
    ([day, entries]) =>
      html`<h4>${day}</h4>
        <ul class="listing history" aria-label=${day}>
          ${entries.map((entry) => renderAct(entry, options))}
        </ul>`,
  )}
  ${renderEnd(
    {
      ...options,
      shown: list.entries.length,
      onRetry: () => {
        onRetry(list);
      },
    },
    isFiltered ? context.text.noMatch : text.historyEmpty,
  )}`;
}

function renderAct(entry: HistoryEntry, options: ActsOptions): TemplateResult {
  const { context, text, acts, nameOf, onToggle, onUndo, onMoreOf, onRetry } = options;
  const time = timeOf(entry.accepted_at, context.language, context.timeZone);
  const { summary, edit_id } = entry;
  const opened = acts.get(edit_id);
  const revertible =
    summary?.revertible ?? (entry.current && entry.from !== undefined && entry.from !== entry.to ? 1 : 0);
  const undo =
    revertible === 0 || context.locked
      ? nothing
      : html`<button
          type="button"
          class="link"
          aria-label=${`${context.text.undo}: ${summary === undefined ? nameOf(entry) : `${whoMade(entry, context, text)}, ${time}`}`}
          @click=${() => {
            onUndo(entry);
          }}
        >
          ${context.text.undo}${summary === undefined ? '' : ` (${context.text.number(revertible)})`}
        </button>`;
  if (summary === undefined) {
    return html`<li data-edit=${edit_id}>
      ${renderEntry(entry, time, context, text, nameOf(entry))}
      <div class="acts">${undo}</div>
    </li>`;
  }
  return html`<li data-edit=${edit_id} class="act-of-many">
    ${renderSummary(entry, summary, time, options)}
    <div class="acts">
      <button
        type="button"
        class="link"
        aria-expanded=${opened === undefined ? 'false' : 'true'}
        aria-label=${`${text.itemsOfAct}: ${whoMade(entry, context, text)}, ${time}`}
        @click=${() => {
          onToggle(entry);
        }}
      >
        ${text.itemsOfAct}
      </button>
      ${undo}
    </div>
    ${
      opened === undefined
        ? nothing
        : html`<div class="items-of-act">
            ${renderEntries({
              context,
              text,
              list: opened.list,
              shown: opened.shown,
              nameOf,
              onMore: () => {
                onMoreOf(edit_id);
              },
              onRetry: () => {
                onRetry(opened.list);
              },
            })}
          </div>`
    }
  </li>`;
}

function renderSummary(
  entry: HistoryEntry,
  { available, unavailable, states }: NonNullable<HistoryEntry['summary']>,
  time: string,
  { context, text }: ActsOptions,
): TemplateResult {
  const { number } = context.text;
  const reached = EDIT_STATES.filter((state) => (states[state] ?? 0) > 0);
  return html`${unavailable === 0 ? nothing : html`<b class="closes">${text.closedCount(number(unavailable))}</b>`}
    ${available === 0 ? nothing : html`<b class="opens">${text.openedCount(number(available))}</b>`}
    <span>
      <time datetime=${entry.accepted_at}>${time}</time> · ${whoMade(entry, context, text)} ·
      ${reached.map(
        (state, at) =>
          html`${at === 0 ? nothing : ', '}<em data-sign=${truthOf(state) ?? nothing}
              >${text.outcome[state]}${reached.length === 1 ? '' : ` (${number(states[state] ?? 0)})`}</em
            >`,
      )}
    </span>`;
}

function renderEntry(
  entry: HistoryEntry,
  time: string,
  context: EditorContext,
  own: FeatureDictionary,
  name?: string,
): TemplateResult {
  const { text } = context;
  const change = text.fromTo(valueText(context, entry.from), valueText(context, entry.to));
  const why = reasonText(entry, context);
  return html`${name === undefined ? nothing : html`<b><bdi>${name}</bdi></b>`}
    <b class=${entry.to ? 'opens' : 'closes'}>${change}</b>
    <span>
      <time datetime=${entry.accepted_at}>${time}</time> · ${whoMade(entry, context, own)} ·
      <em data-sign=${truthOf(entry.state) ?? nothing}>${own.outcome[entry.state]}</em></span
    >
    ${why === '' ? nothing : html`<span>${why}</span>`}`;
}

/** Why the edit waits or was rejected, while it is the newest of its item: then the person may have to act. */
function reasonText({ state, reason, current }: HistoryEntry, { text }: EditorContext): string {
  if (reason === undefined || current !== true) return '';
  if (state === 'refused') return text.attention(reason);
  return state === 'received' ? text.delayed(reason) : '';
}

/** The end of a list: the button for more, or the text that it is loading, empty or failed. */
function renderEnd({ context, text, list, shown, onMore, onRetry }: EntriesOptions, empty: string): TemplateResult {
  const { entries, status, problem, hasMore } = list;
  const statusText =
    status === 'loading'
      ? context.text.loading
      : status === 'failed'
        ? text.historyFailed(problem ?? '')
        : entries.length === 0
          ? empty
          : '';
  return html`<p class="hint" role="status">${statusText}</p>
    ${status === 'failed' ? button(context.text.tryAgain, onRetry) : nothing}
    ${
      // The button stays while more entries are loading, so that it keeps the focus.
      status !== 'failed' && (hasMore || entries.length > shown) ? button(text.showMore, onMore) : nothing
    }`;
}

function button(label: string, press: () => void): TemplateResult {
  return html`<button type="button" class="plain" part="button" @click=${press}>${label}</button>`;
}

export function valueText({ text }: EditorContext, available: boolean | undefined): string {
  if (available === undefined) return text.notSetYet;
  return available ? text.available : text.notAvailable;
}

export function nameOf({ id }: HistoryEntry, { store }: EditorContext): string {
  return store.view(id).label ?? id;
}

/**
 * The name of the person who made the edit. Another person without a name is called a colleague, because an id says
 * nothing.
 */
export function personName(
  { subject, name }: HistoryEntry,
  { store, text }: EditorContext,
  own: FeatureDictionary,
): string {
  return store.isOwnSubject(subject) ? text.you : (name ?? own.colleague);
}

function whoMade(entry: HistoryEntry, context: EditorContext, own: FeatureDictionary): string {
  const name = `\u2068${personName(entry, context, own)}\u2069`;
  return entry.by === 'schedule' ? own.bySchedule(name) : name;
}
