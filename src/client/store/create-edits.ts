import type { Edit } from '../../domain/edit.js';
import { type ItemId, toTimestamp } from '../../domain/item.js';
import { newEditId } from '../storage/edit-id.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import { UNCLAIMED } from '../storage/queue-owner.js';

/** A request of a person to set the value of one item. It becomes an edit when it gets an id. */
export interface Wish {
  readonly id: ItemId;
  readonly available: boolean;
  readonly label?: string | undefined;
}

/** Creates edits from the person's requests. They are shown at once, and count as stored after the browser has stored them. */
export class Wishes {
  readonly #ledger: ItemLedger;
  readonly #queue: EditQueue;

  constructor(ledger: ItemLedger, queue: EditQueue) {
    this.#ledger = ledger;
    this.#queue = queue;
  }

  /** @param wishes requests for different items */
  async take(wishes: readonly Wish[]): Promise<void> {
    const edits: Edit[] = [];
    const withdrawals: Edit[] = [];
    for (const wish of wishes) {
      const isWithdrawal = this.#isWithdrawal(wish);
      (isWithdrawal ? withdrawals : edits).push(this.#createEdit(wish));
    }
    // Both start now: a later edit must not be stored between them, or an earlier withdrawal would remove it.
    await Promise.all([this.#add(edits), this.#add(withdrawals, 'withdrawal')]);
  }

  async #add(edits: readonly Edit[], how?: 'withdrawal'): Promise<void> {
    if (edits.length === 0) return;
    const { isDurable, there } = await this.#queue.add(edits, how);
    for (const edit of edits) {
      if (there.has(edit.edit_id)) this.#ledger.advance(edit, { stage: 'stored', unsaved: !isDurable });
      else this.#ledger.dropLocal(edit);
    }
  }

  #createEdit({ id, available, label }: Wish): Edit {
    const before = this.#ledger.local(id);
    // An orphaned edit has another base than the value that the person sees now.
    const unsent = before !== undefined && before.stage !== 'handed-over' && before.reason !== UNCLAIMED;
    const now = toTimestamp(Date.now());
    const edit: Edit = Object.freeze({
      edit_id: newEditId(),
      id,
      available,
      // If the clock was set back, the edit still gets no earlier time than the one before it.
      updated_at: before && before.edit.updated_at > now ? before.edit.updated_at : now,
      base: unsent ? before.edit.base : this.#ledger.base(id),
      label: this.#ledger.label(id) ?? label ?? before?.edit.label,
    });
    this.#ledger.setLocal({ edit, stage: 'writing', unsaved: false });
    return edit;
  }

  /**
   * Whether the requested value is the one without the waiting edit. A request for the value of the waiting edit itself is no
   * withdrawal, even if the host's page repeats that value.
   */
  #isWithdrawal({ id, available }: Wish): boolean {
    return this.#ledger.local(id)?.edit.available === !available && this.#ledger.settled(id) === available;
  }
}
