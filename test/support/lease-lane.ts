import type { LeaseRequest, Lease, Outbox } from '../../src/proxy/outbox/outbox.js';

/** Leases the lane that has waited longest. */
export async function leaseLane(outbox: Pick<Outbox, 'leaseLanes'>, want: LeaseRequest): Promise<Lease | undefined> {
  const [lease] = await outbox.leaseLanes(want, 1);
  return lease;
}
