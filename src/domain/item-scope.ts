import type { ItemId } from './item.js';

/**
 * Whether a session may read and edit this item. A pattern that ends with `*` permits every id with that prefix. An empty
 * scope permits no item; `undefined` permits all.
 */
export function isInScope(scope: readonly string[] | undefined, id: ItemId): boolean {
  if (scope === undefined) return true;
  return scope.some((pattern) =>
    pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === (id as string),
  );
}
