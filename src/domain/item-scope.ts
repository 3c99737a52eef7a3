import type { ItemId } from './item.js';

/**
 * Whether a session that is confined to these items may touch this one. One trailing `*` makes a prefix. Deny by default:
 * a list that names nothing permits nothing. `undefined`: not confined.
 */
export function isInScope(scope: readonly string[] | undefined, id: ItemId): boolean {
  if (scope === undefined) return true;
  return scope.some((named) => (named.endsWith('*') ? id.startsWith(named.slice(0, -1)) : named === (id as string)));
}
