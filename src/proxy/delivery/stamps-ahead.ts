import type { Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import type { OpenEdit } from '../outbox/outbox.js';

export interface StampsAheadOptions {
  /** A stamp after this, in milliseconds since the epoch, is further ahead of the portal's clock than it may be. */
  readonly latestStamp: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Increasing stamps win over right ones: where an item has a stamp of the future, its next ones are of the future too, and
 * a portal that goes by its own clock may refuse or freeze it.
 */
export function noteStampsAhead(edits: readonly OpenEdit[], { latestStamp, log, metrics }: StampsAheadOptions): void {
  const latest = latestStamp();
  const ahead = edits.map(({ updated_at }) => Date.parse(updated_at) - latest).filter((by) => by > 0);
  if (ahead.length === 0) return;
  metrics.stampedAhead(ahead.length);
  log('error', 'stamps are ahead of the portal', { items: ahead.length, milliseconds: Math.max(...ahead) });
}
