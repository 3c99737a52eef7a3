import { readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import ts from 'typescript';

/** The imports of each file: other files by their path, packages by their name. Types and `import()` count too. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(files: readonly string[]): ImportGraph {
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** @returns all files that these files reach, themselves included */
export function reachableFrom(graph: ImportGraph, files: readonly string[]): Set<string> {
  const reached = new Set(files);
  // The loop also visits files that are added to the set while it runs.
  for (const file of reached) for (const next of graph.get(file) ?? []) reached.add(next);
  return reached;
}

/** @returns an import cycle for each file that is part of one */
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
