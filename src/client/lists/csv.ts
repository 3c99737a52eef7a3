import Papa from 'papaparse';

/**
 * Lists as comma-separated values (RFC 4180).
 *
 * A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula. Writing adds
 * a `'` before such a cell, and before a cell that begins with `'`; reading removes exactly one. So a list that is
 * exported, imported and exported again is the same byte for byte, whatever its items are called.
 */
export interface CsvRow {
  readonly cells: readonly string[];
  /** The line on which the row begins, counted from 1. */
  readonly line: number;
  /** Whether a quote is not closed, or text follows a closing quote. */
  readonly isMalformed: boolean;
  /** The UTF-16 code units that are read, including this row. */
  readonly read: number;
}

const BOM = '\uFEFF';
const CRLF = '\r\n';
const FORMULA = /^[=+\-@\t\r']/;

/** The length of the start of the text in which the delimiter and the line break are detected. */
const HEAD = 65_536;
/** The number of rows that are parsed at once. The caller may stop between any two rows. */
const CHUNK = 500;

/**
 * Reads the text that a spreadsheet saves or copies, separated by commas, semicolons or tabs. Empty lines are left out.
 */
export function* readCsv(text: string): Generator<CsvRow, void> {
  const start = text.startsWith(BOM) ? BOM.length : 0;
  const { meta } = Papa.parse(text.slice(start, start + HEAD), {
    preview: 10,
    skipEmptyLines: true,
    delimitersToGuess: [',', '\t', ';'],
  });
  // The fast mode splits the whole rest of the text for each chunk.
  const config = { delimiter: meta.delimiter, newline: meta.linebreak, fastMode: false };
  let [read, line] = [start, 1];
  while (read < text.length) {
    const rows: CsvRow[] = [];
    const base = read;
    const parser = new Papa.Parser({
      ...config,
      step: ({ data, errors, meta: { cursor } }) => {
        const [cells = []] = data as string[][];
        const end = base + cursor;
        rows.push({ cells: cells.map(unprotect), line, isMalformed: errors.length > 0, read: end });
        line += countLines(text, read, end, config.newline);
        read = end;
        if (rows.length === CHUNK) parser.abort();
      },
    });
    parser.parse(text.slice(base), 0, false);
    for (const row of rows) if (row.cells.some((cell) => cell !== '')) yield row;
  }
}

/** Writes a byte order mark, without which spreadsheets take UTF-8 for another encoding. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const text = Papa.unparse(rows, { newline: CRLF, escapeFormulae: FORMULA });
  return `${BOM}${text}${CRLF}`;
}

/**
 * Decodes UTF-16 with a byte order mark, else UTF-8, else Windows-1252, which older spreadsheets of western Europe
 * write.
 */
export function decodeCsv(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function unprotect(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell;
}

function countLines(text: string, from: number, to: number, newline: string): number {
  let count = 0;
  for (let at = text.indexOf(newline, from); at >= 0 && at < to; at = text.indexOf(newline, at + newline.length)) {
    count += 1;
  }
  return count;
}
