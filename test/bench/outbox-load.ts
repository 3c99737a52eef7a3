import type { EditId } from '../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../src/domain/item.js';
import type { AcceptBatchCommand, Outbox } from '../../src/proxy/outbox/outbox.js';

const EDITS_AT_ONCE = 1000;
const CLIENTS_AT_ONCE = 200;

let made = 0;

/** A new batch. */
export function newBatch(items: number): AcceptBatchCommand {
  const now = Date.now();
  made += 1;
  return {
    vendor: `vendor-${String(made % 8)}`,
    subject: `person-${String(made % 32)}`,
    lane: '',
    idempotencyKey: `key-${String(made)}`,
    digest: 'digest',
    edits: Array.from({ length: items }, () => {
      made += 1;
      return {
        id: `tour-${String(made).padStart(8, '0')}` as ItemId,
        available: true,
        updated_at: toTimestamp(now),
        edit_id: `${(Math.imul(made, 2_654_435_761) >>> 0).toString(16)}-${String(made)}` as EditId,
      };
    }),
    now,
    portalOffset: 0,
    timestampUnit: 1,
  };
}

export async function fill(outbox: Outbox, edits: number): Promise<void> {
  for (let left = edits; left > 0; left -= EDITS_AT_ONCE) await outbox.accept(newBatch(Math.min(left, EDITS_AT_ONCE)));
}

/** Accepts one edit for each vendor, each in its own lane. */
export async function acceptInto(outbox: Outbox, lanes: number): Promise<void> {
  const names = Array.from({ length: lanes }, (_, index) => `vendor-${String(index)}`);
  for (let from = 0; from < lanes; from += CLIENTS_AT_ONCE) {
    const some = names.slice(from, from + CLIENTS_AT_ONCE);
    await Promise.all(some.map((vendor) => acceptFor(outbox, vendor)));
  }
}

function acceptFor(outbox: Outbox, vendor: string): Promise<unknown> {
  const now = Date.now();
  return outbox.accept({
    ...{ vendor, lane: vendor, subject: 'person', idempotencyKey: vendor, digest: vendor },
    ...{ now, portalOffset: 0, timestampUnit: 1 },
    edits: [
      { id: 'kayak' as ItemId, available: true, edit_id: `edit-${vendor}` as EditId, updated_at: toTimestamp(now) },
    ],
  });
}
