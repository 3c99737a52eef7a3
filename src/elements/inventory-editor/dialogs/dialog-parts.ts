import { html, type TemplateResult } from 'lit';
import type { ItemRow } from '../../../client/editor/editor-types.js';
import type { Timestamp } from '../../../domain/item.js';
import { timeOfDay } from '../../shared/relative-time.js';
import type { EditorContext, DialogsOfEditor } from '../editor-context.js';
import { rowStatus } from '../list/row-status.js';

/** Templates and texts that several dialogs share. */

/** @param className classes of the button: `plain` or `strong`, and one for its effect */
export function button(label: string, press: () => void, className = 'plain'): TemplateResult {
  return html`<button
    type="button"
    class=${className}
    part=${className.startsWith('strong') ? 'button primary-button' : 'button'}
    @click=${press}
  >
    ${label}
  </button>`;
}

/** The button that closes the dialog. It has the first focus, so that a key pressed twice discards nothing. */
export function leave(label: string, dialogs: DialogsOfEditor): TemplateResult {
  return html`<button type="button" class="plain" part="button" autofocus @click=${dialogs.dismiss}>${label}</button>`;
}

export function close(dialogs: DialogsOfEditor): TemplateResult {
  return leave(dialogs.tools.context.text.close, dialogs);
}

export function moment({ language, timeZone }: EditorContext, time: Timestamp): string {
  return timeOfDay(time, Date.now(), language, timeZone);
}

export function valueText({ text }: EditorContext, available: boolean | undefined): string {
  if (available === undefined) return text.notSetYet;
  return available ? text.available : text.notAvailable;
}

export function statusOf({ store, text }: EditorContext, item: ItemRow): string {
  return rowStatus(item, store.snapshot, text);
}
