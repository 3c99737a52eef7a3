import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { circles, importGraph, type ImportGraph } from '../support/import-graph.js';
import { treeFiles } from '../support/tree-files.js';

/** A longer list of entries does not fit on a screen. */
const MAX_ENTRIES = 14;

/** A folder with a file for each language may have more entries. */
const LANGUAGES = 'src/locales';

/** Upward imports between folders that still exist. Do not add to this list. */
const UPWARD: readonly string[] = [
  'src/proxy/node/database/sqlite -> src/proxy/node',
  'src/proxy/outbox -> src/proxy/portal',
];

/** Packages whose folders still import each other. Do not add to this list. */
const UNSORTED: readonly string[] = ['src/client', 'src/elements'];

/** Words that hide who acts, or when: name the client, the worker, the portal or the time. */
const VAGUE = /\b(?:whoever|nobody|somebody|anew|meanwhile|stands|(?:is|are|was|were) (?:said|told))\b/gi;

const sources = treeFiles().filter((file) => /^src\/.*\.ts$/.test(file));

describe('the folders of the source', () => {
  it(`have at most ${MAX_ENTRIES} entries`, () => {
    const wide = [...entriesOf(sources)]
      .filter(([folder, { size }]) => folder !== LANGUAGES && size > MAX_ENTRIES)
      .map(([folder, { size }]) => `${folder} has ${size} entries`);

    assert.deepEqual(wide, [], 'give what belongs together a folder of its own, or merge files that are read together');
  });

  it('import downwards only', () => {
    const sorted = sources.filter((file) => !UNSORTED.some((room) => file.startsWith(`${room}/`)));

    const ways = circles(folderGraph(sorted)).map((way) => way.join(' -> '));

    assert.deepEqual(ways, [], 'two folders import each other: move what both need into the lower one');
  });
});

describe('the prose of the source', () => {
  it('has no vague words', () => {
    const found = sources
      // The texts of the elements may use these words.
      .filter((file) => !file.startsWith(`${LANGUAGES}/`))
      .flatMap((file) => (readFileSync(file, 'utf8').match(VAGUE) ?? []).map((word) => `${file}: ${word}`));

    assert.deepEqual(found, []);
  });
});

function entriesOf(files: readonly string[]): Map<string, Set<string>> {
  const entries = new Map<string, Set<string>>();
  for (const file of files) {
    for (let entry = file; entry !== 'src'; entry = dirname(entry)) {
      const folder = dirname(entry);
      entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
    }
  }
  return entries;
}

function folderGraph(files: readonly string[]): ImportGraph {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of importGraph(files)) {
    const folder = dirname(file);
    const below = targets
      .filter((target) => target.startsWith('src/'))
      .map((target) => dirname(target))
      .filter((target) => target !== folder && !UPWARD.includes(`${folder} -> ${target}`));
    graph.set(folder, new Set([...(graph.get(folder) ?? []), ...below]));
  }
  return new Map([...graph].map(([folder, targets]) => [folder, [...targets]]));
}
