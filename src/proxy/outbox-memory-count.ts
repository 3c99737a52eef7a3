import type { Row } from './outbox-memory-rows.js';
import type { OutboxCount } from './outbox/outbox.js';
import { EDIT_BYTES, PLACES_OF_A_TEXT } from './http/waiting-bytes.js';

type Counted = Omit<OutboxCount, 'accepted' | 'pruned'>;

/** @param rows oldest first */
export function countRows(rows: Iterable<Row>): Counted {
  const count = { received: 0, delivered: 0, parked: 0, superseded: 0, discarded: 0 };
  let oldestWaiting: number | undefined;
  for (const { state, acceptedAt } of rows) {
    count[state === 'refused' || state === 'conflict' ? 'parked' : state] += 1;
    if (state === 'received') oldestWaiting ??= acceptedAt;
  }
  return { ...count, oldestWaiting };
}

const encoder = new TextEncoder();

export function bytesOfWaiting(rows: Iterable<Row>): number {
  let bytes = 0;
  for (const row of rows) {
    if (row.state !== 'received') continue;
    const { vendor, subject, name, editId, lane, clickedAt, base, retryOf, reason, item } = row;
    const texts = [vendor, subject, name, editId, lane, clickedAt, base, retryOf, reason, item.id, item.label].join('');
    bytes += EDIT_BYTES + PLACES_OF_A_TEXT * encoder.encode(texts).length;
  }
  return bytes;
}
