import type { OpenEdit, OwnedItem } from '../outbox/outbox.js';

export interface ForeignItem extends OwnedItem {
  readonly edit: OpenEdit;
}

/**
 * Edits that wait from before the operator's list named their item, or from before settings brought two vendors together: they
 * would change what is another vendor's.
 *
 * @param listedOwner whose the item of an edit is, where a list says so
 * @returns each with its item, as the list has it
 */
export function findForeignItems(
  edits: readonly OpenEdit[],
  listedOwner: (edit: OpenEdit) => string | undefined,
): ForeignItem[] {
  return edits.flatMap((edit) => {
    const vendor = listedOwner(edit);
    return vendor === undefined || vendor === edit.vendor ? [] : [{ edit, id: edit.id, vendor, from: edit.vendor }];
  });
}
