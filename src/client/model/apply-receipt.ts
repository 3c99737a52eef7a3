import { isSettled, truthOf } from '../../domain/edit-state.js';
import type { Receipt } from '../../contract/widget.js';
import type { ItemStates } from './item-state.js';

/** The state of an edit, from a receipt or from a row of a listing. */
export type EditStatus = Omit<Receipt, 'seq'>;

/**
 * Applies a receipt to an edit of this page. The queue has stored the receipt before, so that an edit that is shown as
 * settled is settled on the device too.
 *
 * @returns whether another edit of the item is valid now, which only a listing that is requested from now on contains
 */
export function applyReceipt(receipt: EditStatus, itemStates: ItemStates): boolean {
  const { id, edit_id, state, reason, delayed } = receipt;
  const local = itemStates.local(id);
  // A newer edit of the item waits for a receipt of its own.
  if (local?.edit.edit_id !== edit_id) return false;
  itemStates.confirmEdit({ ...receipt, available: local.edit.available });
  if (isSettled(state)) itemStates.dropLocal(receipt);
  else itemStates.advance(receipt, { stage: 'handed-over', delayed, reason });
  return truthOf(state) === undefined;
}
