import type { ItemId } from '../../domain/item.js';
import { isInScope } from '../../domain/item-scope.js';
import type { Permission } from '../../contract/widget.js';
import type { ItemsSource, Separates } from './item-catalog.js';
import type { ProxySession } from './session.js';

export function mayDo(session: ProxySession, permission: Permission): boolean {
  return session.permissions.has(permission);
}

export function mayTouch(session: ProxySession, id: ItemId): boolean {
  return isInScope(session.items, id);
}

export interface Lists {
  readonly itemsSource?: ItemsSource | undefined;
  readonly separates: Separates;
}

/** Whose item the lists say that an id is which this vendor uses. */
export function listedOwner(vendor: string, { itemsSource, separates }: Lists): (id: ItemId) => string | undefined {
  // Whoever is kept apart at the portal may have an id that others have: it is another item there.
  const lists = separates(vendor) ? undefined : itemsSource;
  return (id) => lists?.ownerOf(id, separates);
}

/** Whether the lists of items say that an id is another vendor's. */
export function isListedForAnother(vendor: string, lists: Lists): (id: ItemId) => boolean {
  const ownerOf = listedOwner(vendor, lists);
  return (id) => (ownerOf(id) ?? vendor) !== vendor;
}
