import type { ItemId } from '../../domain/item.js';

interface VendorEdit {
  readonly id: ItemId;
  readonly vendor: string;
}

/** An item that the operator's list gives to `vendor`, and an edit of it that the vendor `from` made. */
export interface ForeignItem<Edit> {
  readonly edit: Edit;
  readonly id: ItemId;
  readonly vendor: string;
  readonly from: string;
}

/**
 * Edits that were accepted before the operator's list named their item, or before settings brought two vendors together:
 * they would change an item of another vendor.
 *
 * @param listedOwner whose the item of an edit is, where a list names it
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
