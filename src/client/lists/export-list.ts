import type { ItemList } from '../editor/item-list.js';
import type { RowOrder } from '../editor/editor-types.js';
import { writeCsv } from './csv.js';

/**
 * The column headers. They are English in every language, so that a colleague can import the file in another language.
 */
const HEAD = ['id', 'available', 'label', 'group'];

/**
 * The rows as comma-separated values. The values are those that the person sees, drafts included; an unknown value is
 * an empty cell.
 */
export function exportRows(table: ItemList, order: RowOrder): string {
  const rows: string[][] = [HEAD];
  for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1) {
    const row = table.row(order.at(viewIndex) ?? -1);
    if (row === undefined) continue;
    const { id, label = '', group = '', available } = row.view;
    rows.push([id, valueText(row.draft ?? available), label, group]);
  }
  return writeCsv(rows);
}

/** Writes `yes` and `no`, because a spreadsheet translates `true` and `false` into its own language. */
function valueText(available: boolean | undefined): string {
  if (available === undefined) return '';
  return available ? 'yes' : 'no';
}
