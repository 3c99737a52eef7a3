import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import type { ItemView } from '../model/item-view.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { ProxyFailure } from '../api/proxy-failure.js';

export { askAboutUnclaimed } from '../queue/orphaned-edits.js';

/**
 * What a person decides about an edit that is there. Loaded with what offers it: most visits have nothing to decide. The
 * store is what decisions need of one.
 */
export interface DecidingStore {
  readonly parts: {
    readonly ledger: ItemLedger;
    readonly queue: EditQueue;
    readonly client: ProxyClient;
    readonly onFailure: (failure: ProxyFailure) => void;
  };
  view(id: ItemId): ItemView;
  set(id: ItemId, available: boolean): Promise<unknown>;
  readAnew(): Promise<void>;
}

/** Sends an edit that needs attention once more, as a new edit. @returns whether there is one */
export async function retry(store: DecidingStore, id: ItemId): Promise<boolean> {
  const { available, truth } = store.view(id);
  if (available === undefined || truth !== 'needs-attention') return false;
  await store.set(id, available);
  return true;
}

/**
 * Gives up an edit that has not left this device, or that waits for a person's word.
 *
 * @returns whether it is gone; where not, it is on its way, or the proxy cannot be asked now
 */
export async function discard(store: DecidingStore, id: ItemId): Promise<boolean> {
  const { ledger, queue, onFailure } = store.parts;
  const edit = ledger.local(id)?.edit.edit_id;
  if (edit !== undefined) {
    const [gone] = await queue.discard([edit]);
    if (gone !== undefined) ledger.dropLocal({ id, edit_id: gone });
    return gone !== undefined;
  }
  try {
    return await discardAtProxy(store, id);
  } catch (error) {
    if (!(error instanceof ProxyFailure)) throw error;
    onFailure(error);
    return false;
  }
}

/** The person's choice where two values stand against each other. @returns whether it could be carried out */
export function resolve(store: DecidingStore, id: ItemId, keep: 'mine' | 'theirs'): Promise<boolean> {
  // Mine is made on what the person has just been shown, so it is no conflict again.
  return keep === 'mine' ? retry(store, id) : discard(store, id);
}

/** @returns whether it is gone; where not, it is on its way, or there is none @throws {ProxyFailure} */
async function discardAtProxy(store: DecidingStore, id: ItemId): Promise<boolean> {
  const { ledger, client } = store.parts;
  const known = ledger.confirmed(id);
  if (known?.edit_id === undefined || store.view(id).truth !== 'needs-attention') return false;
  try {
    await client.ask(`v1/edits/${known.edit_id}/discard`, { method: 'POST', json: {} });
  } catch (error) {
    // Somebody decided before: the listing says how.
    if (!(error instanceof ProxyFailure) || error.code !== 'edit_settled') throw error;
  }
  // Whose word counts now, before this one is gone from sight.
  await store.readAnew();
  if (ledger.confirmed(id) !== known) return true;
  // It could not be read: the person chose what they were shown, and that is known.
  const { theirs, label, group } = known;
  if (theirs !== undefined) ledger.giveListed({ ...theirs, id, label, group }, -1);
  ledger.confirmEdit({ ...known, state: 'discarded' });
  return true;
}
