import { isItemId, type ItemId } from '../../domain/item.js';
import { processInChunks } from '../browser/next-frame.js';
import type { ItemIndex } from '../editor/editor-types.js';
import { readCsv, type CsvRow } from './csv.js';

/** Why a line of a list is refused. */
export type LineFault = 'id' | 'value' | 'repeated' | 'locked' | 'malformed';

/** The effect that the import of one line would have. */
export type Verdict = 'new' | 'changed' | 'same' | 'refused';

export interface ImportLine {
  readonly line: number;
  readonly id: string;
  /** `undefined`: the line has no value, and the item keeps its own. */
  readonly available: boolean | undefined;
  readonly verdict: Verdict;
  /** For a refused line: the reason, and the column of the bad cell, counted from 1. */
  readonly fault?: { readonly reason: LineFault; readonly column: number };
}

export interface ImportPlan {
  readonly lines: readonly ImportLine[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The number of lines with an item and no value. */
  readonly withoutValue: number;
}

/** The items that a list is imported into. */
export interface ImportTarget {
  findItemIndex(id: ItemId): ItemIndex | undefined;
  isRow(itemIndex: ItemIndex): boolean;
  /** The value that the person sees. */
  shownAt(itemIndex: ItemIndex): boolean | undefined;
  canEdit(id: ItemId): boolean;
}

export interface ImportOptions {
  /** The value of items whose line has none; `undefined`: these are only added. */
  readonly otherwise?: boolean | undefined;
  /** Words for yes and no in the person's language, in addition to the English ones and `1` and `0`. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** Names of the two columns in the person's language, in addition to `id` and `available`. */
  readonly heads: { readonly id: readonly string[]; readonly available: readonly string[] };
  readonly language: string;
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const YES = ['yes', 'y', 'true', '1', 'on', 'available', 'open'];
const NO = ['no', 'n', 'false', '0', 'off', 'unavailable', 'not available', 'closed'];

interface Columns {
  readonly id: number;
  readonly available: number;
}

/**
 * Determines the effect of each line of a list, and changes nothing. A long list is read in slices, between which the
 * page can render.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function planImport(text: string, target: ImportTarget, options: ImportOptions): Promise<ImportPlan> {
  const values = toValueMap(options);
  const lines: ImportLine[] = [];
  const counts = { new: 0, changed: 0, same: 0, refused: 0 };
  const lineOf = new Map<string, number>();
  let columns: Columns | undefined;
  let withoutValue = 0;
  await processInChunks(readCsv(text), (row) => {
    options.signal?.throwIfAborted();
    if (columns === undefined) {
      columns = findColumns(row, values, options);
      if (columns !== undefined) return;
      columns = { id: 0, available: 1 };
    }
    const line = checkLine(row, columns, values, lineOf, target, options);
    if (line.verdict !== 'refused' && isEmpty(row.cells[columns.available])) withoutValue += 1;
    counts[line.verdict] += 1;
    lines.push(line);
    if (lines.length % 1_000 === 0) options.onProgress?.(row.read / text.length);
  });
  return { lines, counts, withoutValue };
}

function checkLine(
  { cells, line, isMalformed }: CsvRow,
  columns: Columns,
  values: ReadonlyMap<string, boolean>,
  lineOf: Map<string, number>,
  target: ImportTarget,
  { language, otherwise }: ImportOptions,
): ImportLine {
  const [id = '', cell = ''] = [cells[columns.id], cells[columns.available]];
  const refused = (reason: LineFault, column: number): ImportLine => ({
    line,
    id,
    available: undefined,
    verdict: 'refused',
    fault: { reason, column: column + 1 },
  });
  if (isMalformed) return refused('malformed', cells.length - 1);
  if (!isItemId(id)) return refused('id', columns.id);
  const available = isEmpty(cell) ? otherwise : parseValue(values, cell, language);
  if (!isEmpty(cell) && available === undefined) return refused('value', columns.available);
  if (lineOf.has(id)) return refused('repeated', columns.id);
  lineOf.set(id, line);
  if (!target.canEdit(id)) return refused('locked', columns.id);
  return { line, id, available, verdict: compare(id, available, target) };
}

function compare(id: ItemId, available: boolean | undefined, target: ImportTarget): Verdict {
  const itemIndex = target.findItemIndex(id);
  if (itemIndex === undefined || !target.isRow(itemIndex)) return 'new';
  return available === undefined || target.shownAt(itemIndex) === available ? 'same' : 'changed';
}

/**
 * Finds the columns if the first line is a header. A line with `id` and a value beside it is an item with the id `id`.
 */
function findColumns(
  { cells }: CsvRow,
  values: ReadonlyMap<string, boolean>,
  { heads, language }: ImportOptions,
): Columns | undefined {
  const find = (names: readonly string[]): number => {
    const known = new Set(names.flatMap((name) => toLowerCaseForms(name, language)));
    return cells.findIndex((cell) => toLowerCaseForms(cell, language).some((spelling) => known.has(spelling)));
  };
  const id = find(['id', ...heads.id]);
  if (id < 0) return undefined;
  const available = find(['available', ...heads.available]);
  const isItem = available < 0 && cells.some((cell) => parseValue(values, cell, language) !== undefined);
  // A list without that column has no values: the index is beyond the last cell of every row.
  return isItem ? undefined : { id, available: available < 0 ? Infinity : available };
}

function toValueMap({ yes, no, language }: ImportOptions): ReadonlyMap<string, boolean> {
  const words = new Map<string, boolean>();
  for (const word of [...NO, ...no].flatMap((name) => toLowerCaseForms(name, language))) words.set(word, false);
  for (const word of [...YES, ...yes].flatMap((name) => toLowerCaseForms(name, language))) words.set(word, true);
  return words;
}

function parseValue(values: ReadonlyMap<string, boolean>, cell: string, language: string): boolean | undefined {
  const [plain = '', local = ''] = toLowerCaseForms(cell, language);
  return values.get(plain) ?? values.get(local);
}

/** Returns both lower-case forms: Turkish has another one for `I`, and its spreadsheets have English words too. */
function toLowerCaseForms(word: string, language: string): readonly string[] {
  const text = word.trim().normalize('NFC');
  return [text.toLowerCase(), text.toLocaleLowerCase(language)];
}

function isEmpty(cell: string | undefined): boolean {
  return cell === undefined || cell.trim() === '';
}
