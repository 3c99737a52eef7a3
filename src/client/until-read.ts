import type { ItemTable } from './item-table.js';

/** Resolves when every entry of the table has its position. */
export function untilRead(table: ItemTable): Promise<void> {
  if (table.isRead) return Promise.resolve();
  return new Promise((resolve) => {
    const leave = table.subscribe(() => {
      if (!table.isRead) return;
      leave();
      resolve();
    });
  });
}
