import { readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import ts from 'typescript';

/** What each file imports: another file by its path, a package by its name. Types and `import()` count too. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(files: readonly string[]): ImportGraph {
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** @returns all files that these files reach, themselves included */
export function reachableFrom(graph: ImportGraph, files: readonly string[]): Set<string> {
  const reached = new Set(files);
  // A set hands out what is added while it is walked.
  for (const file of reached) for (const next of graph.get(file) ?? []) reached.add(next);
  return reached;
}

/** @returns a way from a file back to itself, for each file that has one */
export function circles(graph: ImportGraph): string[][] {
  return [...graph]
    .filter(([file, next]) => reachableFrom(graph, next).has(file))
    .map(([file]) => wayBack(graph, file));
}

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, false);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? posix.join(dirname(file), fileName).replace(/\.js$/, '.ts') : fileName,
  );
}

function wayBack(graph: ImportGraph, start: string): string[] {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, start];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return [];
}
