import assert from 'node:assert/strict';
import { relative, resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { CHECKED_ROOMS, LAYERS } from '../support/rooms.js';
import { createTypeCheck } from '../support/type-check.js';

const HARMLESS = 'export const count: number = 3;\n';
const TYPE_ERROR = "export const count: number = 'three';\n";
const DOCUMENT = 'export const title = document.title;\n';
const FILE = "export { readFileSync } from 'node:fs';\n";
const ENVIRONMENT = "export const home = process.env['HOME'];\n";

// Globals and modules that a layer does not have, whatever it imports.
const FOREIGN: readonly (readonly [fault: string, room: string, text: string])[] = [
  ['the domain fetches', 'src/domain', "export const answer = fetch('/');\n"],
  ['a contract reads the document', 'src/contract', DOCUMENT],
  ['the proxy reads the document', 'src/proxy', DOCUMENT],
  ['the sandbox reads the document', 'src/sandbox', DOCUMENT],
  ['the node server reads the document', 'src/proxy/node', DOCUMENT],
  ['the client opens a file', 'src/client', FILE],
  ['an element opens a file', 'src/elements', FILE],
  ['the proxy opens a file', 'src/proxy', FILE],
  ['the page of the demo opens a file', 'demo/page', FILE],
  ['the client reads the environment', 'src/client', ENVIRONMENT],
  ['the proxy reads the environment', 'src/proxy', ENVIRONMENT],
];

describe('the type check fails if', () => {
  let typeCheck: ReturnType<typeof createTypeCheck>;

  before(() => {
    typeCheck = createTypeCheck(resolve('.'));
  });

  /** One check of a layer reports the errors of all files that are added to it. */
  const checked = new Map<string, ReadonlySet<string>>();
  const blamedIn = (room: string): ReadonlySet<string> => {
    const seeds = {
      [seedOf(room, 'a plain type error')]: TYPE_ERROR,
      [seedOf(room, 'nothing')]: HARMLESS,
      ...Object.fromEntries(
        FOREIGN.filter(([, one]) => one === room).map(([fault, , text]) => [seedOf(room, fault), text]),
      ),
      ...Object.fromEntries(
        closedTo(room).flatMap((other) => [
          [targetIn(other), HARMLESS],
          [seedOf(room, other), importOf(room, targetIn(other))],
        ]),
      ),
    };
    const blamed = checked.get(room) ?? new Set(typeCheck(room, seeds).map(({ file }) => relative('.', file)));
    checked.set(room, blamed);
    return blamed;
  };

  for (const room of Object.keys(LAYERS)) {
    it(`${room} imports from ${new Intl.ListFormat('en', { type: 'disjunction' }).format(closedTo(room))}`, () => {
      const silent = closedTo(room).filter((other) => !blamedIn(room).has(seedOf(room, other)));

      assert.deepEqual(silent, []);
    });
  }

  for (const [fault, room] of FOREIGN) {
    it(fault, () => {
      assert.ok(blamedIn(room).has(seedOf(room, fault)));
    });
  }

  for (const room of CHECKED_ROOMS) {
    it(`${room} has a type error, and reports only that file`, () => {
      assert.ok(blamedIn(room).has(seedOf(room, 'a plain type error')));
      assert.ok(!blamedIn(room).has(seedOf(room, 'nothing')));
    });
  }
});

/** The layers that a layer may not import. */
function closedTo(room: string): string[] {
  const own = LAYERS[room];
  if (own === undefined) return [];
  return Object.keys(LAYERS).filter((other) => other !== room && !own.rooms.includes(other));
}

function targetIn(room: string): string {
  return `${room}/seeded-target.ts`;
}

function seedOf(room: string, fault: string): string {
  return `${room}/seeded-${fault.replaceAll(/[ /]/g, '-')}.ts`;
}

function importOf(room: string, file: string): string {
  return `export * from '${'../'.repeat(room.split('/').length)}${file.replace(/\.ts$/, '.js')}';\n`;
}
