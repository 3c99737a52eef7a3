import type { Clock } from '../runtime/clock.js';
import type { LaneWanted } from '../outbox/outbox.js';

/**
 * Measures from before an attempt begins, and is checked right before its call is sent. A process that was suspended in between
 * may have lost the lane, and the portal knows no fencing token: the next holder may have sent newer values. So a call is only
 * sent while the lease lasts for the whole call, and for the time in which it may still arrive.
 */
export function createSendDeadline(clock: Clock, { leaseMs, unsureMs }: LaneWanted): () => boolean {
  const passed = measureElapsed(clock);
  return () => passed() < leaseMs - unsureMs;
}

/** The longest time that any of the clocks measures: each of them stops in some kind of sleep. */
function measureElapsed(clock: Clock): () => number {
  const read = (): readonly number[] => [clock.monotonic(), clock.wall(), clock.uptime?.() ?? 0];
  const before = read();
  return () => Math.max(...read().map((time, at) => time - (before[at] ?? time)));
}
