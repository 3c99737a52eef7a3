import { nextDueIn, type LaneRow } from './outbox-memory-rows.js';
import type { LaneRest, LaneState, PresentPortal } from './outbox/outbox.js';

export function heldLanesAmong(lanes: Iterable<LaneRow>): Map<string, number> {
  const held = new Map<string, number>();
  for (const lane of lanes) {
    const { held: reason } = lane.state;
    if (reason !== undefined && nextDueIn(lane) !== undefined) held.set(reason, (held.get(reason) ?? 0) + 1);
  }
  return held;
}

export function nextDueAmong(lanes: Iterable<LaneRow>): number | undefined {
  const next = [...lanes].reduce((earliest, lane) => Math.min(earliest, nextDueIn(lane) ?? Infinity), Infinity);
  return next === Infinity ? undefined : next;
}

export function tryOthers(lanes: Iterable<LaneRow>, now: number, { credentials, baseUrl }: PresentPortal): void {
  for (const lane of lanes) {
    const { held, failures, notBefore, provenBy } = lane.state;
    if (notBefore <= now || provenBy === undefined) continue;
    const isOther = held !== undefined && !credentials.includes(provenBy);
    if (!isOther && (failures === 0 || provenBy.includes(`${baseUrl} `))) continue;
    lane.state = { ...lane.state, notBefore: now };
  }
}

export function release(lane: LaneRow, state: LaneState, rest: LaneRest | undefined): void {
  lane.leaseUntil = rest === undefined ? -Infinity : rest.now + rest.forMs;
  lane.state = state;
}
