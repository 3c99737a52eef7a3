import assert from 'node:assert/strict';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { INTERACTIVE_EDITS } from '../../src/proxy/outbox/sql/accept.js';
import { batch, edit } from '../proxy/outbox/outbox-contract.js';
import { leaseLane } from './lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const WANT = { leaseMs: 30_000, uncertainMs: 20_000, now: T0 };

export interface Post {
  readonly vendor: string;
  readonly edits: number;
}

/**
 * Accepts these posts, each edit for another item.
 *
 * @returns the items in the order in which they are sent, and in the expected order
 */
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
  const lease = await leaseLane(outbox, WANT);
  assert.ok(lease);
  const due = await outbox.due(lease, T0, accepted.length);
  return [due.map(({ id }) => id), inSendingOrder(accepted).map(({ id }) => id)];
}

/**
 * The number of edits that are sent before the edits of a new vendor, while another vendor has 200 edits, half of them
 * sent.
 */
export async function placesBeforeNewcomer(outbox: Outbox): Promise<number> {
  const ids = Array.from({ length: 200 }, (_, index) => `item-${String(index)}`);
  await outbox.accept(
    batch(
      ids.map((id) => edit(id, true)),
      { vendor: 'vendor-a' },
    ),
  );
  const lease = await leaseLane(outbox, WANT);
  assert.ok(lease);
  const open = await outbox.beginAttempt(lease, await outbox.due(lease, T0, 100), T0);
  await outbox.recordOutcomes(
    lease,
    open.map((one) => ({ edit: one, kind: 'delivered' })),
    T0,
  );
  const others = Array.from({ length: 30 }, (_, index) => edit(`other-${String(index)}`, true));
  await outbox.accept(batch(others, { vendor: 'vendor-b' }));
  const due = await outbox.due(lease, T0, 1000);
  return due.findIndex(({ vendor }) => vendor === 'vendor-b');
}

interface Sendable {
  readonly seq: number;
  readonly vendor: string;
  readonly bulk: boolean;
}

/**
 * The expected order of due edits: interactive edits before bulk edits, then the vendors in turn, then the order of
 * acceptance. A vendor with ten thousand edits delays another vendor's single edit by one place.
 */
function inSendingOrder<E extends Sendable>(edits: readonly E[]): E[] {
  const turns = new Map<string, number>();
  const ranked = [...edits]
    .sort((a, b) => a.seq - b.seq)
    .map((edit) => {
      const key = `${edit.bulk ? 'b' : 'i'}${edit.vendor}`;
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      return { edit, turn };
    });
  ranked.sort((a, b) => Number(a.edit.bulk) - Number(b.edit.bulk) || a.turn - b.turn || a.edit.seq - b.edit.seq);
  return ranked.map(({ edit }) => edit);
}
