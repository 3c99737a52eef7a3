import { PORTAL_CONFIRMS, type LaneState, type OpenEdit } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import type { Log, LogFields } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';

/** Where the events of a lane are recorded. */
export interface DeliveryLogOptions {
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface FinishedCall {
  readonly lane: string;
  readonly items: number;
  readonly outcome: UpdateOutcome;
  readonly milliseconds: number;
}

export function logCall(
  { lane, items, outcome, milliseconds }: FinishedCall,
  { log, metrics }: DeliveryLogOptions,
): void {
  metrics.portalCalled(outcome, milliseconds);
  log(outcome.kind === 'delivered' ? 'info' : 'warn', 'portal call', {
    code: outcome.kind,
    ...vendorOf(lane),
    items,
    milliseconds,
    ...(outcome.response && { status: outcome.response.status, content_type: outcome.response.type ?? 'none' }),
    ...('reason' in outcome && { reason: outcome.reason }),
    ...(outcome.kind === 'refused' && { reason: outcome.code }),
    ...(outcome.kind === 'delivered' && outcome.accepted && { reason: PORTAL_CONFIRMS }),
    ...('portalMessage' in outcome && outcome.portalMessage !== undefined && { portal_said: outcome.portalMessage }),
    ...('failure' in outcome && outcome.failure !== undefined && { error: outcome.failure }),
  });
}

/** Logs that a worker run has changed whether the lane is held. */
export function logHold(lane: string, before: LaneState, { held }: LaneState, { log }: DeliveryLogOptions): void {
  if (held === before.held) return;
  if (held === undefined) log('info', 'delivery goes on', vendorOf(lane));
  else log('error', 'delivery is held', { reason: held, ...vendorOf(lane) });
}

/** Informs the operator only: for people the edits stay delivered. */
export function logAbandonedResends(edits: readonly OpenEdit[], { log }: DeliveryLogOptions): void {
  for (const { vendor } of edits) {
    log('error', 'the portal may have an older value, and refuses the newest', { vendor, items: 1 });
  }
}

/** The vendor of the lane; a lane that vendors share has no name. */
function vendorOf(lane: string): LogFields {
  return lane === '' ? {} : { vendor: lane };
}

export interface ClockSkewOptions {
  /** The latest timestamp that the portal's clock allows, in milliseconds since the epoch. */
  readonly maxTimestamp: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Logs timestamps that are ahead of the portal's clock. The timestamps of an item always increase, so after one in the
 * future the next ones are in the future too. A portal that compares them with its own clock may reject them or freeze
 * the item.
 */
export function logTimestampsAhead(edits: readonly OpenEdit[], { maxTimestamp, log, metrics }: ClockSkewOptions): void {
  const latest = maxTimestamp();
  const ahead = edits.map(({ updated_at }) => Date.parse(updated_at) - latest).filter((by) => by > 0);
  if (ahead.length === 0) return;
  metrics.timestampsAhead(ahead.length);
  log('error', 'stamps are ahead of the portal', { items: ahead.length, milliseconds: Math.max(...ahead) });
}
