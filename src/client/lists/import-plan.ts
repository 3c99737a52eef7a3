import { isItemId, type ItemId } from '../../domain/item.js';
import { processInChunks } from '../browser/next-frame.js';
import type { Position } from '../editor/editor-types.js';
import { readCsv, type CsvRow } from './csv.js';

/** Why a line of a list is not taken. */
export type LineFault = 'id' | 'value' | 'repeated' | 'locked' | 'malformed';

/** What an import would make of one line. */
export type Verdict = 'new' | 'changed' | 'same' | 'refused';

export interface ImportLine {
  readonly line: number;
  readonly id: string;
  /** `undefined`: the line names no value, and the item keeps the one that it has. */
  readonly available: boolean | undefined;
  readonly verdict: Verdict;
  /** Of a line that is refused: why, and in which cell, counted from 1. */
  readonly fault?: { readonly reason: LineFault; readonly column: number };
}

export interface ImportPlan {
  readonly lines: readonly ImportLine[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Lines that name an item and no value. */
  readonly withoutValue: number;
}

/** The items that a list is imported into. */
export interface ImportTarget {
  positionOf(id: ItemId): Position | undefined;
  isRow(position: Position): boolean;
  /** The value that the person sees. */
  shownAt(position: Position): boolean | undefined;
  mayEdit(id: ItemId): boolean;
}

export interface ImportOptions {
  /** What an item becomes whose line names no value; `undefined`: it is only added. */
  readonly otherwise?: boolean | undefined;
  /** Words for yes and no in the person's language, beside the English ones and `1` and `0`. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** Words of the person's language for the heads of the two columns, beside `id` and `available`. */
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
 * Says of each line of a list what its import would do, and changes nothing. A long list is read in slices, between which the
 * page draws.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function planImport(text: string, target: ImportTarget, options: ImportOptions): Promise<ImportPlan> {
  const values = valueWords(options);
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
    const line = judge(row, columns, values, lineOf, target, options);
    if (line.verdict !== 'refused' && isEmpty(row.cells[columns.available])) withoutValue += 1;
    counts[line.verdict] += 1;
    lines.push(line);
    if (lines.length % 1_000 === 0) options.onProgress?.(row.read / text.length);
  });
  return { lines, counts, withoutValue };
}

function judge(
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
  const available = isEmpty(cell) ? otherwise : valueIn(values, cell, language);
  if (!isEmpty(cell) && available === undefined) return refused('value', columns.available);
  if (lineOf.has(id)) return refused('repeated', columns.id);
  lineOf.set(id, line);
  if (!target.mayEdit(id)) return refused('locked', columns.id);
  return { line, id, available, verdict: compare(id, available, target) };
}

function compare(id: ItemId, available: boolean | undefined, target: ImportTarget): Verdict {
  const position = target.positionOf(id);
  if (position === undefined || !target.isRow(position)) return 'new';
  return available === undefined || target.shownAt(position) === available ? 'same' : 'changed';
}

/** A first line that names the columns. One that has `id` and a value beside it is an item of that name. */
function findColumns(
  { cells }: CsvRow,
  values: ReadonlyMap<string, boolean>,
  { heads, language }: ImportOptions,
): Columns | undefined {
  const find = (names: readonly string[]): number => {
    const known = new Set(names.flatMap((name) => spellings(name, language)));
    return cells.findIndex((cell) => spellings(cell, language).some((spelling) => known.has(spelling)));
  };
  const id = find(['id', ...heads.id]);
  if (id < 0) return undefined;
  const available = find(['available', ...heads.available]);
  const isItem = available < 0 && cells.some((cell) => valueIn(values, cell, language) !== undefined);
  // Behind the last cell of every row: a list that has no such column names no values.
  return isItem ? undefined : { id, available: available < 0 ? Infinity : available };
}

function valueWords({ yes, no, language }: ImportOptions): ReadonlyMap<string, boolean> {
  const words = new Map<string, boolean>();
  for (const word of [...NO, ...no].flatMap((name) => spellings(name, language))) words.set(word, false);
  for (const word of [...YES, ...yes].flatMap((name) => spellings(name, language))) words.set(word, true);
  return words;
}

function valueIn(values: ReadonlyMap<string, boolean>, cell: string, language: string): boolean | undefined {
  const [plain = '', local = ''] = spellings(cell, language);
  return values.get(plain) ?? values.get(local);
}

/** Turkish has another small letter for `I`, and its spreadsheets hold English words, too. */
function spellings(word: string, language: string): readonly string[] {
  const text = word.trim().normalize('NFC');
  return [text.toLowerCase(), text.toLocaleLowerCase(language)];
}

function isEmpty(cell: string | undefined): boolean {
  return cell === undefined || cell.trim() === '';
}
