import type { Edit, EditId } from '../../domain/edit.js';
import { type ItemId, toTimestamp } from '../../domain/item.js';
import { newEditId } from '../storage/edit-id.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { ItemStates } from '../model/item-state.js';
import { UNCLAIMED } from '../storage/queue-owner.js';

/** A request of a person to set the value of one item. It becomes an edit when it gets an id. */
export interface EditRequest {
  readonly id: ItemId;
  readonly available: boolean;
  readonly label?: string | undefined;
  /** Shared by the edits that a person makes together. */
  readonly changeSet?: EditId | undefined;
}

/** Creates edits from the person's requests. They are shown at once, and count as stored after the browser has stored them. */
export class EditCreator {
  readonly #itemStates: ItemStates;
  readonly #queue: EditQueue;

  constructor(itemStates: ItemStates, queue: EditQueue) {
    this.#itemStates = itemStates;
    this.#queue = queue;
  }

  /** @param requests requests for different items */
  async create(requests: readonly EditRequest[]): Promise<void> {
    const edits: Edit[] = [];
    const withdrawals: Edit[] = [];
    for (const request of requests) {
      const isWithdrawal = this.#isWithdrawal(request);
      (isWithdrawal ? withdrawals : edits).push(this.#createEdit(request));
    }
    // Both start now: a later edit must not be stored between them, or an earlier withdrawal would remove it.
    await Promise.all([this.#add(edits), this.#add(withdrawals, 'withdrawal')]);
  }

  async #add(edits: readonly Edit[], how?: 'withdrawal'): Promise<void> {
    if (edits.length === 0) return;
    const { isDurable, added } = await this.#queue.add(edits, how);
    for (const edit of edits) {
      if (added.has(edit.edit_id)) this.#itemStates.advance(edit, { stage: 'stored', unsaved: !isDurable });
      else this.#itemStates.dropLocal(edit);
    }
  }

  #createEdit({ id, available, label, changeSet }: EditRequest): Edit {
    const before = this.#itemStates.local(id);
    // An orphaned edit has another base than the value that the person sees now.
    const unsent = before !== undefined && before.stage !== 'handed-over' && before.reason !== UNCLAIMED;
    const from = this.#itemStates.hostValue(id);
    const now = toTimestamp(Date.now());
    const edit: Edit = Object.freeze({
      edit_id: newEditId(),
      id,
      available,
      // If the clock was set back, the edit gets the time of the edit before it, so that its own is never earlier.
      updated_at: before && before.edit.updated_at > now ? before.edit.updated_at : now,
      base: unsent ? before.edit.base : this.#itemStates.base(id),
      label: this.#itemStates.label(id) ?? label ?? before?.edit.label,
      ...(from !== undefined && { from }),
      ...(changeSet !== undefined && { change_set: changeSet }),
    });
    this.#itemStates.setLocal({ edit, stage: 'writing', unsaved: false });
    return edit;
  }

  /**
   * Whether the requested value is the one without the waiting edit. A request for the value of the waiting edit itself is no
   * withdrawal, even if the host's page repeats that value.
   */
  #isWithdrawal({ id, available }: EditRequest): boolean {
    return this.#itemStates.local(id)?.edit.available === !available && this.#itemStates.settled(id) === available;
  }
}
