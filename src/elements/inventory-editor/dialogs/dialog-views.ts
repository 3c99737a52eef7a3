import { html, nothing, type TemplateResult } from 'lit';
import type { ItemRow, Position } from '../../../client/editor/editor-types.js';
import { isChoice } from '../../../client/model/item-view.js';
import { conflictValues, renderValues, type ConflictValue } from '../../shared/conflict-card.js';
import type { EditorContext, EditorTexts, PanelView, PanelsOfEditor } from '../editor-context.js';
import { button, close, moment, statusOf, valueText } from './dialog-parts.js';

/** What the colour goes by: a draft has none of those of the four truths. */
export function signOf({ view, draft, met }: ItemRow): string {
  if (met !== undefined) return 'needs-attention';
  return draft === undefined ? (view.truth ?? 'given') : 'changed';
}

export function renderKeys(panels: PanelsOfEditor): PanelView {
  const { text } = panels.tools.context;
  const body = html`<dl class="key-list">
    ${text.keyList.map(
      ([keys, does]) =>
        html`<dt><kbd>${keys}</kbd></dt>
          <dd>${does}</dd>`,
    )}
  </dl>`;
  return { title: text.keys, body, choices: close(panels) };
}

/** Of a wish that met another one here or at the proxy. */
function valuesOf({ view, met }: ItemRow, text: EditorTexts): readonly ConflictValue[] {
  const { before, you, now, truth } = text;
  if (met === undefined) return conflictValues(view, { before, you, now, onDevice: truth['on-device'] });
  return [
    { name: before, available: met.base },
    { name: you, available: met.mine },
    { name: now, available: met.theirs, updated_at: view.updated_at, by: view.by },
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

export function isConflict({ view, met }: ItemRow): boolean {
  return met !== undefined || isChoice(view);
}

function resolve(panels: PanelsOfEditor, position: Position, keep: 'mine' | 'theirs'): void {
  const { draft, context } = panels.tools;
  const item = context.table.row(position);
  if (item === undefined) return;
  const { id } = item.view;
  if (item.met !== undefined) draft.resolve(position, keep);
  else if (keep === 'theirs') void panels.discard(id);
  else void panels.retry(id);
  context.requestUpdate();
}

interface ConflictSide {
  readonly available: boolean | undefined;
  /** Who chose it, where that is somebody else and known. */
  readonly by: string | undefined;
}

/** The two values between which a person chooses. */
function sidesOf({ view, met }: ItemRow): Readonly<Record<'mine' | 'theirs', ConflictSide>> {
  if (met !== undefined)
    return { mine: { available: met.mine, by: undefined }, theirs: { available: met.theirs, by: view.by } };
  const { available, by, theirs } = view;
  const now = theirs?.available ?? (available === undefined ? undefined : !available);
  return { mine: { available, by }, theirs: { available: now, by: theirs?.by } };
}

export function keepOrTake(panels: PanelsOfEditor, position: Position): TemplateResult | typeof nothing {
  const { context } = panels.tools;
  const { text, locked } = context;
  const item = context.table.row(position);
  if (locked || item === undefined) return nothing;
  const { mine, theirs } = sidesOf(item);
  return html`${button(text.keepMine(valueText(context, mine.available), mine.by), () => {
    resolve(panels, position, 'mine');
  })}${button(text.takeTheirs(valueText(context, theirs.available), theirs.by), () => {
    resolve(panels, position, 'theirs');
  })}`;
}

export function retryOrDiscard(panels: PanelsOfEditor, item: ItemRow): TemplateResult | typeof nothing {
  const { text, locked } = panels.tools.context;
  const { id, truth } = item.view;
  if (locked || item.draft !== undefined) return nothing;
  if (isConflict(item)) return keepOrTake(panels, item.position);
  return html`${truth === 'needs-attention' ? button(text.sendAgain, () => void panels.retry(id)) : nothing}
  ${truth === 'needs-attention' || truth === 'on-device' ? button(text.discard, () => void panels.discard(id)) : nothing}`;
}

function listing(panels: PanelsOfEditor, names: readonly ('waiting' | 'attention' | 'conflict')[]): TemplateResult {
  const { context } = panels.tools;
  const lists = names.map((name) => panels.listed(name));
  const positions = lists.flatMap((list) => list.positions);
  const rest = lists.reduce((sum, { count }) => sum + count, 0) - positions.length;
  return html`<ul class="listing">
      ${positions.map((position) => {
        const item = context.table.row(position);
        if (item === undefined) return nothing;
        const { view } = item;
        return html`<li data-item=${position}>
          <b><bdi>${view.label ?? view.id}</bdi></b> ${valueText(context, item.draft ?? view.available)}
          <span data-sign=${signOf(item)}>${statusOf(context, item)}</span>
          ${isConflict(item) ? html`<dl class="facts">${renderConflict(context, item)}</dl>` : nothing}
          <div class="choices">
            ${item.met === undefined ? retryOrDiscard(panels, item) : keepOrTake(panels, position)}
          </div>
        </li>`;
      })}
    </ul>
    ${rest > 0 ? html`<p>${context.text.more(rest)}</p>` : nothing}`;
}

export function renderQueue(panels: PanelsOfEditor): PanelView {
  const { context } = panels.tools;
  const { attention, conflict, waiting } = context.table.counts;
  const { inVain } = panels.tools.aloud;
  return {
    title: context.text.queueTitle,
    body: html`${inVain === '' ? nothing : html`<p>${inVain}</p>`}
    ${attention + waiting > 0 ? listing(panels, ['attention', 'waiting']) : html`<p>${context.text.queueEmpty}</p>`}`,
    choices: html`${
      attention > conflict && !context.locked
        ? button(context.text.retryAll, () => {
            panels.retryFailed();
          })
        : nothing
    }${close(panels)}`,
  };
}

export function renderConflicts(panels: PanelsOfEditor): PanelView {
  const { context } = panels.tools;
  const { text } = context;
  const { conflict } = context.table.counts;
  const all = (keep: 'mine' | 'theirs'): (() => void) => {
    return () => {
      void panels.eachOf('conflict', (position) => {
        resolve(panels, position, keep);
      });
    };
  };
  return {
    title: text.conflictsTitle,
    // What was chosen may still be on its way: no word of what waits.
    body: html`<p>${conflict > 0 ? text.conflictsText : text.conflicts(0)}</p>
      ${conflict > 0 ? listing(panels, ['conflict']) : nothing}`,
    choices: html`${
      conflict > 0 && !context.locked
        ? html`${button(text.keepAllMine, all('mine'))}${button(text.takeAllTheirs, all('theirs'))}`
        : nothing
    }${close(panels)}`,
  };
}
