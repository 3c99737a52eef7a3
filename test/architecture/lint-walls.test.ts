import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { CHECKED_ROOMS, filesOf } from '../support/rooms.js';

type Wall = readonly [fault: string, file: string, text: string];

const ELEMENT = 'src/elements/seed/seed.ts';

const WALLS: Readonly<Record<string, readonly Wall[]>> = {
  'no-restricted-imports': [
    ['the domain imports a contract', 'src/domain/seed.ts', "import '../contract/widget.js';"],
    ['the domain loads a package', 'src/domain/seed.ts', "import 'zod/mini';"],
    ['a contract imports the client', 'src/contract/seed.ts', "import '../client/session.js';"],
    ['a contract loads all of zod', 'src/contract/seed.ts', "import 'zod';"],
    ['a dictionary imports the client', 'src/locales/seed.ts', "import '../client/session.js';"],
    ['the client imports an element', 'src/client/seed.ts', "import '../elements/tokens.js';"],
    ['the client imports a type of the proxy', 'src/client/seed.ts', "import type { Route } from '../proxy/route.js';"],
    ['the client imports the contract with the portal', 'src/client/seed.ts', "import '../contract/portal.js';"],
    ['the client opens a file', 'src/client/seed.ts', "import 'node:fs';"],
    ['the client imports lit', 'src/client/seed.ts', "import { html } from 'lit';"],
    ['an element imports the proxy', ELEMENT, "import '../../proxy/route.js';"],
    ['an element imports the contract with the portal', ELEMENT, "import '../../contract/portal.js';"],
    ['an element opens a file', ELEMENT, "import 'node:fs';"],
    ['an element imports an HTTP client', ELEMENT, "import 'ky';"],
    ['the client imports a second HTTP client', 'src/client/seed.ts', "import 'undici';"],
    ['an element imports a database', ELEMENT, "import 'idb-keyval';"],
    ['an element imports unsafeHTML', ELEMENT, "import { unsafeHTML } from 'lit/directives/unsafe-html.js';"],
    ['an element imports unsafeSVG', ELEMENT, "import { unsafeSVG } from 'lit/directives/unsafe-svg.js';"],
    ['the entry imports the proxy', 'src/seed.ts', "export * from './proxy/route.js';"],
    ['the proxy imports its node server', 'src/proxy/seed.ts', "import './node/server.js';"],
    ['the proxy opens a file', 'src/proxy/seed.ts', "import 'node:fs';"],
    ['the proxy imports a database driver', 'src/proxy/seed.ts', "import 'better-sqlite3';"],
    ['the proxy imports a logger', 'src/proxy/seed.ts', "import 'pino';"],
    ['the sandbox imports the proxy', 'src/sandbox/seed.ts', "import '../proxy/route.js';"],
    ['the node server imports an element', 'src/proxy/node/seed.ts', "import '../../elements/tokens.js';"],
    ['a test of an element sleeps', 'test/elements/seed.test.ts', "import { aTimeout } from '@open-wc/testing';"],
  ],
  'no-restricted-globals': [
    ['the domain fetches', 'src/domain/seed.ts', "export const answer = fetch('/');"],
    ['a contract reads the document', 'src/contract/seed.ts', 'export const title = document.title;'],
    ['the client reads the environment', 'src/client/seed.ts', 'export const variables = process.env;'],
    ['the client calls fetch directly', 'src/client/seed.ts', "export const answer = fetch('/');"],
    ['an element fetches', ELEMENT, "export const answer = fetch('/');"],
    ['an element uses localStorage', ELEMENT, 'export const store = localStorage;'],
    ['the proxy reads the document', 'src/proxy/seed.ts', 'export const title = document.title;'],
    ['the proxy uses indexedDB', 'src/proxy/seed.ts', 'export const database = indexedDB;'],
    ['the sandbox reads the environment', 'src/sandbox/seed.ts', 'export const variables = process.env;'],
  ],
  'no-restricted-syntax': [
    ['the domain calls Date.now()', 'src/domain/seed.ts', 'export const now = Date.now();'],
    ['the domain calls new Date() without a time', 'src/domain/seed.ts', 'export const now = new Date();'],
    ['the domain uses random numbers', 'src/domain/seed.ts', 'export const number = Math.random();'],
    ['a file has a default export', 'src/client/seed.ts', 'export default 1;'],
    ['a file has an enum', 'src/client/seed.ts', 'export enum Colour { Red }'],
    ['a file has a namespace', 'src/client/seed.ts', 'export namespace Colours { export const red = 1; }'],
    [
      'a constructor has a parameter property',
      'src/client/seed.ts',
      'export class Seed { constructor(readonly name: string) {} }',
    ],
    ['a catch block is empty', 'src/client/seed.ts', 'try { JSON.parse("") } catch { /* quiet */ }'],
    [
      'a dynamic import computes its path',
      'src/client/seed.ts',
      'export const load = (name: string) => import(`./${name}.js`);',
    ],
    ['a template has a style attribute', ELEMENT, 'export const seed = html`<p style="color: red"></p>`;'],
    ['a template sets innerHTML', ELEMENT, 'export const seed = html`<p .innerHTML=${text}></p>`;'],
    ['an element sets innerHTML', ELEMENT, 'export function draw(element: Element) { element.innerHTML = ""; }'],
    ['a test is skipped', 'test/domain/seed.test.ts', 'it.skip("works", () => {});'],
    ['a test is marked as todo', 'test/domain/seed.test.ts', 'it("works", { todo: true }, () => {});'],
    ['a test runs alone', 'test/elements/seed.test.ts', 'it.only("works", () => {});'],
  ],
  'no-eval': [['a file calls eval', 'src/client/seed.ts', 'export const two = eval("1 + 1");']],
  'no-new-func': [['a file calls new Function', 'src/client/seed.ts', 'export const two = new Function("return 2");']],
  'max-lines-per-function': [
    ['a function has too many lines', 'src/proxy/seed.ts', `export function seed() {\n${'seed();\n'.repeat(80)}}\n`],
  ],
  '@typescript-eslint/no-explicit-any': [
    ['a value has the type any', 'src/client/seed.ts', 'export const a: any = 1;'],
  ],
};

describe('the linter reports an error if', () => {
  // These rules need no types, and the linted texts are no files that a type checker could find.
  const linter = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });

  for (const [rule, walls] of Object.entries(WALLS)) {
    for (const [fault, filePath, text] of walls) {
      it(fault, async () => {
        const [result] = await linter.lintText(text, { filePath });

        const rules = result?.messages.map(({ ruleId }) => ruleId);
        assert.ok(rules?.includes(rule), `${rule} reports nothing: ${JSON.stringify(rules)}`);
      });
    }
  }

  it('a promise is neither awaited nor handled', async () => {
    const [filePath] = filesOf('src/domain');

    const [result] = await new ESLint().lintText('Promise.resolve(1);\n', { filePath: filePath ?? '' });

    const rules = result?.messages.map(({ ruleId }) => ruleId);
    assert.deepEqual(rules, ['@typescript-eslint/no-floating-promises']);
  });
});

describe('the linter reports nothing', () => {
  const linter = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });

  for (const room of CHECKED_ROOMS) {
    it(`about a valid file in ${room}`, async () => {
      const [result] = await linter.lintText('export const count: number = 3;\n', { filePath: `${room}/seed.ts` });

      assert.deepEqual(result?.messages, []);
    });
  }
});
