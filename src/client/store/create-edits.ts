import type { Edit } from '../../domain/edit.js';
import { type ItemId, toTimestamp } from '../../domain/item.js';
import { newEditId } from '../storage/edit-id.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import { UNCLAIMED } from '../storage/queue-owner.js';

/** One item's new value, as a person wants it. */
export interface Wish {
  readonly id: ItemId;
  readonly available: boolean;
  readonly label?: string | undefined;
}

/** Makes edits of what people wish: shown at once, and called stored when the browser's disk has them. */
export class Wishes {
  readonly #ledger: ItemLedger;
  readonly #queue: EditQueue;

  constructor(ledger: ItemLedger, queue: EditQueue) {
    this.#ledger = ledger;
    this.#queue = queue;
  }

  /** @param wishes of different items */
  async take(wishes: readonly Wish[]): Promise<void> {
    const edits: Edit[] = [];
    const backAgain: Edit[] = [];
    for (const wish of wishes) {
      const isBack = this.#isBack(wish);
      (isBack ? backAgain : edits).push(this.#edit(wish));
    }
    // At once: what a person wishes next must not reach the disk in between, to be taken back by what came before.
    await Promise.all([this.#add(edits), this.#add(backAgain, 'withdrawal')]);
  }

  async #add(edits: readonly Edit[], how?: 'withdrawal'): Promise<void> {
    if (edits.length === 0) return;
    const { isDurable, there } = await this.#queue.add(edits, how);
    for (const edit of edits) {
      if (there.has(edit.edit_id)) this.#ledger.advance(edit, { stage: 'stored', unsaved: !isDurable });
      else this.#ledger.dropLocal(edit);
    }
  }

  #edit({ id, available, label }: Wish): Edit {
    const before = this.#ledger.local(id);
    // What nobody claims was made on something else than what is seen now.
    const unsent = before !== undefined && before.stage !== 'handed-over' && before.reason !== UNCLAIMED;
    const now = toTimestamp(Date.now());
    const edit: Edit = Object.freeze({
      edit_id: newEditId(),
      id,
      available,
      // A clock that was set back makes no wish older than the one before it.
      updated_at: before && before.edit.updated_at > now ? before.edit.updated_at : now,
      base: unsent ? before.edit.base : this.#ledger.base(id),
      label: this.#ledger.label(id) ?? label ?? before?.edit.label,
    });
    this.#ledger.setLocal({ edit, stage: 'writing', unsaved: false });
    return edit;
  }

  /**
   * What is wished is what there would be without the edit that waits. Wished once more it is not: the host's page may only
   * repeat it.
   */
  #isBack({ id, available }: Wish): boolean {
    return this.#ledger.local(id)?.edit.available === !available && this.#ledger.settled(id) === available;
  }
}
