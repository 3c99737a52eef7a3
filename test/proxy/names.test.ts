import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { namesOf } from '../../src/proxy/names.js';

describe('names', () => {
  it('are two where texts are, also where their letters take more than a byte', () => {
    // As four bytes that lie upon each other each of the first pairs says the same.
    const alike = [
      ['\u0101\u0000ab', '\u0001\u0001ab'],
      ['a\u0162bc', 'ab\u0163c'],
      ['abc\u0100', 'abc\u0000'],
      // What the last of four letters changes the next four could take back.
      ['kayakaaa', 'kay\u00e1kqaa'],
    ];

    for (const items of alike) {
      const [first, , second] = namesOf({ items });
      assert.notEqual(first, second);
    }
  });

  it('are two for nearly all pairs of texts, wherever they differ', () => {
    let same = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 24 }),
        fc.string({ unit: 'binary', maxLength: 24 }),
        (a, b) => {
          const [first, one, second, other] = namesOf({ items: [a, b] });
          if (a === b) assert.deepEqual([first, one], [second, other]);
          else if (first === second || one === other) same += 1;
        },
      ),
      { numRuns: 20_000 },
    );
    assert.ok(same < 5, `${String(same)} of 20,000`);
  });

  it('are two wherever a single letter of an id is another', () => {
    const ids = Array.from({ length: 32 }, (_, at) =>
      Array.from({ length: 16 }, (__, letter) => `${'0'.repeat(at)}${letter.toString(16)}${'0'.repeat(31 - at)}`),
    );
    const items = [...new Set(ids.flat())];

    const names = namesOf({ items });

    const firsts = new Set(names.filter((_, at) => at % 2 === 0));
    assert.equal(firsts.size, items.length);
  });
});
