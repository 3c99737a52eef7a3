import { toEditIds } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { ApiError } from '../api/api-error.js';
import type { ProxyClient } from '../api/proxy-client.js';
import type { ItemLedger } from '../model/item-state.js';
import type { EditQueue } from '../queue/edit-queue.js';
import { isUnsent } from '../storage/edit-table.js';

/** What decisions need of the store. */
export interface DecisionOptions {
  readonly ledger: ItemLedger;
  readonly queue: EditQueue;
  readonly client: ProxyClient;
  readonly onFailure: (failure: ApiError) => void;
  readonly set: (id: ItemId, available: boolean) => Promise<unknown>;
  readonly readAnew: () => Promise<void>;
}

/** Edits that leave the disk together. */
const CHUNK = 1_000;

/** What a person decides about an edit that is there. */
export class EditDecisions {
  readonly #options: DecisionOptions;

  constructor(options: DecisionOptions) {
    this.#options = options;
  }

  /** Sends an edit that needs attention once more, as a new edit. @returns whether there is one */
  async retry(id: ItemId): Promise<boolean> {
    const { available, truth } = this.#options.ledger.view(id);
    if (available === undefined || truth !== 'needs-attention') return false;
    await this.#options.set(id, available);
    return true;
  }

  /**
   * Gives up an edit that has not left this device, or that needs attention.
   *
   * @returns whether it is gone; where not, it is on its way, or the proxy cannot be asked now
   */
  async discard(id: ItemId): Promise<boolean> {
    const { ledger, queue, onFailure } = this.#options;
    const edit = ledger.local(id)?.edit.edit_id;
    if (edit !== undefined) {
      const [gone] = await queue.discard([edit]);
      if (gone !== undefined) ledger.dropLocal({ id, edit_id: gone });
      return gone !== undefined;
    }
    try {
      return await this.#discardAtProxy(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onFailure(error);
      return false;
    }
  }

  /** The person's choice where two values stand against each other. @returns whether it could be carried out */
  resolve(id: ItemId, keep: 'mine' | 'theirs'): Promise<boolean> {
    // The new edit is based on what the person was just shown, so it is no conflict again.
    return keep === 'mine' ? this.retry(id) : this.discard(id);
  }

  /**
   * Takes back edits that were not sent, of items that had no value before. The portal has no word for that, so an edit
   * that was sent stays.
   *
   * @returns how many are gone
   */
  async withdraw(ids: readonly ItemId[]): Promise<number> {
    const { ledger, queue } = this.#options;
    const sent = new Set(queue.known.filter((row) => !isUnsent(row)).map(({ id }) => id));
    const edits = ids.flatMap((id) => (sent.has(id) || ledger.confirmed(id) ? [] : (ledger.local(id)?.edit ?? [])));
    let count = 0;
    for (let at = 0; at < edits.length; at += CHUNK) {
      const chunk = edits.slice(at, at + CHUNK);
      const gone = new Set(await queue.discard(toEditIds(chunk)));
      for (const edit of chunk) if (gone.has(edit.edit_id)) ledger.dropLocal(edit);
      count += gone.size;
    }
    return count;
  }

  /** @returns whether it is gone; where not, it is on its way, or there is none @throws {ApiError} */
  async #discardAtProxy(id: ItemId): Promise<boolean> {
    const { ledger, client, readAnew } = this.#options;
    const known = ledger.confirmed(id);
    if (known?.edit_id === undefined || ledger.view(id).truth !== 'needs-attention') return false;
    try {
      await client.ask(`v1/edits/${known.edit_id}/discard`, { method: 'POST', json: {} });
    } catch (error) {
      // It was decided before, in another tab or on another device: the listing says how.
      if (!(error instanceof ApiError) || error.code !== 'edit_settled') throw error;
    }
    // The value that counts now is known before this one is gone from sight.
    await readAnew();
    if (ledger.confirmed(id) !== known) return true;
    // It could not be read: the person chose what they were shown, and that is known.
    const { theirs, label, group } = known;
    if (theirs !== undefined) ledger.setCatalogItem({ ...theirs, id, label, group }, -1);
    ledger.confirmEdit({ ...known, state: 'discarded' });
    return true;
  }
}
