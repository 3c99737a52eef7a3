import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BitSet, listOf } from '../../src/domain/bit-set.js';

describe('a set of bits', () => {
  it('says what a plain set says, packed or not', () => {
    const acts = fc.array(fc.tuple(fc.nat(3_000), fc.boolean()), { maxLength: 200 });

    fc.assert(
      fc.property(acts, (changes) => {
        const bits = new BitSet();
        const plain = new Set<number>();
        for (const [number, isIn] of changes) {
          bits.set(number, isIn);
          if (isIn) plain.add(number);
          else plain.delete(number);
        }

        const sorted = [...plain].sort((a, b) => a - b);
        assert.equal(bits.length, plain.size);
        assert.deepEqual([...listOf(bits)], sorted);
        assert.deepEqual([...listOf(bits.packed())], sorted);
        for (const [number] of changes) assert.equal(bits.has(number), plain.has(number));
      }),
      {
        examples: [
          [[[31, true]]],
          [
            [
              [32, true],
              [31, true],
              [32, false],
            ],
          ],
        ],
      },
    );
  });

  it('takes in another set or list, and counts each number once', () => {
    const numbers = fc.uniqueArray(fc.nat(500), { maxLength: 100 });

    fc.assert(
      fc.property(numbers, numbers, fc.boolean(), (some, others, isList) => {
        const bits = new BitSet();
        for (const number of some) bits.set(number, true);
        const more = new BitSet();
        for (const number of others) more.set(number, true);

        bits.addAll(isList ? listOf(more) : more);

        const all = [...new Set([...some, ...others])].sort((a, b) => a - b);
        assert.deepEqual([...listOf(bits)], all);
        assert.equal(bits.length, all.length);
      }),
    );
  });

  it('knows the numbers below a limit that are not in it', () => {
    const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 100 });

    fc.assert(
      fc.property(numbers, fc.nat(200), (some, limit) => {
        const bits = new BitSet();
        for (const number of some) bits.set(number, true);

        const others = bits.othersBelow(limit);

        const expected = Array.from({ length: limit }, (_, number) => number).filter(
          (number) => !some.includes(number),
        );
        assert.deepEqual([...listOf(others)], expected);
        assert.equal(others.length, expected.length);
      }),
      {
        examples: [
          [[], 32],
          [[31, 32], 64],
          [[5], 199],
        ],
      },
    );
  });

  it('is empty again when it is cleared', () => {
    const bits = new BitSet();
    bits.set(7, true);

    bits.clear();

    assert.deepEqual([bits.length, bits.has(7)], [0, false]);
  });

  it('takes a list for few numbers and bits for many', () => {
    const few = new BitSet();
    few.set(99_999, true);
    const many = new BitSet();
    for (let number = 0; number < 50_000; number += 1) many.set(number * 2, true);

    assert.ok(few.packed() instanceof Uint32Array);
    assert.equal(many.packed(), many);
  });
});
