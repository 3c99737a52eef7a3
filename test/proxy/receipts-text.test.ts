import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Receipt } from '../../src/contract/widget.js';
import { receiptsOfNew, receiptsText } from '../../src/proxy/receipts-text.js';
import { edit } from '../support/outbox-batches.js';
import { written } from '../support/written.js';

const RUNS = 2_000;

const word = fc.oneof(
  fc.constantFrom('kayak', 'sauna', 'tour-1'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
  fc.constantFrom('a"b', 'back\\slash', 'é', '\u2028', '\u007f', '\n', '\ud800', '𝒦', ' ', '~'),
);
const time = fc.constantFrom('2026-11-21T08:30:00.000Z', '2026-11-21T08:30:00.001Z');
const plain = fc.record({
  edit_id: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
  id: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('kayak', 'a b', '~!#[]') }, { weight: 1, arbitrary: word }),
  seq: fc.nat(),
  state: fc.constant('received'),
  updated_at: time,
});
const other = fc.oneof(
  fc.record({ reason: word, delayed: fc.boolean() }),
  fc.record({ state: fc.constantFrom('delivered', 'refused', 'conflict'), settled_at: time }),
  fc.record({ by: word }),
  fc.record({ base: fc.record({ available: fc.boolean(), updated_at: time, by: word }) }),
);
const receipts = fc.oneof(
  fc.array(plain, { maxLength: 5 }),
  fc.array(
    fc.tuple(plain, fc.option(other, { nil: {} })).map(([one, more]) => ({ ...one, ...more })),
    { maxLength: 5 },
  ),
) as fc.Arbitrary<Receipt[]>;

describe('receipts that are written by hand', () => {
  it('are the text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(receipts, (some) => {
        assert.equal(receiptsText(some).join(''), JSON.stringify({ receipts: some }));
      }),
      { numRuns: RUNS },
    );
  });

  it('come in pieces where they are many', () => {
    const many = Array.from({ length: 2_000 }, (_, seq) => ({
      edit_id: `e-${String(seq)}`,
      id: 'kayak',
      seq,
      state: 'received',
      updated_at: '2026-11-21T08:30:00.000Z',
    })) as Receipt[];

    const pieces = receiptsText(many);

    assert.equal(pieces.join(''), JSON.stringify({ receipts: many }));
    assert.ok(pieces.length > 1 && pieces.every(({ length }) => length < 128 * 1024));
  });

  it('are so as well where they are written from the bytes of a batch', () => {
    const last = Number.MAX_SAFE_INTEGER;
    for (const number of [1, 9, 10, 99, 100, 1_000, 2 ** 31, 2 ** 32 - 1, last - 2]) {
      const edits = ['kayak', '~!#[]', 'a b'].map((id) => edit(id));

      const text = receiptsOfNew(written(edits), number, Date.parse('2026-11-21T08:30:00.001Z'));

      const some = edits.map(({ edit_id, id }, at) => {
        return { edit_id, id, seq: number + at, state: 'received', updated_at: '2026-11-21T08:30:00.001Z' };
      });
      assert.equal(new TextDecoder().decode(text), JSON.stringify({ receipts: some }));
    }
  });
});
