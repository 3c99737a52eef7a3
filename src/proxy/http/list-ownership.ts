import type { ItemId } from '../../domain/item.js';
import type { ItemCatalog } from '../access/item-catalog.js';
import { newEditId } from '../outbox/commands.js';
import type { ListOwnership } from '../outbox/outbox.js';
import type { RouteContext } from './route-context.js';

type Context = Pick<
  RouteContext,
  'itemCatalog' | 'isIsolated' | 'laneOf' | 'outbox' | 'clock' | 'timestampSettings' | 'log' | 'metrics' | 'wake'
>;

/**
 * How the operator's lists decide whose an id is, for edits of this vendor. They decide nothing where all vendors have one
 * list, or where the portal keeps the ids of this vendor apart.
 */
export function listOwnership(
  vendor: string,
  { itemCatalog, isIsolated, laneOf }: Pick<Context, 'itemCatalog' | 'isIsolated' | 'laneOf'>,
): ListOwnership | undefined {
  if (itemCatalog?.byVendor !== true || isIsolated(vendor)) return undefined;
  const lane = laneOf(vendor);
  return { sharesLane: (other) => laneOf(other) === lane, isRead: itemCatalog.isRead(vendor) };
}

/**
 * Stores each list as it is read, so that it decides after a restart too, before any list is read again. What another vendor
 * has of a list goes to the vendor of that list.
 */
export function recordLists(itemCatalog: ItemCatalog, context: Context): void {
  itemCatalog.onRead(async (vendor, ids) => {
    const owners = await context.outbox.recordList(vendor, ids);
    await assignListed(vendor, context);
    return owners;
  });
}

/** @returns the ids that another vendor had, and that this vendor has now */
export async function assignListed(vendor: string, context: Context): Promise<readonly ItemId[]> {
  const { outbox, laneOf, clock, timestampSettings, log, metrics } = context;
  const lists = listOwnership(vendor, context);
  if (lists === undefined) return [];
  const { sharesLane } = lists;
  const settings = await timestampSettings();
  const now = Math.floor(clock.wall());
  const lane = laneOf(vendor);
  const assigned = await outbox.assignListed({ vendor, lane, sharesLane, now, newId: newEditId, ...settings });
  if (assigned.length > 0) {
    context.wake(lane);
    metrics.itemsReassigned(assigned.length);
    log('error', 'items that another vendor has changed are in the list of their owner', {
      vendor,
      items: assigned.length,
    });
  }
  return assigned;
}
