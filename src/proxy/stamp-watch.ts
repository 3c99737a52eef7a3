import type { Receipt } from '../contract/widget.js';
import type { Log } from './log.js';

/** Items that are remembered as told; beyond that one may be told twice. */
const MOST_TOLD = 10_000;

/** Told of stamps that were made now. @param portalNow the portal's clock, milliseconds since the epoch */
export type WatchStamps = (vendor: string, receipts: readonly Receipt[], portalNow: number) => void;

/**
 * A stamp is never older than the item's last one. Where that was made by a clock of the future, every new one stays ahead
 * of the portal's clock, which may then dislike them: the operator is told, once for each item.
 */
export function createStampWatch(toleranceMs: () => number, log: Log): WatchStamps {
  const told = new Set<string>();
  let count = 0;
  return (vendor, receipts, portalNow) => {
    for (const { id, updated_at } of receipts) {
      const ahead = Date.parse(updated_at) - portalNow;
      const name = JSON.stringify([vendor, id]);
      if (ahead <= toleranceMs() || told.has(name)) continue;
      if (told.size >= MOST_TOLD) told.clear();
      told.add(name);
      count += 1;
      log('warn', 'a stamp is ahead of the portal', { vendor, item: id, milliseconds: ahead, items: count });
    }
  };
}
