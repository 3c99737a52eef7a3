import type { ItemId } from '../domain/item.js';
import { isInScope } from '../domain/scope.js';
import type { Permission } from '../contract/widget.js';
import type { ItemsSource, Separates } from './items-source.js';
import type { ProxySession } from './session.js';

export function mayDo(session: ProxySession, permission: Permission): boolean {
  return session.permissions.has(permission);
}

export function mayTouch(session: ProxySession, id: ItemId): boolean {
  return isInScope(session.items, id);
}

/** Whether the lists of items say that an id is another vendor's. */
export function isListedForAnother(
  vendor: string,
  { itemsSource, separates }: { readonly itemsSource?: ItemsSource | undefined; readonly separates: Separates },
): (id: ItemId) => boolean {
  // Whoever is kept apart at the portal may have an id that others have: it is another item there.
  const lists = separates(vendor) ? undefined : itemsSource;
  return (id) => (lists?.ownerOf(id, separates) ?? vendor) !== vendor;
}
