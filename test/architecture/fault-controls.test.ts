import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CONTROLS } from '../faults/controls.js';
import { escaped } from '../faults/f16-controls.js';
import { importGraph, reachableFrom } from '../support/import-graph.js';
import { treeFiles } from '../support/tree-files.js';

const ROOT = join(import.meta.dirname, '../..');

/** The fault campaign disables each defence, which takes too long for `npm test`. This test checks that it can. */
describe('the controls of the fault campaign', () => {
  it('contain the exact source text of the defence that they disable', () => {
    const lost = CONTROLS.filter(({ file, text }) => readFileSync(join(ROOT, file), 'utf8').split(text).length !== 2);

    assert.deepEqual(
      lost.map(({ defence }) => defence),
      [],
    );
  });

  it('name tests that exist', () => {
    const graph = importGraph(treeFiles().filter((file) => /^test\/.*\.ts$/.test(file)));
    const titlesOf = (file: string): RegExp[] =>
      [...reachableFrom(graph, [file])].filter((each) => graph.has(each)).flatMap((each) => titlesIn(each));

    const lost = CONTROLS.filter(({ test }) => !titlesOf(test.file).some((title) => title.test(test.name)));

    assert.deepEqual(
      lost.map(({ test }) => test.name),
      [],
    );
  });
});

/** A title is a string, also in a table, or a template with a word, whose placeholders match any text. */
function titlesIn(file: string): RegExp[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const strings = [...source.matchAll(/'((?:[^'\\\n]|\\.)+)'/g)].map(([, text = '']) => [text.replace(/\\(.)/g, '$1')]);
  const templates = [...source.matchAll(/\b(?:it|test)\(\s*`([^`]+)`/g)].map(([, text = '']) =>
    text.split(/\$\{[^}]*\}/),
  );
  const withWords = templates.filter((parts) => parts.some((part) => /[a-z]{2}/.test(part)));
  return [...strings, ...withWords].map((parts) => new RegExp(`^${parts.map(escaped).join('.+')}$`));
}
