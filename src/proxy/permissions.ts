import type { ItemId } from '../domain/item.js';
import { isInScope } from '../domain/scope.js';
import type { Permission } from '../contract/widget.js';
import type { ProxySession } from './session.js';

export function mayDo(session: ProxySession, permission: Permission): boolean {
  return session.permissions.has(permission);
}

export function mayTouch(session: ProxySession, id: ItemId): boolean {
  return isInScope(session.items, id);
}
