import type { Clock } from '../runtime/clock.js';
import type { LaneWanted } from '../outbox/outbox.js';

/**
 * Made before an attempt is opened, and asked right before its call leaves. Whoever stood still in between, as a process that
 * is stopped or a machine that sleeps, may have lost the lane long since, and the portal knows no fence: the next holder has
 * said newer values meanwhile, and waited for what may land late. So a call leaves while there is time for all of it, and
 * for its late landing, under the lease.
 */
export function createSendDeadline(clock: Clock, { leaseMs, unsureMs }: LaneWanted): () => boolean {
  const passed = measureElapsed(clock);
  return () => passed() < leaseMs - unsureMs;
}

/** By the clock that tells the most: each of them stands still in some kind of sleep. One that is set costs a wait. */
function measureElapsed(clock: Clock): () => number {
  const read = (): readonly number[] => [clock.monotonic(), clock.wall(), clock.uptime?.() ?? 0];
  const before = read();
  return () => Math.max(...read().map((time, at) => time - (before[at] ?? time)));
}
