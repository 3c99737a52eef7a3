import type { ItemCounts, ItemRow, Query, TableOfItems } from '../../../client/editor/editor-types.js';
import { HeldEdits } from '../../../client/editor/stalled-edits.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import { timeOfPress } from '../../shared/relative-time.js';
import type { EditorContext, EditorTexts, TroubleOfItems } from '../editor-context.js';
import { openText } from '../problem-notice.js';

/**
 * What the editor says by itself to who cannot see it, since none of its rows says anything aloud: how what was on its way
 * went, that the portal is away and that it is back, and what needs attention though nothing of this page was on its way, as
 * a conflict from another device. Each once, however many items it is about and however often the proxy is asked.
 */
export class Aloud implements TroubleOfItems {
  readonly #outcome = new Outcome();
  readonly #held: HeldEdits;
  #context: EditorContext;
  /** Whether it has been said that edits are held; as the page came, whoever reads the rows was told. */
  #isHeld = true;
  #isRetried = false;
  /** When it turned out that what was tried again failed again. */
  #failedAgain: number | undefined;
  /** What needed attention at the last drawing; `undefined`: not all was known. */
  #attention: number | undefined;

  constructor(context: EditorContext) {
    this.#context = context;
    this.#held = new HeldEdits(context.store);
  }

  get trouble(): string {
    return [troubleText(this.#context.table.counts, this.#context.text), this.inVain]
      .filter((part) => part !== '')
      .join(' · ');
  }

  get inVain(): string {
    const { text, language, timeZone } = this.#context;
    return this.#failedAgain === undefined ? '' : text.triedAgain(timeOfPress(this.#failedAgain, language, timeZone));
  }

  retries(): void {
    this.#isRetried = true;
  }

  /** Before each drawing. @param isSaving more of the same save is still to come */
  take(context: EditorContext, isSaving: boolean): void {
    this.#context = context;
    const words = [this.#ofPortal(), this.#ofEdits(isSaving)].filter((part) => part !== '').join(' ');
    if (words !== '') context.announce(words);
  }

  close(): void {
    this.#held.close();
  }

  #ofPortal(): string {
    const { text, store } = this.#context;
    const { count, reason, hasReached } = this.#held;
    const wasHeld = this.#isHeld;
    this.#isHeld = count > 0;
    if (wasHeld === this.#isHeld || !store.snapshot.complete) return '';
    if (this.#isHeld) return `${openText(store.snapshot, text)}. ${text.delayed(reason)}`;
    return hasReached ? text.portalIsBack : '';
  }

  #ofEdits(isSaving: boolean): string {
    const { table, store, text } = this.#context;
    const { attention } = table.counts;
    const before = this.#attention ?? attention;
    this.#attention = table.complete ? attention : undefined;
    if (attention === 0) this.#failedAgain = undefined;
    if (this.#outcome.isThere(store.snapshot, isSaving)) {
      if (this.#isRetried && attention > 0) this.#failedAgain = Date.now();
      this.#isRetried = false;
      return outcomeText(this.#outcome.least, table, store.snapshot, text);
    }
    // What is on its way is told of as a whole. What is held may be so for days.
    return attention > before && (!this.#outcome.isAwaited || this.#isHeld) ? troubleText(table.counts, text) : '';
  }
}

function troubleText({ attention, conflict }: ItemCounts, text: EditorTexts): string {
  const refused = attention - conflict;
  return [refused > 0 ? text.failed(refused) : '', conflict > 0 ? text.conflicts(conflict) : '']
    .filter((part) => part !== '')
    .join(' · ');
}

/** How it went: what was refused of it, or that nothing was, and what needs attention since before. */
function outcomeText(least: number, { counts }: TableOfItems, snapshot: StoreSnapshot, text: EditorTexts): string {
  const { attention } = counts;
  return attention > 0 && snapshot.attentionCount === least
    ? `${text.filter.attention}: ${text.number(attention)}`
    : troubleText(counts, text) || openText(snapshot, text);
}

/**
 * Finds the moment at which nothing is on its way any more, so that who cannot see hears once how it went, however many
 * items it was about: each row says for itself how far it is, and none of them says so aloud.
 */
class Outcome {
  #isAwaited = false;
  #isOpen = false;
  #owner = '';
  /** How many needed attention all the while, of which none is an outcome of what was on its way. */
  least = 0;

  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** @param saving more of the same save is still to come @returns whether it is that moment */
  isThere({ openCount, attentionCount, owner }: StoreSnapshot, saving: boolean): boolean {
    // Another person has other changes on their way.
    const isSame = this.#owner === owner;
    const [wasAwaited, wasOpen] = [this.#isAwaited && isSame, this.#isOpen && isSame];
    this.#owner = owner;
    // What is tried again needs no attention for a while.
    this.least = wasAwaited ? Math.min(this.least, attentionCount) : attentionCount;
    this.#isOpen = openCount > 0;
    this.#isAwaited = openCount > attentionCount || (saving && wasAwaited);
    // The last that needed somebody may be given up, without anything on its way.
    return !this.#isAwaited && (wasAwaited || (wasOpen && !this.#isOpen));
  }
}

/** Who types hears the count when they pause: one with each key would cut off the key and the one before. */
const PAUSE_MS = 600;

/** When to say how much has been found: once for each thing that a person looks for. */
export class FoundCount {
  #isAsked = false;
  #pause = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask(wanted: Partial<Query>): void {
    const { text, filter } = wanted;
    // Another order finds nothing else.
    if (text === undefined && filter === undefined && !('group' in wanted)) return;
    this.close();
    this.#isAsked = true;
    this.#pause = text === undefined ? 0 : PAUSE_MS;
  }

  /** All of it is found. @param search may begin anew before it is said */
  isFound(search: { readonly busy: boolean }, say: () => void): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#timer = setTimeout(() => {
      if (search.busy) this.#isAsked = true;
      else say();
    }, this.#pause);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** Of a choice that goes nowhere by itself now: it is not saved, or nothing can be sent. Empty: it is on its way. */
export function stayText(row: ItemRow | undefined, snapshot: StoreSnapshot, text: EditorTexts): string {
  if (row?.draft !== undefined) return text.changed;
  const { status } = snapshot;
  return status === 'ready' || status === 'loading' ? '' : openText(snapshot, text);
}
