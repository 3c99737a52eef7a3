import { toEditIds } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { ApiError } from '../api/api-error.js';
import type { ProxyClient } from '../api/proxy-client.js';
import type { ItemStates } from '../model/item-state.js';
import type { EditQueue } from '../queue/edit-queue.js';
import { isUnsent } from '../storage/edit-table.js';

/** The parts of the store that decisions need. */
export interface DecisionOptions {
  readonly itemStates: ItemStates;
  readonly queue: EditQueue;
  readonly client: ProxyClient;
  readonly onFailure: (failure: ApiError) => void;
  readonly set: (id: ItemId, available: boolean) => Promise<unknown>;
  readonly reloadListing: () => Promise<void>;
}

/** Edits that are removed in one transaction. */
const CHUNK = 1_000;

/** The decisions of a person about an existing edit. */
export class EditDecisions {
  readonly #options: DecisionOptions;

  constructor(options: DecisionOptions) {
    this.#options = options;
  }

  /** Sends an edit that needs attention again, as a new edit. @returns whether the item has one */
  async retry(id: ItemId): Promise<boolean> {
    const { available, truth } = this.#options.itemStates.view(id);
    if (available === undefined || truth !== 'needs-attention') return false;
    await this.#options.set(id, available);
    return true;
  }

  /**
   * Discards an edit that was not sent, or that needs attention.
   *
   * @returns whether it was discarded; otherwise it is in delivery, or the proxy is unreachable
   */
  async discard(id: ItemId): Promise<boolean> {
    const { itemStates, queue, onFailure } = this.#options;
    const edit = itemStates.local(id)?.edit.edit_id;
    if (edit !== undefined) {
      const [gone] = await queue.discard([edit]);
      if (gone !== undefined) itemStates.dropLocal({ id, edit_id: gone });
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

  /** Decides a conflict. @returns whether the decision took effect */
  resolve(id: ItemId, keep: 'mine' | 'theirs'): Promise<boolean> {
    // The base of the new edit is the value that the person was just shown, so it does not conflict again.
    return keep === 'mine' ? this.retry(id) : this.discard(id);
  }

  /**
   * Removes edits that were not sent, of items without a value before. An edit that was sent stays, because the portal has no
   * value "unknown".
   *
   * @returns how many were removed
   */
  async withdraw(ids: readonly ItemId[]): Promise<number> {
    const { itemStates, queue } = this.#options;
    const sent = new Set(queue.known.filter((row) => !isUnsent(row)).map(({ id }) => id));
    const edits = ids.flatMap((id) =>
      sent.has(id) || itemStates.confirmed(id) ? [] : (itemStates.local(id)?.edit ?? []),
    );
    let count = 0;
    for (let at = 0; at < edits.length; at += CHUNK) {
      const chunk = edits.slice(at, at + CHUNK);
      const gone = new Set(await queue.discard(toEditIds(chunk)));
      for (const edit of chunk) if (gone.has(edit.edit_id)) itemStates.dropLocal(edit);
      count += gone.size;
    }
    return count;
  }

  /** @returns whether the edit was discarded; otherwise it is in delivery, or does not exist @throws {ApiError} */
  async #discardAtProxy(id: ItemId): Promise<boolean> {
    const { itemStates, client, reloadListing } = this.#options;
    const known = itemStates.confirmed(id);
    if (known?.edit_id === undefined || itemStates.view(id).truth !== 'needs-attention') return false;
    try {
      await client.ask(`v1/edits/${known.edit_id}/discard`, { method: 'POST', json: {} });
    } catch (error) {
      // The edit was decided before, in another tab or on another device. The listing has the decision.
      if (!(error instanceof ApiError) || error.code !== 'edit_settled') throw error;
    }
    // The listing is read before the edit disappears, so that the valid value shows at once.
    await reloadListing();
    if (itemStates.confirmed(id) !== known) return true;
    // The listing could not be read, so the page shows the other value, which the person chose.
    const { theirs, label, group } = known;
    if (theirs !== undefined) itemStates.setCatalogItem({ ...theirs, id, label, group }, -1);
    itemStates.confirmEdit({ ...known, state: 'discarded' });
    return true;
  }
}
