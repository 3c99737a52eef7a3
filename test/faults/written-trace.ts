/** Converts a readable trace to the format of `strace -xx`: strings are in «», paths in <>. */
export function writtenTrace(...lines: string[]): Buffer {
  const written = lines.map((line) =>
    line
      .replace(/«([^»]*)»/g, (_, text: string) => `"${hex(text)}"`)
      .replace(/(\d|AT_FDCWD)<([^>]+)>/g, (_, before: string, path: string) => `${before}<${hex(path)}>`),
  );
  return Buffer.from(`${written.join('\n')}\n`);
}

function hex(text: string): string {
  return [...Buffer.from(text, 'latin1')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
