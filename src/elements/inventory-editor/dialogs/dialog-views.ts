import { html, nothing, type TemplateResult } from 'lit';
import type { ItemIndex, ItemRow } from '../../../client/editor/editor-types.js';
import { isChoice } from '../../../client/model/item-view.js';
import { conflictValues, renderValues, type ConflictValue } from '../../shared/conflict-card.js';
import type { EditorContext, EditorTexts, DialogView, DialogsOfEditor } from '../editor-context.js';
import { button, close, moment, statusOf, valueText } from './dialog-parts.js';

/** Selects the colour: a draft has no delivery status. */
export function signOf({ view, draft, conflict }: ItemRow): string {
  if (conflict !== undefined) return 'needs-attention';
  return draft === undefined ? (view.truth ?? 'given') : 'changed';
}

export function renderKeys(dialogs: DialogsOfEditor): DialogView {
  const { text } = dialogs.tools.context;
  const body = html`<dl class="key-list">
    ${text.keyList.map(
      ([keys, does]) =>
        html`<dt><kbd>${keys}</kbd></dt>
          <dd>${does}</dd>`,
    )}
  </dl>`;
  return { title: text.keys, body, choices: close(dialogs) };
}

/** The values of a conflict, of a draft or of an edit at the proxy. */
function valuesOf({ view, conflict }: ItemRow, text: EditorTexts): readonly ConflictValue[] {
  const { before, you, now, truth } = text;
  if (conflict === undefined) return conflictValues(view, { before, you, now, onDevice: truth['on-device'] });
  return [
    { name: before, available: conflict.base },
    { name: you, available: conflict.mine },
    { name: now, available: conflict.theirs, updated_at: view.updated_at, by: view.by },
  ];
}

export function renderConflict(context: EditorContext, item: ItemRow): unknown[] {
  const { text } = context;
  return renderValues(valuesOf(item, text), ({ available, updated_at, by }) =>
    [
      valueText(context, available),
      ...(updated_at === undefined ? [] : [moment(context, updated_at)]),
      ...(by === undefined ? [] : [text.by(by)]),
    ].join(' · '),
  );
}

export function isConflict({ view, conflict }: ItemRow): boolean {
  return conflict !== undefined || isChoice(view);
}

function resolve(dialogs: DialogsOfEditor, itemIndex: ItemIndex, keep: 'mine' | 'theirs'): void {
  const { draft, context } = dialogs.tools;
  const item = context.table.row(itemIndex);
  if (item === undefined) return;
  const { id } = item.view;
  if (item.conflict !== undefined) draft.resolve(itemIndex, keep);
  else if (keep === 'theirs') void dialogs.discard(id);
  else void dialogs.retry(id);
  context.requestUpdate();
}

interface ConflictSide {
  readonly available: boolean | undefined;
  /** The name of the person who chose the value, if that is another person and the name is known. */
  readonly by: string | undefined;
}

/** The two values between which a person chooses. */
function sidesOf({ view, conflict }: ItemRow): Readonly<Record<'mine' | 'theirs', ConflictSide>> {
  if (conflict !== undefined)
    return { mine: { available: conflict.mine, by: undefined }, theirs: { available: conflict.theirs, by: view.by } };
  const { available, by, theirs } = view;
  const now = theirs?.available ?? (available === undefined ? undefined : !available);
  return { mine: { available, by }, theirs: { available: now, by: theirs?.by } };
}

export function renderConflictChoices(dialogs: DialogsOfEditor, itemIndex: ItemIndex): TemplateResult | typeof nothing {
  const { context } = dialogs.tools;
  const { text, locked } = context;
  const item = context.table.row(itemIndex);
  if (locked || item === undefined) return nothing;
  const { mine, theirs } = sidesOf(item);
  return html`${button(text.keepMine(valueText(context, mine.available), mine.by), () => {
    resolve(dialogs, itemIndex, 'mine');
  })}${button(text.takeTheirs(valueText(context, theirs.available), theirs.by), () => {
    resolve(dialogs, itemIndex, 'theirs');
  })}`;
}

export function retryOrDiscard(dialogs: DialogsOfEditor, item: ItemRow): TemplateResult | typeof nothing {
  const { text, locked } = dialogs.tools.context;
  const { id, truth } = item.view;
  if (locked || item.draft !== undefined) return nothing;
  if (isConflict(item)) return renderConflictChoices(dialogs, item.itemIndex);
  return html`${truth === 'needs-attention' ? button(text.sendAgain, () => void dialogs.retry(id)) : nothing}
  ${truth === 'needs-attention' || truth === 'on-device' ? button(text.discard, () => void dialogs.discard(id)) : nothing}`;
}

function listing(dialogs: DialogsOfEditor, names: readonly ('waiting' | 'attention' | 'conflict')[]): TemplateResult {
  const { context } = dialogs.tools;
  const lists = names.map((name) => dialogs.listed(name));
  const itemIndexes = lists.flatMap((list) => list.itemIndexes);
  const rest = lists.reduce((sum, { count }) => sum + count, 0) - itemIndexes.length;
  return html`<ul class="listing">
      ${itemIndexes.map((itemIndex) => {
        const item = context.table.row(itemIndex);
        if (item === undefined) return nothing;
        const { view } = item;
        return html`<li data-item=${itemIndex}>
          <b><bdi>${view.label ?? view.id}</bdi></b> ${valueText(context, item.draft ?? view.available)}
          <span data-sign=${signOf(item)}>${statusOf(context, item)}</span>
          ${isConflict(item) ? html`<dl class="facts">${renderConflict(context, item)}</dl>` : nothing}
          <div class="choices">
            ${item.conflict === undefined ? retryOrDiscard(dialogs, item) : renderConflictChoices(dialogs, itemIndex)}
          </div>
        </li>`;
      })}
    </ul>
    ${rest > 0 ? html`<p>${context.text.more(rest)}</p>` : nothing}`;
}

export function renderQueue(dialogs: DialogsOfEditor): DialogView {
  const { context } = dialogs.tools;
  const { attention, conflict, waiting } = context.table.counts;
  const { inVain } = dialogs.tools.outcomes;
  return {
    title: context.text.queueTitle,
    body: html`${inVain === '' ? nothing : html`<p>${inVain}</p>`}
    ${attention + waiting > 0 ? listing(dialogs, ['attention', 'waiting']) : html`<p>${context.text.queueEmpty}</p>`}`,
    choices: html`${
      attention > conflict && !context.locked
        ? button(context.text.retryAll, () => {
            dialogs.retryFailed();
          })
        : nothing
    }${close(dialogs)}`,
  };
}

export function renderConflicts(dialogs: DialogsOfEditor): DialogView {
  const { context } = dialogs.tools;
  const { text } = context;
  const { conflict } = context.table.counts;
  const all = (keep: 'mine' | 'theirs'): (() => void) => {
    return () => {
      void dialogs.eachOf('conflict', (itemIndex) => {
        resolve(dialogs, itemIndex, keep);
      });
    };
  };
  return {
    title: text.conflictsTitle,
    // The choice may still be in flight, so the text does not say that the edit waits.
    body: html`<p>${conflict > 0 ? text.conflictsText : text.conflicts(0)}</p>
      ${conflict > 0 ? listing(dialogs, ['conflict']) : nothing}`,
    choices: html`${
      conflict > 0 && !context.locked
        ? html`${button(text.keepAllMine, all('mine'))}${button(text.takeAllTheirs, all('theirs'))}`
        : nothing
    }${close(dialogs)}`,
  };
}
