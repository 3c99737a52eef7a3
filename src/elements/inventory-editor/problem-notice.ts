import { html, nothing, type TemplateResult } from 'lit';
import type { TableOfItems } from '../../client/editor/editor-types.js';
import type { StoreSnapshot, StoreStatus } from '../../client/store/store-snapshot.js';
import { findLanguage } from '../shared/language.js';
import { timeOfPress } from '../shared/relative-time.js';
import type { EditorContext } from './editor-context.js';
import type { ItemTexts, ListTexts } from '../../locales/dictionary.js';

type NoticeHost = HTMLElement & Pick<EditorContext, 'timeZone'> & { requestUpdate(): void };

/** The notice about a problem of the connection, with "Try again". */
export class ProblemNotice {
  /**
   * The problem that persisted after "Try again", and the time of the press, because a press without a visible effect needs
   * an answer.
   */
  #vain: readonly [problem: string, at: number] = ['', 0];
  readonly #host: NoticeHost;

  constructor(host: NoticeHost) {
    this.#host = host;
  }

  /** @param problem returns the present problem */
  async tryAgain(problem: () => string, retry: () => Promise<unknown>): Promise<void> {
    const before = problem();
    await retry();
    if (problem() === before) this.#vain = [before, Date.now()];
    this.#host.requestUpdate();
  }

  /** @param retry absent if only the page's author can solve the problem */
  render(problem: string, text: ItemTexts & ListTexts, retry: (() => void) | undefined): TemplateResult {
    const { timeZone } = this.#host;
    const [vain, at] = problem === this.#vain[0] ? this.#vain : (this.#vain = ['', 0]);
    const shown = html`<p part="problem" class="problem">
      <span
        >${problem}${vain === '' ? nothing : html` <small>${text.triedAgain(timeOfPress(at, findLanguage(this.#host) || 'en', timeZone))}</small>`}</span
      >
      ${
        retry === undefined
          ? nothing
          : html`<button type="button" class="plain" @click=${retry}>${text.tryAgain}</button>`
      }
    </p>`;
    return html`<div role="status">${problem === '' ? nothing : shown}</div>`;
  }
}

/** The number of items, once it is known. Without a connection, no count is announced. */
export function totalText(table: TableOfItems | undefined, status: StoreStatus | undefined, text: ListTexts): string {
  if (table?.complete === true) return text.total(table.counts.all);
  return status === 'loading' || status === 'ready' ? text.counting : '';
}

/**
 * The number of changes that wait, or that none waits. The text differs if the portal has confirmed no value of some items,
 * which only the host's page names. Empty until the listing is read, because this device may have edits of a person who is
 * not signed in yet.
 */
export function openText(snapshot: StoreSnapshot | undefined, text: ListTexts, unsaved = 0, isAllKnown = true): string {
  const open = snapshot?.openCount ?? 0;
  if (open === 0 && unsaved > 0) return text.unsavedCount(unsaved);
  if (open > 0) return text.openCount(open);
  if (snapshot?.complete !== true) return '';
  return isAllKnown ? text.nothingOpen : text.nothingWaiting;
}

/** Reports entries without a row, because the person would not notice that they are missing. */
export function renderLeftOut(count: number, text: ListTexts): TemplateResult | typeof nothing {
  return count > 0 ? html`<p class="quiet">${text.leftOut(count)}</p>` : nothing;
}

/** Shown in place of rows. */
export function renderNoItems(
  status: StoreStatus | undefined,
  complete: boolean,
  text: ListTexts,
): TemplateResult | typeof nothing {
  if (status === 'loading' || (status === 'ready' && !complete)) {
    return html`<p class="quiet">${text.loading}</p>
      <div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;
  }
  return status === 'ready' ? html`<p class="quiet" part="empty"><slot name="empty">${text.empty}</slot></p>` : nothing;
}
