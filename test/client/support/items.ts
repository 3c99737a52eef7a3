import { overList } from '../../../src/client/editor/host-list.js';
import type { HostItem, HostSource } from '../../../src/client/model/item-view.js';
import { isItemId, type ItemId, type Timestamp } from '../../../src/domain/item.js';

export function itemId(text: string): ItemId {
  if (!isItemId(text)) throw new TypeError(`${text} is no item id`);
  return text;
}

export const KAYAK = itemId('kayak-tour-2');
export const BOAT = itemId('boat-tour-1');
export const CABIN = itemId('cabin-7');

/** A time before any other time in a test. */
export const LONG_AGO = '2026-01-05T09:00:00.000Z' as Timestamp;

/** A host's page with these items. */
export function hostSays(...items: readonly HostItem[]): HostSource {
  return {
    find(id, listed) {
      const host = items.find((item) => item.id === id);
      return host === undefined || listed === undefined ? host : overList(host, listed);
    },
  };
}
