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
 * @returns how the operator's lists decide which vendor owns an id, for edits of this vendor; `undefined` if all vendors have
 *   one list, or if the portal keeps the ids of this vendor apart from those of others
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
 * Stores each list when it is read, so that it decides after a restart too, before the first list is read. Items of the list
 * that another vendor has edited are assigned to the vendor of the list.
 */
export function recordLists(itemCatalog: ItemCatalog, context: Context): void {
  itemCatalog.onRead(async (vendor, ids) => {
    const owners = await context.outbox.recordList(vendor, ids);
    await assignListed(vendor, context);
    return owners;
  });
}

/** @returns the ids that were assigned from another vendor to this one */
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
