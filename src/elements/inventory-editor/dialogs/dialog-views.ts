import { html, nothing, type TemplateResult } from 'lit';
import type { ItemRow, Position } from '../../../client/editor/editor-types.js';
import { isChoice } from '../../../client/model/item-view.js';
import type { Timestamp } from '../../../domain/item.js';
import { conflictValues, renderValues, type ConflictValue } from '../../shared/conflict-card.js';
import { timeOfDay } from '../../shared/relative-time.js';
import { setSelected, turnAll } from '../editing/bulk-edit.js';
import { rowStatus } from '../list/row-status.js';
import type { EditorContext, EditorTexts, PanelView, PanelsOfEditor, SignOutChoice } from '../editor-context.js';

function button(label: string, press: () => void, look = 'plain'): TemplateResult {
  return html`<button
    type="button"
    class=${look}
    part=${look === 'strong' ? 'button primary-button' : 'button'}
    @click=${press}
  >
    ${label}
  </button>`;
}

/** Where the keyboard begins: a key that is pressed twice must not discard anything. */
function leave(label: string, panels: PanelsOfEditor): TemplateResult {
  return html`<button type="button" class="plain" part="button" autofocus @click=${panels.dismiss}>${label}</button>`;
}

function close(panels: PanelsOfEditor): TemplateResult {
  return leave(panels.tools.context.text.close, panels);
}

function moment({ language, timeZone }: EditorContext, time: Timestamp): string {
  return timeOfDay(time, Date.now(), language, timeZone);
}

function valueWord({ text }: EditorContext, available: boolean | undefined): string {
  if (available === undefined) return text.notSetYet;
  return available ? text.available : text.notAvailable;
}

function statusOf({ store, text }: EditorContext, item: ItemRow): string {
  return rowStatus(item, store.snapshot, text);
}

/** What the colour goes by: a wish that is not saved has none of the four. */
function signOf({ view, draft, met }: ItemRow): string {
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

/** A question only where there is something to ask. */
function bulkTitle(text: EditorTexts, change: number, available: boolean): string {
  return change === 0 ? text.bulkNothing : text.bulkTitle(change, available);
}

export function renderBulk(panels: PanelsOfEditor, available: boolean): PanelView {
  const { tools } = panels;
  const { text } = tools.context;
  const { change, same, locked } = tools.draft.preview(tools.selection, available);
  const body = html`${mayNot(panels)}${same > 0 ? html`<p>${text.bulkSame(same, available)}</p>` : nothing}
  ${locked > 0 ? html`<p>${text.bulkLocked(locked)}</p>` : nothing}`;
  const set = (): void => {
    if (panels.leave()) void setSelected(tools, available);
  };
  return {
    title: bulkTitle(text, change, available),
    body,
    choices: cancelOrSet(panels, change, available, set),
  };
}

export function renderTurnAll(panels: PanelsOfEditor, available: boolean): PanelView {
  const { tools } = panels;
  const { text } = tools.context;
  const { change, skipped } = tools.closings.preview(available);
  const turn = (): void => {
    panels.dismiss();
    void turnAll(tools, available);
  };
  return {
    title: bulkTitle(text, change, available),
    body: html`${mayNot(panels)}
    ${change === 0 ? nothing : html`<p>${available ? text.reopenText : text.closeAllText}</p>`}
    ${skipped > 0 ? html`<p>${text.turnSkipped(skipped)}</p>` : nothing}`,
    choices: cancelOrSet(panels, change, available, turn),
  };
}

/** What may be changed may end while a preview is open. */
function mayNot({ tools }: PanelsOfEditor): TemplateResult | typeof nothing {
  const { text, locked } = tools.context;
  return locked ? html`<p>${text.readOnly}</p>` : nothing;
}

function cancelOrSet(panels: PanelsOfEditor, change: number, available: boolean, set: () => void): TemplateResult {
  const { text, locked } = panels.tools.context;
  return html`${leave(text.cancel, panels)}
  ${change === 0 || locked ? nothing : button(text.bulkSet(change, available), set, 'strong')}`;
}

export function renderSignOut(
  panels: PanelsOfEditor,
  unsent: number,
  answer: (choice: SignOutChoice) => void,
): PanelView {
  const { text } = panels.tools.context;
  const choice = (name: SignOutChoice, label: string): TemplateResult =>
    button(label, () => {
      answer(name);
    });
  return {
    title: text.signOutUnsent(unsent),
    body: html``,
    choices: html`${choice('send', text.signOutSend)}${choice('delete', text.signOutDelete)}${choice('stay', text.signOutStay)}`,
  };
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

function renderConflict(context: EditorContext, item: ItemRow): unknown[] {
  const { text } = context;
  return renderValues(valuesOf(item, text), ({ available, updated_at, by }) =>
    [
      valueWord(context, available),
      ...(updated_at === undefined ? [] : [moment(context, updated_at)]),
      ...(by === undefined ? [] : [text.by(by)]),
    ].join(' · '),
  );
}

function isConflict({ view, met }: ItemRow): boolean {
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

function keepOrTake(panels: PanelsOfEditor, position: Position): TemplateResult | typeof nothing {
  const { context } = panels.tools;
  const { text, locked } = context;
  const item = context.table.row(position);
  if (locked || item === undefined) return nothing;
  const { mine, theirs } = sidesOf(item);
  return html`${button(text.keepMine(valueWord(context, mine.available), mine.by), () => {
    resolve(panels, position, 'mine');
  })}${button(text.takeTheirs(valueWord(context, theirs.available), theirs.by), () => {
    resolve(panels, position, 'theirs');
  })}`;
}

function retryOrDiscard(panels: PanelsOfEditor, item: ItemRow): TemplateResult | typeof nothing {
  const { text, locked } = panels.tools.context;
  const { id, truth } = item.view;
  if (locked || item.draft !== undefined) return nothing;
  if (isConflict(item)) return keepOrTake(panels, item.position);
  return html`${truth === 'needs-attention' ? button(text.sendAgain, () => void panels.retry(id)) : nothing}
  ${truth === 'needs-attention' || truth === 'on-device' ? button(text.discard, () => void panels.discard(id)) : nothing}`;
}

/** @returns `undefined`: the item is no row any more */
export function renderDetails(panels: PanelsOfEditor, position: Position): PanelView | undefined {
  const { context } = panels.tools;
  const { text } = context;
  const item = context.table.row(position);
  if (item === undefined) return undefined;
  const { view, draft } = item;
  const { note } = view;
  // Of the value, and not of what the person wants instead.
  const settled = draft === undefined ? view.settled_at : undefined;
  const body = html`<dl class="facts">
    ${
      isConflict(item)
        ? nothing
        : html`<dt>${text.value}</dt>
            <dd>${valueWord(context, draft ?? view.available)}</dd>`
    }
    <dt>${text.columns.status}</dt>
    <dd data-sign=${signOf(item)}>
      ${statusOf(context, item)}${settled === undefined ? nothing : ` · ${moment(context, settled)}`}
    </dd>
    ${
      isConflict(item)
        ? renderConflict(context, item)
        : view.updated_at === undefined
          ? nothing
          : html`<dt>${text.lastChange}</dt>
              <dd>
                ${moment(context, view.updated_at)}${view.by === undefined ? nothing : html` ${text.by(view.by)}`}
              </dd>`
    }
    <dt>${text.id}</dt>
    <dd><bdi>${view.id}</bdi></dd>
    ${
      view.group === undefined
        ? nothing
        : html`<dt>${text.columns.group}</dt>
            <dd><bdi>${view.group}</bdi></dd>`
    }
    ${
      note === undefined
        ? nothing
        : html`<dt>${text.note}</dt>
            <dd class="note"><bdi>${note}</bdi></dd>`
    }
  </dl>`;
  return {
    title: view.label ?? view.id,
    body,
    choices: html`${until(panels, item)}${item.met === undefined ? retryOrDiscard(panels, item) : keepOrTake(panels, position)}${close(panels)}`,
  };
}

/** Until when the item is unavailable, where the proxy takes that from this person. */
function until(panels: PanelsOfEditor, { view, mayEdit }: ItemRow): TemplateResult | typeof nothing {
  const { text, locked, store } = panels.tools.context;
  if (locked || !mayEdit || !store.snapshot.canSchedule) return nothing;
  return button(text.unavailableUntil, () => {
    panels.dismiss();
    void panels.tools.openSchedule([view.id]);
  });
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
          <b><bdi>${view.label ?? view.id}</bdi></b> ${valueWord(context, item.draft ?? view.available)}
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
