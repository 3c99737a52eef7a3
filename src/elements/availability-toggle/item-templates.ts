import { html, nothing, type TemplateResult } from 'lit';
import type { ItemView } from '../../client/model/item-view.js';
import type { InventoryStore } from '../../client/store/inventory-store.js';
import type { Truth } from '../../domain/edit-state.js';
import type { Timestamp } from '../../domain/item.js';
import type { ToggleTexts } from '../../locales/dictionary.js';
import { connectionText } from '../shared/connection-text.js';
import { truthIcon } from '../shared/icons.js';
import { timeAgo, timeAndDate, type TimeZone } from '../shared/relative-time.js';
import { shownToGuests, statusText, withGuestsView } from '../shared/status-text.js';

/** The status line of an item. */
export interface ItemStatus {
  readonly text: string;
  /** `undefined` if a problem is shown instead, or no edit is known. */
  readonly truth: Truth | undefined;
  readonly isProblem: boolean;
  /** In little room, the icon is shown alone. */
  readonly isBrief: boolean;
  /** The time at which the portal accepted the value. */
  readonly confirmedAt: Timestamp | undefined;
  readonly by: string | undefined;
}

/**
 * @param usageError a mistake of the page's author; empty if there is none
 * @param quiet an ancestor element reports connection problems
 */
export function itemStatus(
  view: ItemView | undefined,
  store: InventoryStore | undefined,
  usageError: string,
  quiet: boolean,
  texts: ToggleTexts,
): ItemStatus {
  const isConnectionShown = !quiet && view?.truth === undefined;
  const problem = usageError || (isConnectionShown ? connectionText(store?.snapshot, texts) : '');
  const isProblem = problem !== '' || view?.unsaved === true;
  const truth = isProblem ? undefined : view?.truth;
  return {
    text: problem || lineOf(view, store, quiet, texts),
    truth,
    isProblem,
    isBrief: !isProblem && truth !== 'needs-attention' && !view?.delayed,
    confirmedAt: truth === 'on-portal' ? (view?.settled_at ?? view?.updated_at) : undefined,
    by: view?.by,
  };
}

function lineOf(
  view: ItemView | undefined,
  store: InventoryStore | undefined,
  quiet: boolean,
  texts: ToggleTexts,
): string {
  if (view === undefined || store === undefined) return '';
  const { snapshot } = store;
  const isForbidden = snapshot.status === 'ready' && !store.canEdit(view.id) && view.truth === undefined;
  // If the person may not edit any item, the ancestor element says so once.
  if (isForbidden && (snapshot.canEdit || !quiet)) return texts.readOnly;
  return withGuestsView(statusText(view, snapshot, texts), shownToGuests(view), texts);
}

interface Choices {
  readonly texts: ToggleTexts;
  readonly isLocked: boolean;
  readonly isReadonly: boolean;
  readonly onChoose: (available: boolean) => void;
}

/** Two buttons that replace the switch while the value is unknown. */
export function valueChoices({ texts, isLocked, isReadonly, onChoose }: Choices): TemplateResult {
  const choice = (available: boolean): TemplateResult =>
    html`<button
      type="button"
      class="pill choice"
      ?disabled=${isLocked}
      aria-disabled=${isReadonly ? 'true' : nothing}
      @click=${() => {
        onChoose(available);
      }}
    >
      ${available ? texts.available : texts.notAvailable}
    </button>`;
  return html`<div part="choices" class="choices" role="group" aria-labelledby="switch" aria-describedby="status">
    ${choice(true)}${choice(false)}
  </div>`;
}

interface Options {
  /** Whether screen readers announce changes of the line. */
  readonly isAnnounced: boolean;
  readonly texts: ToggleTexts;
  readonly language: string;
  readonly timeZone: TimeZone;
  readonly retry: TemplateResult | typeof nothing;
}

export function statusLine(status: ItemStatus, options: Options): TemplateResult {
  const { text, truth, isProblem, isBrief } = status;
  return html`<div
    part="status"
    class=${isBrief ? 'status brief' : 'status'}
    data-truth=${isProblem ? 'problem' : (truth ?? 'none')}
  >
    <span class="line"
      ><span id="status" role="status" aria-live=${options.isAnnounced ? 'polite' : 'off'}
        >${truth === undefined ? nothing : truthIcon(truth)}<span>${text}</span></span
      >${confirmation(status, options)}</span
    >${options.retry}
  </div>`;
}

/** Rendered outside of the live region, so that screen readers do not announce each new relative time. */
function confirmation(
  { confirmedAt, by }: ItemStatus,
  { texts, language, timeZone }: Options,
): TemplateResult | typeof nothing {
  if (confirmedAt === undefined) return nothing;
  const ago = timeAgo(confirmedAt, Date.now(), language, timeZone, texts.justNow);
  return html`<time datetime=${confirmedAt} title=${timeAndDate(confirmedAt, language, timeZone)}
    >${texts.since(ago, by)}</time
  >`;
}
