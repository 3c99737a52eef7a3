import type { StoreSnapshot } from '../../client/store-snapshot.js';
import type { ItemCounts, ItemRow, TableOfItems } from '../../client/editor-model.js';
import type { EditorTexts } from './editor-context.js';
import { openText } from './notices.js';

/** What a person has to look at, in one line; empty: nothing. */
export function troubleText({ attention, conflict }: ItemCounts, text: EditorTexts): string {
  const refused = attention - conflict;
  return [refused > 0 ? text.failed(refused) : '', conflict > 0 ? text.conflicts(conflict) : '']
    .filter((part) => part !== '')
    .join(' · ');
}

/** Of a choice that goes nowhere by itself now: it is not saved, or nothing can be sent. Empty: it is on its way. */
export function stayText(row: ItemRow | undefined, snapshot: StoreSnapshot, text: EditorTexts): string {
  if (row?.draft !== undefined) return text.changed;
  const { status } = snapshot;
  return status === 'ready' || status === 'loading' ? '' : openText(snapshot, text);
}

/** How it went: what was refused of it, or that nothing was, and what needs attention since before. */
export function outcomeText(
  least: number,
  { counts }: TableOfItems,
  snapshot: StoreSnapshot,
  text: EditorTexts,
): string {
  const { attention } = counts;
  return attention > 0 && snapshot.attentionCount === least
    ? `${text.nothingOpen}. ${text.filter.attention}: ${text.number(attention)}`
    : troubleText(counts, text) || openText(snapshot, text);
}

/**
 * Finds the moment at which nothing is on its way any more, so that who cannot see hears once how it went, however many
 * items it was about: each row says for itself how far it is, and none of them says so aloud.
 */
export class Outcome {
  #isAwaited = false;
  #isOpen = false;
  #owner = '';
  /** How many needed attention all the while, of which none is an outcome of what was on its way. */
  least = 0;

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
