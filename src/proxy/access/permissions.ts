import type { ItemId } from '../../domain/item.js';
import type { Permission, Receipt } from '../../contract/widget.js';
import type { ItemCatalog } from './item-catalog.js';
import type { IsIsolated } from './listed-ids.js';
import type { ProxySession } from './session.js';
import { scopeOf } from './session-scope.js';

export function hasPermission(session: ProxySession, permission: Permission): boolean {
  return session.permissions.has(permission);
}

export function canAccessItem(session: ProxySession, id: ItemId): boolean {
  return scopeOf(session)?.has(id) ?? true;
}

/**
 * What a session without `view` sees of an edit: its own state, without the values and names of other people that an edit
 * in conflict would show.
 */
export function visibleReceipt(session: ProxySession, receipt: Receipt): Receipt {
  if (hasPermission(session, 'view')) return receipt;
  const { by: _by, base: _base, theirs: _theirs, portal_available: _portal, ...own } = receipt;
  return own;
}

export interface CatalogAccess {
  readonly itemCatalog?: ItemCatalog | undefined;
  readonly isIsolated: IsIsolated;
}

/** The owner by the operator's lists of an id that this vendor uses. */
export function catalogOwner(
  vendor: string,
  { itemCatalog: itemsSource, isIsolated: separates }: CatalogAccess,
): (id: ItemId) => string | undefined {
  // An isolated vendor may use an id that others use: at the portal it is a different item.
  const lists = separates(vendor) ? undefined : itemsSource;
  return (id) => lists?.ownerOf(id, separates);
}

/** Whether the operator's lists give the id to another vendor. */
export function isOwnedByOther(vendor: string, lists: CatalogAccess): (id: ItemId) => boolean {
  const ownerOf = catalogOwner(vendor, lists);
  return (id) => (ownerOf(id) ?? vendor) !== vendor;
}
