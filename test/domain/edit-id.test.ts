import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEditId } from '../../src/domain/edit.js';

const ACCEPTED = ['a', '0', '-', 'A-b_c.9', crypto.randomUUID(), 'e'.repeat(64)];

const REFUSED: readonly (readonly [what: string, id: unknown])[] = [
  ['empty', ''],
  ['65 characters', 'e'.repeat(65)],
  ['two ids with a comma between them', 'a,b'],
  ['a slash', 'a/b'],
  ['a space', 'a b'],
  ['a text with a line break at the end', 'a\n'],
  ['a letter with an accent', 'é'],
  ['a number', 1],
  ['undefined', undefined],
];

describe('the id of an edit', () => {
  for (const id of ACCEPTED) {
    it(`may be ${id}`, () => {
      assert.equal(isEditId(id), true);
    });
  }

  for (const [what, id] of REFUSED) {
    it(`may not be ${what}`, () => {
      assert.equal(isEditId(id), false);
    });
  }
});
