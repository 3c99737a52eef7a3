import type { ItemCounts, ItemRow, Query, TableOfItems } from '../../../client/editor/editor-types.js';
import { StalledEdits } from '../../../client/editor/stalled-edits.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import { timeOfPress } from '../../shared/relative-time.js';
import type { EditorContext, EditorTexts, ProblemsOfItems } from '../editor-context.js';
import { openText } from '../problem-notice.js';

/**
 * Announcements for screen readers, because the rows are no live regions: the outcome of edits that were sent, that the
 * portal cannot be reached and that it is back, and what needs attention without an edit of this page, such as a conflict
 * from another device. Each is announced once, for any number of items and requests.
 */
export class OutcomeAnnouncer implements ProblemsOfItems {
  readonly #outcome = new Outcome();
  readonly #held: StalledEdits;
  #context: EditorContext;
  /** Whether it was announced that edits are held. At the start of the page, the rows show it. */
  #isHeld = true;
  #isRetried = false;
  /** When a retry failed again. */
  #retryFailedAt: number | undefined;
  /** The items that needed attention at the last render; `undefined` while not all were known. */
  #attention: number | undefined;

  constructor(context: EditorContext) {
    this.#context = context;
    this.#held = new StalledEdits(context.store);
  }

  get problemText(): string {
    return [describeProblems(this.#context.table.counts, this.#context.text), this.inVain]
      .filter((part) => part !== '')
      .join(' · ');
  }

  get inVain(): string {
    const { text, language, timeZone } = this.#context;
    return this.#retryFailedAt === undefined
      ? ''
      : text.triedAgain(timeOfPress(this.#retryFailedAt, language, timeZone));
  }

  retries(): void {
    this.#isRetried = true;
  }

  /** Called before each render. @param isSaving more edits of the same save follow */
  setContext(context: EditorContext, isSaving: boolean): void {
    this.#context = context;
    const sentence = [this.#ofPortal(), this.#ofEdits(isSaving)].filter((part) => part !== '').join(' ');
    if (sentence !== '') context.announce(sentence);
  }

  close(): void {
    this.#held.close();
  }

  #ofPortal(): string {
    const { text, store } = this.#context;
    const { count, reason, hasLastArrived } = this.#held;
    const wasHeld = this.#isHeld;
    this.#isHeld = count > 0;
    if (wasHeld === this.#isHeld || !store.snapshot.complete) return '';
    if (this.#isHeld) return `${openText(store.snapshot, text)}. ${text.delayed(reason)}`;
    return hasLastArrived ? text.portalIsBack : '';
  }

  #ofEdits(isSaving: boolean): string {
    const { table, store, text } = this.#context;
    const { attention } = table.counts;
    const before = this.#attention ?? attention;
    this.#attention = table.complete ? attention : undefined;
    if (attention === 0) this.#retryFailedAt = undefined;
    if (this.#outcome.isReached(store.snapshot, isSaving)) {
      if (this.#isRetried && attention > 0) this.#retryFailedAt = Date.now();
      this.#isRetried = false;
      return outcomeText(this.#outcome.least, table, store.snapshot, text);
    }
    // Open edits are announced together at the end. Held edits are not waited for, because that may take days.
    return attention > before && (!this.#outcome.isAwaited || this.#isHeld) ? describeProblems(table.counts, text) : '';
  }
}

function describeProblems({ attention, conflict }: ItemCounts, text: EditorTexts): string {
  const refused = attention - conflict;
  return [refused > 0 ? text.failed(refused) : '', conflict > 0 ? text.conflicts(conflict) : '']
    .filter((part) => part !== '')
    .join(' · ');
}

/** The outcome: the rejected edits, or that there are none, or what needed attention before. */
function outcomeText(least: number, { counts }: TableOfItems, snapshot: StoreSnapshot, text: EditorTexts): string {
  const { attention } = counts;
  return attention > 0 && snapshot.attentionCount === least
    ? `${text.filter.attention}: ${text.number(attention)}`
    : describeProblems(counts, text) || openText(snapshot, text);
}

/**
 * Finds the moment at which no edit is in flight any more, so that one announcement tells the outcome of any number of
 * items. Each row shows its own state, but is no live region.
 */
class Outcome {
  #isAwaited = false;
  #isOpen = false;
  #owner = '';
  /** The number of items that needed attention before. They do not belong to the outcome of the edits in flight. */
  least = 0;

  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** @param saving more edits of the same save follow @returns whether no edit is in flight any more, and one was before */
  isReached({ openCount, attentionCount, owner }: StoreSnapshot, saving: boolean): boolean {
    // Another person has signed in, with other edits.
    const isSame = this.#owner === owner;
    const [wasAwaited, wasOpen] = [this.#isAwaited && isSame, this.#isOpen && isSame];
    this.#owner = owner;
    // A retried edit does not need attention until its outcome is known.
    this.least = wasAwaited ? Math.min(this.least, attentionCount) : attentionCount;
    this.#isOpen = openCount > 0;
    this.#isAwaited = openCount > attentionCount || (saving && wasAwaited);
    // The last edit that needed attention may be discarded while no other edit is open.
    return !this.#isAwaited && (wasAwaited || (wasOpen && !this.#isOpen));
  }
}

/** The count is announced when typing pauses, because an announcement at each key would interrupt the one before. */
const PAUSE_MS = 600;

/** Decides when to announce the number of matches: once for each search. */
export class FoundCount {
  #isAsked = false;
  #pause = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask(wanted: Partial<Query>): void {
    const { text, filter } = wanted;
    // Another sort order has the same matches.
    if (text === undefined && filter === undefined && !('group' in wanted)) return;
    this.close();
    this.#isAsked = true;
    this.#pause = text === undefined ? 0 : PAUSE_MS;
  }

  /** Call when a search is complete. @param search may have started again when the announcement is due */
  isFound(search: { readonly busy: boolean }, announce: () => void): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#timer = setTimeout(() => {
      if (search.busy) this.#isAsked = true;
      else announce();
    }, this.#pause);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * The status of a change that is not being sent, because it is not saved or there is no connection. Empty if it is being
 * sent.
 */
export function stayText(row: ItemRow | undefined, snapshot: StoreSnapshot, text: EditorTexts): string {
  if (row?.draft !== undefined) return text.changed;
  const { status } = snapshot;
  return status === 'ready' || status === 'loading' ? '' : openText(snapshot, text);
}
