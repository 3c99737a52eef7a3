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
 * What a session without `view` learns of an edit: its own state, and nothing of other people, whose values and names an edit
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

/** Whose item the lists say that an id is which this vendor uses. */
export function catalogOwner(
  vendor: string,
  { itemCatalog: itemsSource, isIsolated: separates }: CatalogAccess,
): (id: ItemId) => string | undefined {
  // A vendor with a place of its own at the portal may have an id that others have: it is another item there.
  const lists = separates(vendor) ? undefined : itemsSource;
  return (id) => lists?.ownerOf(id, separates);
}

/** Whether the lists of items say that an id is another vendor's. */
export function isOwnedByOther(vendor: string, lists: CatalogAccess): (id: ItemId) => boolean {
  const ownerOf = catalogOwner(vendor, lists);
  return (id) => (ownerOf(id) ?? vendor) !== vendor;
}
