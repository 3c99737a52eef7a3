import type { HistoryEntry } from '../../../src/contract/history.js';
import type { EditId } from '../../../src/domain/edit.js';
import { KAYAK, LONG_AGO } from '../../client/support/items.js';

/** A delivered edit of Anna that made the Kayak tour unavailable. */
export function entryOf(seq: number, set: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    seq,
    edit_id: `edit-${String(seq)}` as EditId,
    id: KAYAK,
    subject: 'anna',
    from: true,
    to: false,
    accepted_at: LONG_AGO,
    updated_at: LONG_AGO,
    state: 'delivered',
    ...set,
  };
}
