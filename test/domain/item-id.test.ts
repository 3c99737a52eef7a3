import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isItemId } from '../../src/domain/item.js';

const ASTRAL = '\u{1f6f6}';

const ACCEPTED: readonly (readonly [what: string, id: string])[] = [
  ['one character', 'k'],
  ['200 characters', 'k'.repeat(200)],
  ['200 characters beyond the first plane of Unicode', ASTRAL.repeat(200)],
  ['a text with spaces around it', '  kayak  '],
  ['a space', ' '],
  ['a letter in two code points', 'cafe\u0301'],
  ['a right-to-left mark', 'kayak\u200f'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a slash, a quote and a percent sign', `a/b'c"%2e`],
  ['__proto__', '__proto__'],
];

const REFUSED: readonly (readonly [what: string, id: unknown])[] = [
  ['empty', ''],
  ['201 characters', 'k'.repeat(201)],
  ['201 characters beyond the first plane of Unicode', ASTRAL.repeat(201)],
  ['a line break', 'kayak\n'],
  ['a null character', 'kay\0ak'],
  ['a delete character', 'kayak\u007f'],
  ['a control character of the second block', 'kayak\u0085'],
  ['a lone surrogate at the end', 'kayak\ud83d'],
  ['a lone surrogate at the start', '\udef6kayak'],
  ['a reversed surrogate pair', '\udef6\ud83d'],
  ['a number', 7],
  ['null', null],
  ['an array of one id', ['kayak']],
];

describe('the id of an item', () => {
  for (const [what, id] of ACCEPTED) {
    it(`may be ${what}`, () => {
      assert.equal(isItemId(id), true);
    });
  }

  for (const [what, id] of REFUSED) {
    it(`may not be ${what}`, () => {
      assert.equal(isItemId(id), false);
    });
  }

  it('is limited in code points', () => {
    const visible = fc.constantFrom('k', 'é', '中', ASTRAL, ' ', '\u{10ffff}');

    fc.assert(
      fc.property(fc.array(visible, { minLength: 190, maxLength: 210 }), (characters) => {
        assert.equal(isItemId(characters.join('')), characters.length <= 200);
      }),
    );
  });

  it('may not have a control character at any position', () => {
    const control = fc.oneof(fc.integer({ min: 0, max: 0x1f }), fc.integer({ min: 0x7f, max: 0x9f }));

    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), control, fc.string({ maxLength: 20 }), (before, code, after) => {
        assert.equal(isItemId(before + String.fromCharCode(code) + after), false);
      }),
    );
  });
});
