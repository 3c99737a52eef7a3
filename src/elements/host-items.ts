import { accepts, hostItemCheck } from '../contract/fast-checks.js';
import type { ItemId } from '../domain/item.js';
import type { HostItem } from '../client/item-view.js';

/** Checks what the host's page says. A bad entry is named on the console and left out; the others count. */
export function readHostItems(entries: unknown, warn: (message: string) => void): HostItem[] {
  if (!Array.isArray(entries)) {
    warn('items is no array of items.');
    return [];
  }
  const items = new Map<ItemId, HostItem>();
  const bad: string[] = [];
  const twice = new Set<ItemId>();
  entries.forEach((entry, index) => {
    if (!accepts(hostItemCheck, entry)) {
      bad.push(`items[${String(index)}]${hostItemCheck(entry) ?? ''}`);
      return;
    }
    const { id, available, updated_at, label, group, image, note } = entry;
    if (items.has(id)) twice.add(id);
    else {
      items.set(id, {
        id,
        available: available ?? undefined,
        updated_at: updated_at ?? undefined,
        label: label ?? undefined,
        group: group ?? undefined,
        image: image ?? undefined,
        note: note ?? undefined,
      });
    }
  });
  if (bad.length > 0) warn(`${String(bad.length)} of its items are left out. The first: ${bad[0] ?? ''}`);
  if (twice.size > 0) warn(`the first of each repeated id counts: ${[...twice].slice(0, 5).join(', ')}`);
  return [...items.values()];
}

/** A child `<script type="application/json">`: data, which no content security policy needs to allow. */
export function readChildItems(element: Element, warn: (message: string) => void): readonly unknown[] {
  const script = element.querySelector(':scope > script[type="application/json"]');
  if (script === null) return [];
  try {
    const value: unknown = JSON.parse(script.textContent);
    if (Array.isArray(value)) return value;
    warn('the JSON inside it is no array of items.');
  } catch {
    warn('the script inside it is not JSON.');
  }
  return [];
}
