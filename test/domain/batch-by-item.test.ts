import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { batchByItem } from '../../src/domain/edit.js';
import type { ItemId } from '../../src/domain/item.js';

interface Wish {
  readonly id: ItemId;
  readonly at: number;
}

const wish = (id: string, at: number): Wish => ({ id: id as ItemId, at });

const wishes = fc
  .array(fc.constantFrom('boat', 'kayak', 'sauna', 'workshop'), { maxLength: 30 })
  .map((ids) => ids.map(wish));

const most = fc.integer({ min: 1, max: 5 });

describe('edits split into batches', () => {
  it('stay one batch if no item is named twice', () => {
    const edits = [wish('boat', 0), wish('kayak', 1)];

    const batches = batchByItem(edits, 500);

    assert.deepEqual(batches, [edits]);
  });

  it('start a new batch at an item that the batch already has', () => {
    const batches = batchByItem([wish('boat', 0), wish('kayak', 1), wish('boat', 2)], 500);

    assert.deepEqual(batches, [[wish('boat', 0), wish('kayak', 1)], [wish('boat', 2)]]);
  });

  it('start a new batch when one is full', () => {
    const batches = batchByItem([wish('boat', 0), wish('kayak', 1), wish('sauna', 2)], 2);

    assert.deepEqual(batches, [[wish('boat', 0), wish('kayak', 1)], [wish('sauna', 2)]]);
  });

  it('make no batch if there are no edits', () => {
    assert.deepEqual(batchByItem([], 500), []);
  });

  it('are all there, in the order in which they were made', () => {
    fc.assert(
      fc.property(wishes, most, (edits, limit) => {
        assert.deepEqual(batchByItem(edits, limit).flat(), edits);
      }),
    );
  });

  it('never name an item twice in a batch, and fill it no further than allowed', () => {
    fc.assert(
      fc.property(wishes, most, (edits, limit) => {
        for (const batch of batchByItem(edits, limit)) {
          assert.equal(new Set(batch.map(({ id }) => id)).size, batch.length);
          assert.ok(batch.length >= 1 && batch.length <= limit);
        }
      }),
    );
  });

  it('start no batch before one is full or has the item', () => {
    fc.assert(
      fc.property(wishes, most, (edits, limit) => {
        const batches = batchByItem(edits, limit);
        for (const [at, [first]] of batches.entries()) {
          const before = batches[at - 1];
          assert.ok(!before || before.length === limit || before.some(({ id }) => id === first?.id));
        }
      }),
    );
  });
});
