import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { circles, importGraph, reachableFrom } from '../support/import-graph.js';
import { CHECKED_ROOMS, filesOf, references, roomOf, STAIRCASE } from '../support/rooms.js';
import { treeFiles } from '../support/tree-files.js';

const tree = treeFiles();
const sources = tree.filter((file) => file.startsWith('src/') && file.endsWith('.ts'));
const graph = importGraph(sources);

describe('the staircase', () => {
  it('has a step for every source file', () => {
    const homeless = sources.filter((file) => roomOf(file) === undefined);

    assert.deepEqual(
      homeless,
      [],
      'put the file into a room, or give its room a line in test/architecture/layers.json',
    );
  });

  for (const [room, { rooms, packages }] of Object.entries(STAIRCASE)) {
    it(`lets ${room} use ${list(['itself', ...rooms])}`, () => {
      const stray = importsOf(room).filter(({ to }) => isFile(to) && ![room, ...rooms].includes(roomOf(to) ?? ''));

      assert.deepEqual(stray, [], 'imports only go down: move the code, or take it as an argument');
    });

    it(`lets ${room} open ${packages.includes('*') ? 'any package' : list(packages) || 'no package'}`, () => {
      const stray = importsOf(room).filter(({ to }) => !isFile(to) && !packages.some((name) => isPartOf(to, name)));

      assert.deepEqual(stray, [], 'the packages of a room are listed in test/architecture/layers.json');
    });

    it(`shows the compiler of ${room} nothing above it`, () => {
      const above = references(`${room}/tsconfig.json`).filter((other) => !rooms.includes(other));

      assert.deepEqual(above, [], 'a reference in tsconfig.json opens a door: the staircase has none there');
    });
  }

  it('has no circle of files', () => {
    const ways = circles(graph).map((way) => way.join(' -> '));

    assert.deepEqual(ways, [], 'two files that need each other are one file, or share a third');
  });

  it('keeps the wire of the portal out of the page', () => {
    const page = sources.filter((file) => ['src', 'src/client', 'src/elements'].includes(roomOf(file) ?? ''));

    const reached = reachableFrom(graph, page);

    assert.equal(reached.has('src/contract/portal.ts'), false);
  });
});

/** What hosts write in their frameworks: `npm run hosts` compiles it against the package as it is published. */
const HOSTS = 'test/hosts/apps/';

describe('the type check', () => {
  it('visits every room that has a tsconfig.json', () => {
    const rooms = tree
      .filter((file) => file.endsWith('/tsconfig.json') && !file.startsWith(HOSTS))
      .map((file) => dirname(file));

    assert.deepEqual(rooms.sort(), [...CHECKED_ROOMS].sort(), 'list the room in the references of tsconfig.json');
  });

  it('reads every TypeScript file below src, demo and test', () => {
    const read = new Set(CHECKED_ROOMS.flatMap(filesOf));

    const unread = tree.filter(
      (file) => /^(src|demo|test)\/.*\.ts$/.test(file) && !file.startsWith(HOSTS) && !read.has(file),
    );

    assert.deepEqual(unread, [], "include the file in its room's tsconfig.json");
  });
});

function importsOf(room: string): { from: string; to: string }[] {
  return [...graph]
    .filter(([from]) => roomOf(from) === room)
    .flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
}

/** The graph names a file by its path in the tree, even one outside of src, and a package by its name. */
function isFile(target: string): boolean {
  return /^(src|demo|test|\.\.)\//.test(target);
}

function isPartOf(specifier: string, packageName: string): boolean {
  return packageName === '*' || specifier === packageName || specifier.startsWith(`${packageName}/`);
}

function list(words: readonly string[]): string {
  return new Intl.ListFormat('en').format(words);
}
