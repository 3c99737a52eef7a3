import type { Edit } from '../domain/edit.js';
import { toTimestamp, type ItemId } from '../domain/item.js';
import { newEditId } from './edit-id.js';
import type { EditQueue, QueuedWish } from './edit-queue.js';
import type { ItemLedger } from './item-ledger.js';

/** One item's new value, as a person wants it. */
export interface Wish {
  readonly id: ItemId;
  readonly available: boolean;
  readonly label?: string | undefined;
}

/** Edits that go to the browser's disk together. */
const CHUNK = 1_000;

/** Makes edits of what people wish: shown at once, and called stored when the browser's disk has them. */
export class Wishes {
  readonly #ledger: ItemLedger;
  readonly #queue: EditQueue;
  readonly #isSending: (edit: Edit) => boolean;

  constructor(ledger: ItemLedger, queue: EditQueue, isSending: (edit: Edit) => boolean) {
    this.#ledger = ledger;
    this.#queue = queue;
    this.#isSending = isSending;
  }

  async take(wishes: readonly Wish[]): Promise<void> {
    const queued = wishes.map((wish) => this.#queued(wish));
    const durable = await this.#queue.addMany(queued);
    for (const { edit } of queued) this.#ledger.advance(edit, { stage: 'stored', unsaved: !durable });
  }

  /** Leaves out what an item is already. */
  async takeMany(wishes: Iterable<Wish>): Promise<void> {
    let chunk: Wish[] = [];
    for (const wish of wishes) {
      if (this.#isSo(wish)) continue;
      chunk.push(wish);
      if (chunk.length < CHUNK) continue;
      await this.take(chunk);
      chunk = [];
    }
    if (chunk.length > 0) await this.take(chunk);
  }

  #queued({ id, available, label }: Wish): QueuedWish {
    const before = this.#ledger.local(id);
    const unsent = before !== undefined && before.stage !== 'handed-over';
    const edit: Edit = Object.freeze({
      edit_id: newEditId(),
      id,
      available,
      updated_at: toTimestamp(Date.now()),
      base: unsent ? before.edit.base : this.#ledger.base(id),
      label: this.#ledger.label(id) ?? label ?? before?.edit.label,
    });
    this.#ledger.setLocal({ edit, stage: 'writing', unsaved: false });
    return { edit, replaces: unsent && !this.#isSending(before.edit) ? before.edit.edit_id : undefined };
  }

  /** The item is what is wished, and nothing of it is on its way. */
  #isSo({ id, available }: Wish): boolean {
    const { available: known, truth, writing } = this.#ledger.view(id);
    return known === available && writing !== true && (truth === undefined || truth === 'on-portal');
  }
}
