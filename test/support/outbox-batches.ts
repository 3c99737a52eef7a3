import type { Receipt } from '../../src/contract/widget.js';
import type { EditId } from '../../src/domain/edit.js';
import type { ItemId, Timestamp } from '../../src/domain/item.js';
import type { AcceptBatchCommand, AcceptedEdit, Outbox } from '../../src/proxy/outbox/outbox.js';

export const NOW = Date.UTC(2026, 10, 21, 8, 30);

let made = 0;

/** An edit with a unique id, and the given changes. */
export function edit(id: string, changes: Partial<AcceptedEdit> = {}): AcceptedEdit {
  made += 1;
  return {
    id: id as ItemId,
    available: true,
    updated_at: '2026-11-21T08:30:00.000Z' as Timestamp,
    edit_id: `edit-${made}` as EditId,
    ...changes,
  };
}

/** A batch of the vendor `boat-tours` with a unique key, and the given changes. */
export function batch(edits: readonly AcceptedEdit[], changes: Partial<AcceptBatchCommand> = {}): AcceptBatchCommand {
  made += 1;
  return {
    vendor: 'boat-tours',
    subject: 'ada',
    lane: '',
    idempotencyKey: `key-${made}`,
    digest: `digest-${made}`,
    edits,
    now: NOW,
    portalOffset: 0,
    timestampUnit: 1,
    ...changes,
  };
}

export async function accept(outbox: Outbox, ...edits: readonly AcceptedEdit[]): Promise<readonly Receipt[]> {
  const accepted = await outbox.accept(batch(edits));
  if (accepted.kind !== 'accepted') throw new Error(`the batch was refused: ${accepted.kind}`);
  return accepted.receipts;
}
