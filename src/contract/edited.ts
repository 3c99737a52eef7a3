import type { ListedItem, Listing } from './widget.js';

/** Somebody has edited it here: an answer that says the state says the value and its stamp too. */
export function isEdited(item: Listing['inventory'][number]): item is ListedItem {
  return item.state !== undefined;
}
