import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { batchByItem } from '../../src/domain/edit.js';
import type { ItemId } from '../../src/domain/item.js';

interface NumberedItem {
  readonly id: ItemId;
  readonly at: number;
}

const item = (id: string, at: number): NumberedItem => ({ id: id as ItemId, at });

const itemLists = fc
  .array(fc.constantFrom('boat', 'kayak', 'sauna', 'workshop'), { maxLength: 30 })
  .map((ids) => ids.map(item));

const most = fc.integer({ min: 1, max: 5 });

describe('edits split into batches', () => {
  it('stay one batch if no item occurs twice', () => {
    const edits = [item('boat', 0), item('kayak', 1)];

    const batches = batchByItem(edits, 500);

    assert.deepEqual(batches, [edits]);
  });

  it('start a new batch at an item that the batch already has', () => {
    const batches = batchByItem([item('boat', 0), item('kayak', 1), item('boat', 2)], 500);

    assert.deepEqual(batches, [[item('boat', 0), item('kayak', 1)], [item('boat', 2)]]);
  });

  it('start a new batch when one is full', () => {
    const batches = batchByItem([item('boat', 0), item('kayak', 1), item('sauna', 2)], 2);

    assert.deepEqual(batches, [[item('boat', 0), item('kayak', 1)], [item('sauna', 2)]]);
  });

  it('make no batch if there are no edits', () => {
    assert.deepEqual(batchByItem([], 500), []);
  });

  it('keep all edits in their order', () => {
    fc.assert(
      fc.property(itemLists, most, (edits, limit) => {
        assert.deepEqual(batchByItem(edits, limit).flat(), edits);
      }),
    );
  });

  it('never have an item twice in a batch, or more edits than the limit', () => {
    fc.assert(
      fc.property(itemLists, most, (edits, limit) => {
        for (const batch of batchByItem(edits, limit)) {
          assert.equal(new Set(batch.map(({ id }) => id)).size, batch.length);
          assert.ok(batch.length >= 1 && batch.length <= limit);
        }
      }),
    );
  });

  it('start a new batch only if one is full or has the item', () => {
    fc.assert(
      fc.property(itemLists, most, (edits, limit) => {
        const batches = batchByItem(edits, limit);
        for (const [at, [first]] of batches.entries()) {
          const before = batches[at - 1];
          assert.ok(!before || before.length === limit || before.some(({ id }) => id === first?.id));
        }
      }),
    );
  });
});
