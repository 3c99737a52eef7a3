import assert from 'node:assert/strict';
import type { Receipt } from '../../src/contract/widget.js';
import { nodeDigest } from '../../src/proxy/node/node-digest.js';
import type { Acceptance, Accepted, AcceptedEdit } from '../../src/proxy/outbox/outbox.js';
import { receiptsOfNew } from '../../src/proxy/receipts-text.js';
import { readWrittenBatch } from '../../src/proxy/read-written-batch.js';
import type { WrittenBatch } from '../../src/proxy/written-batch.js';

/** The body that a page writes for these edits, as the proxy reads a long one. */
export function written(edits: readonly AcceptedEdit[], more: object = {}): WrittenBatch {
  const inventory = edits.map(({ id, available, updated_at, base, edit_id, label }) => {
    return { id, available, updated_at, base, edit_id, label };
  });
  const batch = readWrittenBatch(new TextEncoder().encode(JSON.stringify({ inventory, ...more })), edits.length);
  assert.ok(batch !== undefined, 'no page writes these edits so');
  return batch;
}

/** With the digest that a store makes of these bytes itself. */
export function asWritten(batch: Acceptance): Acceptance & { readonly written: WrittenBatch } {
  const bytes = written(batch.edits);
  return { ...batch, digest: nodeDigest(bytes.text), written: bytes };
}

/** What the page hears of it, be it told in words or by a number and a stamp. */
export function told(accepted: Accepted, batch: WrittenBatch): Exclude<Accepted, { kind: 'accepted_new' }> {
  if (accepted.kind !== 'accepted_new') return accepted;
  const text = new TextDecoder().decode(receiptsOfNew(batch, accepted.number, accepted.stamp));
  return { kind: 'accepted', ...(JSON.parse(text) as { receipts: Receipt[] }) };
}
