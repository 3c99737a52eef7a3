import type { ItemId } from '../../domain/item.js';
import type { Permission } from '../../contract/widget.js';
import type { ItemCatalog, IsIsolated } from './item-catalog.js';
import type { ProxySession } from './session.js';
import { scopeOf } from './session-scope.js';

export function hasPermission(session: ProxySession, permission: Permission): boolean {
  return session.permissions.has(permission);
}

export function canAccessItem(session: ProxySession, id: ItemId): boolean {
  return scopeOf(session)?.has(id) ?? true;
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
  // Whoever is kept apart at the portal may have an id that others have: it is another item there.
  const lists = separates(vendor) ? undefined : itemsSource;
  return (id) => lists?.ownerOf(id, separates);
}

/** Whether the lists of items say that an id is another vendor's. */
export function isOwnedByOther(vendor: string, lists: CatalogAccess): (id: ItemId) => boolean {
  const ownerOf = catalogOwner(vendor, lists);
  return (id) => (ownerOf(id) ?? vendor) !== vendor;
}
