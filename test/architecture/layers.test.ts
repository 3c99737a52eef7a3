import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { circles, importGraph, reachableFrom } from '../support/import-graph.js';
import { CHECKED_ROOMS, filesOf, references, roomOf, LAYERS } from '../support/rooms.js';
import { treeFiles } from '../support/tree-files.js';

const tree = treeFiles();
const sources = tree.filter((file) => file.startsWith('src/') && file.endsWith('.ts'));
const graph = importGraph(sources);

describe('the layers of the source', () => {
  it('include every source file', () => {
    const missing = sources.filter((file) => roomOf(file) === undefined);

    assert.deepEqual(missing, [], 'move the file into a layer, or add its folder to test/architecture/layers.json');
  });

  for (const [room, { rooms, packages }] of Object.entries(LAYERS)) {
    it(`let ${room} import only ${list(['itself', ...rooms])}`, () => {
      const stray = importsOf(room).filter(({ to }) => isFile(to) && ![room, ...rooms].includes(roomOf(to) ?? ''));

      assert.deepEqual(stray, [], 'imports only go down: move the code, or take it as an argument');
    });

    it(`let ${room} import ${packages.includes('*') ? 'any package' : list(packages) || 'no package'}`, () => {
      const stray = importsOf(room).filter(({ to }) => !isFile(to) && !packages.some((name) => isPartOf(to, name)));

      assert.deepEqual(stray, [], 'the packages of a layer are listed in test/architecture/layers.json');
    });

    it(`let the compiler of ${room} reference only layers that it may import`, () => {
      const above = references(`${room}/tsconfig.json`).filter((other) => !rooms.includes(other));

      assert.deepEqual(
        above,
        [],
        'remove the reference from tsconfig.json, or allow the import in test/architecture/layers.json',
      );
    });
  }

  it('have no import cycle of files', () => {
    const ways = circles(graph).map((way) => way.join(' -> '));

    assert.deepEqual(ways, [], 'two files import each other: merge them, or move what both need into a third');
  });

  it('keep the contract with the portal out of the page', () => {
    const page = sources.filter((file) => ['src', 'src/client', 'src/elements'].includes(roomOf(file) ?? ''));

    const reached = reachableFrom(graph, page);

    assert.equal(reached.has('src/contract/portal.ts'), false);
  });
});

/** Hosts in frameworks, which `npm run hosts` compiles against the packed package. */
const HOSTS = 'test/hosts/apps/';

describe('the type check', () => {
  it('includes every folder with a tsconfig.json', () => {
    const rooms = tree
      .filter((file) => file.endsWith('/tsconfig.json') && !file.startsWith(HOSTS))
      .map((file) => dirname(file));

    assert.deepEqual(rooms.sort(), [...CHECKED_ROOMS].sort(), 'list the folder in the references of tsconfig.json');
  });

  it('includes every TypeScript file below src, demo and test', () => {
    const read = new Set(CHECKED_ROOMS.flatMap(filesOf));

    const unread = tree.filter(
      (file) => /^(src|demo|test)\/.*\.ts$/.test(file) && !file.startsWith(HOSTS) && !read.has(file),
    );

    assert.deepEqual(unread, [], 'include the file in the tsconfig.json of its folder');
  });
});

function importsOf(room: string): { from: string; to: string }[] {
  return [...graph]
    .filter(([from]) => roomOf(from) === room)
    .flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
}

/** The graph identifies a file by its path in the repository, even outside of src, and a package by its name. */
function isFile(target: string): boolean {
  return /^(src|demo|test|\.\.)\//.test(target);
}

function isPartOf(specifier: string, packageName: string): boolean {
  return packageName === '*' || specifier === packageName || specifier.startsWith(`${packageName}/`);
}

function list(words: readonly string[]): string {
  return new Intl.ListFormat('en').format(words);
}
