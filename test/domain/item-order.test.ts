import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareIds, type ItemId } from '../../src/domain/item.js';

describe('the order of ids', () => {
  it('is that of their UTF-8 bytes, as in the databases', () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 });

    fc.assert(
      fc.property(id, id, (a, b) => {
        const order = Math.sign(compareIds(a as ItemId, b as ItemId));

        assert.equal(order, Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      {
        examples: [
          ['\uffee', '\u{1f6f6}'],
          ['a', 'ab'],
          ['\u{1f6f6}a', '\u{1f6f6}b'],
        ],
      },
    );
  });
});
