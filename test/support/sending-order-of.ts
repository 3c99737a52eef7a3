import assert from 'node:assert/strict';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { INTERACTIVE_EDITS, inSendingOrder } from '../../src/proxy/outbox/fair-order.js';
import { batch, edit } from '../proxy/outbox/outbox-contract.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const WANT = { leaseMs: 30_000, unsureMs: 20_000, now: T0 };

export interface Post {
  readonly vendor: string;
  readonly edits: number;
}

/** Accepts these, each edit for an item of its own, and tells from whom they would leave, and from whom they should. */
export async function sendingOrderOf(
  outbox: Outbox,
  posts: readonly Post[],
): Promise<[actual: string[], right: string[]]> {
  const accepted: { id: string; vendor: string; seq: number; bulk: boolean }[] = [];
  for (const { vendor, edits } of posts) {
    const first = accepted.length;
    const ids = Array.from({ length: edits }, (_, index) => `item-${String(first + index)}`);
    await outbox.accept(
      batch(
        ids.map((id) => edit(id, true)),
        { vendor },
      ),
    );
    accepted.push(...ids.map((id, index) => ({ id, vendor, seq: first + index, bulk: edits > INTERACTIVE_EDITS })));
  }
  const lease = await outbox.leaseLane(WANT);
  assert.ok(lease);
  const due = await outbox.due(lease, T0, accepted.length);
  return [due.map(({ id }) => id), inSendingOrder(accepted).map(({ id }) => id)];
}

/** How many others leave before the one edit of a vendor who comes while another has thousands waiting, half of them gone. */
export async function placesBeforeNewcomer(outbox: Outbox): Promise<number> {
  const ids = Array.from({ length: 200 }, (_, index) => `item-${String(index)}`);
  await outbox.accept(
    batch(
      ids.map((id) => edit(id, true)),
      { vendor: 'vendor-a' },
    ),
  );
  const lease = await outbox.leaseLane(WANT);
  assert.ok(lease);
  const open = await outbox.openAttempt(lease, await outbox.due(lease, T0, 100), T0);
  await outbox.settle(
    lease,
    open.map((one) => ({ edit: one, kind: 'delivered' })),
    T0,
  );
  const others = Array.from({ length: 30 }, (_, index) => edit(`other-${String(index)}`, true));
  await outbox.accept(batch(others, { vendor: 'vendor-b' }));
  const due = await outbox.due(lease, T0, 1000);
  return due.findIndex(({ vendor }) => vendor === 'vendor-b');
}
