import { applyImport, toImportTarget } from '../../../client/lists/apply-import.js';
import { writeCsv } from '../../../client/lists/csv.js';
import { exportRows } from '../../../client/lists/export-list.js';
import { planImport } from '../../../client/lists/import-plan.js';
import type { FeatureDictionary } from '../../../locales/features/feature-dictionary.js';
import type { ImportReport, ListsOfEditor, ToolsOfEditor } from '../editor-context.js';
import { importOptions, ListsDialog, saveFile } from './lists-dialog.js';

/** Import and export of lists. This module is loaded with its texts when a person or the host's page first needs it. */
export class Lists implements ListsOfEditor {
  readonly #text: FeatureDictionary;

  constructor(text: FeatureDictionary) {
    this.#text = text;
  }

  open(tools: ToolsOfEditor): void {
    const dialog = new ListsDialog(tools, this.#text);
    tools.withDialogs((dialogs) => {
      dialog.open(dialogs);
    });
  }

  async importCsv(tools: ToolsOfEditor, csv: string): Promise<ImportReport> {
    const { context } = tools;
    const { lines, counts } = await planImport(csv, toImportTarget(context.table), importOptions(context, this.#text));
    const plan = context.locked ? [] : lines;
    await applyImport({ lines: plan, counts, withoutValue: 0 }, context.table, tools.draft, context.confirmChange);
    return {
      ...counts,
      faults: lines.flatMap(({ line, fault }) => (fault === undefined ? [] : [{ line, ...fault }])),
    };
  }

  download(rows: readonly (readonly string[])[], name: string): void {
    saveFile(writeCsv(rows), name);
  }

  exportCsv({ context: { table } }: ToolsOfEditor): string {
    return exportRows(table, table.order);
  }
}
