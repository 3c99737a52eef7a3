import { isSettled, truthOf } from '../../domain/edit-state.js';
import type { Receipt } from '../../contract/widget.js';
import type { ItemLedger } from './item-state.js';

/** What is said of an edit, be it in a receipt or in a listing. */
export type Word = Omit<Receipt, 'seq'>;

/**
 * Moves an edit that was made here forward. The queue has taken note, so that what is shown as settled is settled.
 *
 * @returns whether another edit of the item counts now, which only a listing that is asked for from here on knows
 */
export function applyReceipt(receipt: Word, ledger: ItemLedger): boolean {
  const { id, edit_id, state, reason, delayed } = receipt;
  const local = ledger.local(id);
  // A newer wish, perhaps of this very moment, has its own receipt to wait for.
  if (local?.edit.edit_id !== edit_id) return false;
  ledger.confirmEdit({ ...receipt, available: local.edit.available });
  if (isSettled(state)) ledger.dropLocal(receipt);
  else ledger.advance(receipt, { stage: 'handed-over', delayed, reason });
  return truthOf(state) === undefined;
}
