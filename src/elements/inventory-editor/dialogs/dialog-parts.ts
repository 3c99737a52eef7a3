import { html, type TemplateResult } from 'lit';
import type { ItemRow } from '../../../client/editor/editor-types.js';
import type { Timestamp } from '../../../domain/item.js';
import { timeOfDay } from '../../shared/relative-time.js';
import type { EditorContext, PanelsOfEditor } from '../editor-context.js';
import { rowStatus } from '../list/row-status.js';

/** What several dialogs draw alike. */

/** @param look classes of the button: `plain` or `strong`, and what it does */
export function button(label: string, press: () => void, look = 'plain'): TemplateResult {
  return html`<button
    type="button"
    class=${look}
    part=${look.startsWith('strong') ? 'button primary-button' : 'button'}
    @click=${press}
  >
    ${label}
  </button>`;
}

/** Where the keyboard begins: a key that is pressed twice must not discard anything. */
export function leave(label: string, panels: PanelsOfEditor): TemplateResult {
  return html`<button type="button" class="plain" part="button" autofocus @click=${panels.dismiss}>${label}</button>`;
}

export function close(panels: PanelsOfEditor): TemplateResult {
  return leave(panels.tools.context.text.close, panels);
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
