import type { ItemId } from '../../domain/item.js';

interface VendorEdit {
  readonly id: ItemId;
  readonly vendor: string;
}

/** An item that belongs to `vendor` by the operator's list, and an edit of it that the vendor `from` made. */
export interface ForeignItem<Edit> {
  readonly edit: Edit;
  readonly id: ItemId;
  readonly vendor: string;
  readonly from: string;
}

/**
 * Finds the edits that would change an item of another vendor. They were accepted before the operator's list named their
 * item, or before a change of settings put two vendors into one delivery queue.
 *
 * @param listedOwner the owner of an edit's item by the lists, if a list names it
 */
export function findForeignItems<Edit extends VendorEdit>(
  edits: readonly Edit[],
  listedOwner: (edit: Edit) => string | undefined,
): ForeignItem<Edit>[] {
  return edits.flatMap((edit) => {
    const vendor = listedOwner(edit);
    return vendor === undefined || vendor === edit.vendor ? [] : [{ edit, id: edit.id, vendor, from: edit.vendor }];
  });
}
