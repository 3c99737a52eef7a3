import type { StoreSnapshot } from '../../client/store-snapshot.js';
import type { ItemCounts } from '../../client/editor-model.js';
import type { EditorTexts } from './editor-context.js';

/** What a person has to look at, in one line; empty: nothing. */
export function troubleText({ attention, conflict }: ItemCounts, text: EditorTexts): string {
  const refused = attention - conflict;
  return [refused > 0 ? text.failed(refused) : '', conflict > 0 ? text.conflicts(conflict) : '']
    .filter((part) => part !== '')
    .join(' · ');
}

/**
 * Finds the moment at which nothing is on its way any more, so that who cannot see hears once how it went, however many
 * items it was about: each row says for itself how far it is, and none of them says so aloud.
 */
export class Outcome {
  #isAwaited = false;
  #owner = '';

  /** @param saving more of the same save is still to come @returns whether it is that moment */
  isThere({ openCount, attentionCount, owner }: StoreSnapshot, saving: boolean): boolean {
    // Another person has other changes on their way.
    const wasAwaited = this.#isAwaited && this.#owner === owner;
    this.#owner = owner;
    this.#isAwaited = openCount > attentionCount || (saving && wasAwaited);
    return wasAwaited && !this.#isAwaited;
  }
}
