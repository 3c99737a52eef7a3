/** Rows of a Markdown table; prettier aligns it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** As GitHub makes them of headings: small letters, hyphens for blanks, nothing else that is no letter or digit. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Puts text between the two comments that mark a generated region of a page.
 *
 * @throws where the page has no such region
 */
export function withRegion(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- generated: ${name} (npm run documents) -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page lacks ${start} and ${end}`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
