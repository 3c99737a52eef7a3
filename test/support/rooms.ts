import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** The rooms and packages that a room may import; `*` means all. The linter reads the same table. */
export interface Doors {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

export const LAYERS = JSON.parse(readFileSync('test/architecture/layers.json', 'utf8')) as Readonly<
  Record<string, Doors>
>;

/** The rooms that `tsc -b` visits, as the root's tsconfig.json lists them. */
export const CHECKED_ROOMS = references('tsconfig.json');

export function roomOf(file: string): string | undefined {
  // The files directly in src are a room without the folders below it.
  if (dirname(file) === 'src') return 'src';
  return Object.keys(LAYERS)
    .filter((room) => room !== 'src' && file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** @returns the rooms that a tsconfig.json references */
export function references(file: string): string[] {
  return readConfig(file).references?.map(({ path }) => join(dirname(file), path)) ?? [];
}

/** @returns the files that the compiler checks as part of a room */
export function filesOf(room: string): string[] {
  const { fileNames } = ts.parseJsonConfigFileContent(readConfig(`${room}/tsconfig.json`), ts.sys, resolve(room));
  return fileNames.map((file) => relative('.', file));
}

function readConfig(file: string): { references?: { path: string }[] } {
  const result = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  if (result.error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(result.error.messageText, ' '));
  return result.config as { references?: { path: string }[] };
}
