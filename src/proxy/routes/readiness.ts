import { Refusal } from '../http/problem-response.js';
import type { Delivery } from '../delivery/delivery.js';
import type { Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';

/**
 * How the portal took the last call, where anything waits; what `/readyz` goes by.
 *
 * @throws {Refusal} where nothing takes edits to the portal
 * @throws {StorageFailed}
 */
export async function readiness(
  outbox: Outbox,
  delivery: Delivery,
): Promise<{ readonly portal: UpdateOutcome['kind'] | undefined }> {
  const [due, held] = await Promise.all([outbox.nextDue(), outbox.heldLanes()]);
  if (!delivery.alive) throw new Refusal('delivery_stopped');
  // Where nothing waits, the call that failed is over: its edits were delivered elsewhere, or are with a person.
  if (due === undefined) return { portal: undefined };
  // The last call may have been another credential's. A portal that refuses what it is sent is not down.
  const isHeld = [...held.keys()].some((reason) => reason !== 'portal_refuses');
  return { portal: isHeld ? 'held' : delivery.lastOutcome };
}
