import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { circles, importGraph, type ImportGraph } from '../support/import-graph.js';
import { treeFiles } from '../support/tree-files.js';

/** More entries than this, and a reader scrolls through a folder in place of reading it. */
const MAX_ENTRIES = 14;

/** A file for each language is one idea, however many there are. */
const LANGUAGES = 'src/locales';

/** Folders that are wider today, by how much they may be. The numbers may only fall. */
const WIDER: Readonly<Record<string, number>> = {};

/** Imports between folders that go up today. The list may only shrink. */
const UPWARD: readonly string[] = [
  'src/proxy/node/database/sqlite -> src/proxy/node',
  'src/proxy/outbox -> src/proxy/portal',
];

/** Rooms whose folders are still being sorted. The list may only shrink. */
const UNSORTED: readonly string[] = ['src/client', 'src/elements'];

/** Words that say nothing of who acts, or when: name the client, the worker, the portal, the moment. */
const VAGUE = /\b(?:whoever|nobody|somebody|anew|meanwhile|stands|(?:is|are|was|were) (?:said|told))\b/gi;

/** How many of them a part of the source has today. The numbers may only fall. */
const VAGUE_TODAY: Readonly<Record<string, number>> = {
  src: 5,
  'src/client': 0,
  'src/client/api': 0,
  'src/client/browser': 0,
  'src/client/editor': 0,
  'src/client/lists': 0,
  'src/client/model': 0,
  'src/client/queue': 0,
  'src/client/storage': 0,
  'src/client/history': 0,
  'src/client/schedules': 0,
  'src/client/store': 0,
  'src/client/sync': 0,
  'src/contract': 0,
  'src/domain': 0,
  'src/elements': 5,
  'src/elements/availability-toggle': 10,
  'src/elements/inventory-editor': 0,
  'src/elements/shared': 0,
  'src/locales': 5,
  'src/locales/features': 0,
  'src/proxy': 0,
  'src/proxy/access': 0,
  'src/proxy/delivery': 0,
  'src/proxy/http': 0,
  'src/proxy/listing': 0,
  'src/proxy/node': 1,
  'src/proxy/outbox': 0,
  'src/proxy/portal': 0,
  'src/proxy/routes': 0,
  'src/proxy/runtime': 0,
  'src/sandbox': 0,
};

const sources = treeFiles().filter((file) => /^src\/.*\.ts$/.test(file));

describe('the folders of the source', () => {
  it('are no wider than a dozen entries, or a few more', () => {
    const wide = [...entriesOf(sources)]
      .filter(([folder, { size }]) => folder !== LANGUAGES && size > (WIDER[folder] ?? MAX_ENTRIES))
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
  for (const [part, most] of Object.entries(VAGUE_TODAY)) {
    it(`names who acts, in ${part}`, () => {
      const found = sources
        .filter((file) => partOf(file) === part)
        .flatMap(
          (file) =>
            readFileSync(file, 'utf8')
              .match(VAGUE)
              ?.map((word) => `${file}: ${word}`) ?? [],
        );

      assert.ok(found.length <= most, `${found.length} vague words, at most ${most} allowed:\n${found.join('\n')}`);
    });
  }

  it('is looked at in every part', () => {
    const parts = new Set(sources.map(partOf));

    assert.deepEqual([...parts].filter((part) => !(part in VAGUE_TODAY)).sort(), []);
  });
});

/** The folder below its room, so that each number is small enough to bring down. */
function partOf(file: string): string {
  return dirname(file).split('/').slice(0, 3).join('/');
}

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
