import { html, nothing, type TemplateResult } from 'lit';
import type { ItemIndex, ItemRow } from '../../../client/editor/editor-types.js';
import type { DialogView, DialogsOfEditor } from '../editor-context.js';
import { button, close, moment, statusOf, valueText } from './dialog-parts.js';
import { isConflict, renderConflictChoices, renderConflict, retryOrDiscard, signOf } from './dialog-views.js';

/**
 * The details of one item, with its switch.
 *
 * @param changes the rendered last changes of the item
 * @returns `undefined` if the item has no row any more
 */
export function renderDetails(
  dialogs: DialogsOfEditor,
  itemIndex: ItemIndex,
  changes: TemplateResult | typeof nothing,
): DialogView | undefined {
  const { context } = dialogs.tools;
  const { text } = context;
  const item = context.table.row(itemIndex);
  if (item === undefined) return undefined;
  const { view } = item;
  const { image, group, note } = view;
  return {
    title: view.label ?? view.id,
    body: html`${image === undefined ? nothing : picture(image)}
      <dl class="facts">
        ${isConflict(item) ? nothing : fact(text.value, renderSwitch(dialogs, item), 'value')}
        <dt>${text.columns.status}</dt>
        <dd data-sign=${signOf(item)}>${statusOf(context, item)}</dd>
        ${isConflict(item) ? renderConflict(context, item) : renderTimes(dialogs, item)}
        ${fact(text.id, html`<bdi>${view.id}</bdi>`)}
        ${group === undefined ? nothing : fact(text.columns.group, html`<bdi>${group}</bdi>`)}
        ${note === undefined ? nothing : fact(text.note, html`<bdi>${note}</bdi>`, 'note')}
      </dl>
      ${changes}`,
    choices: html`${until(dialogs, item)}${item.conflict === undefined ? retryOrDiscard(dialogs, item) : renderConflictChoices(dialogs, itemIndex)}${close(dialogs)}`,
  };
}

function fact(name: string, value: unknown, className = ''): TemplateResult {
  return html`<dt class=${className === 'value' ? className : ''}>${name}</dt>
    <dd class=${className}>${value}</dd>`;
}

/** A picture that cannot be loaded is hidden, without a placeholder. */
function picture(source: string): TemplateResult {
  const show = ({ type, target }: Event): void => {
    (target as HTMLElement).hidden = type === 'error';
  };
  return html`<img class="picture" part="thumbnail" alt="" src=${source} @error=${show} @load=${show} />`;
}

/** The value that the person sees in the row, which may be a draft. */
function renderSwitch({ tools }: DialogsOfEditor, { itemIndex, view, draft, canEdit }: ItemRow): TemplateResult {
  const { context } = tools;
  const available = draft ?? view.available;
  const isLocked = context.locked || !canEdit;
  const set = (value: boolean) => (event: MouseEvent) => {
    // The second click of a double click on the item's name hits the switch.
    if (!isLocked && event.detail < 2) void tools.set(itemIndex, value);
  };
  if (available === undefined) {
    const choices = isLocked ? [] : [true, false];
    return html`${valueText(context, undefined)}
      <div class="act">
        ${choices.map(
          (value) =>
            html`<button
              type="button"
              class=${value ? 'plain opens' : 'plain closes'}
              part="button"
              @click=${set(value)}
            >
              ${valueText(context, value)}
            </button>`,
        )}
      </div>`;
  }
  return html`<div class="act">
    <button
      type="button"
      role="switch"
      part="switch"
      id="panel-switch"
      aria-labelledby="panel-title panel-switch"
      aria-checked=${available ? 'true' : 'false'}
      aria-disabled=${isLocked ? 'true' : nothing}
      @click=${set(!available)}
    >
      ${valueText(context, available)}
    </button>
  </div>`;
}

/** The value on the portal with its time, and the last change with its author. */
function renderTimes({ tools }: DialogsOfEditor, { view }: ItemRow): unknown[] {
  const { context } = tools;
  const { text } = context;
  const { available, truth, portal_available, settled_at, updated_at, by } = view;
  const onPortal = truth === 'on-portal' ? available : portal_available;
  const since = settled_at === undefined ? '' : ` · ${moment(context, settled_at)}`;
  return [
    onPortal === undefined ? nothing : fact(text.portalNow, `${valueText(context, onPortal)}${since}`),
    ' ',
    updated_at === undefined
      ? nothing
      : fact(text.lastChange, `${moment(context, updated_at)}${by === undefined ? '' : ` ${text.by(by)}`}`),
  ];
}

/** The button that opens the dialog for schedules, if this person may set them. */
function until(dialogs: DialogsOfEditor, { view, canEdit }: ItemRow): TemplateResult | typeof nothing {
  const { text, locked, store } = dialogs.tools.context;
  if (locked || !canEdit || !store.snapshot.canSchedule) return nothing;
  return button(text.unavailableUntil, () => {
    dialogs.dismiss();
    void dialogs.tools.openSchedule([view.id]);
  });
}
