import type { ItemTable } from './item-table.js';

/** Resolves when every entry of the table has its position. */
export function untilRead(table: ItemTable): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!table.isRead) return;
      leave();
      resolve();
    };
    const leave = table.subscribe(look);
    look();
  });
}
