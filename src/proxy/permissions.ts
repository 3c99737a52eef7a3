import type { ItemId } from '../domain/item.js';
import type { Permission } from '../contract/widget.js';
import type { ProxySession } from './session.js';

export function mayDo(session: ProxySession, permission: Permission): boolean {
  return session.permissions.has(permission);
}

/** Deny by default: an `items` claim that matches nothing permits nothing. */
export function mayTouch(session: ProxySession, id: ItemId): boolean {
  if (session.items === undefined) return true;
  return session.items.some((scope) =>
    scope.endsWith('*') ? id.startsWith(scope.slice(0, -1)) : (scope as string) === id,
  );
}
