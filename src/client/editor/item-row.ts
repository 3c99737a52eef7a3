import { availableOf, isChanged, valueIn, wishIn } from '../../domain/stand.js';
import type { ItemId } from '../../domain/item.js';
import type { EditorStore, ItemRow, Position } from './editor-types.js';
import { BASE_SHIFT, MET, type Bits } from './item-bits.js';

/** What is drawn of one item: made when it is asked for, and kept by nobody. */
export function itemRow(store: EditorStore, position: Position, id: ItemId, bits: Bits): ItemRow {
  const draft = isChanged(bits) ? availableOf(wishIn(bits)) : undefined;
  const theirs = availableOf(valueIn(bits));
  const met = draft !== undefined && theirs !== undefined && (bits & MET) !== 0;
  return {
    position,
    view: store.view(id),
    draft,
    met: met ? { base: availableOf(valueIn(bits >> BASE_SHIFT)), mine: draft, theirs } : undefined,
    mayEdit: store.mayEdit(id),
  };
}
