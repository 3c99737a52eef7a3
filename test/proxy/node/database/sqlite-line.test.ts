import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutboxFile } from '../../../support/outbox-file.js';
import { placesBeforeNewcomer, sendingOrderOf } from '../../../support/sending-order-of.js';

const post = fc.record({
  vendor: fc.constantFrom('vendor-a', 'vendor-b', 'vendor-c'),
  edits: fc.constantFrom(1, 2, 5, 20, 21, 30),
});

describe('the delivery queue of the SQLite outbox', () => {
  it('is in the fair order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(post, { minLength: 1, maxLength: 8 }), async (posts) => {
        const file = new OutboxFile();
        try {
          const [actual, right] = await sendingOrderOf(file.open(), posts);
          assert.deepEqual(actual, right);
        } finally {
          await file.remove();
        }
      }),
      { numRuns: 20 },
    );
  });

  it('puts the first edit of a new vendor behind one other edit', async () => {
    const file = new OutboxFile();
    try {
      assert.equal(await placesBeforeNewcomer(file.open()), 1);
    } finally {
      await file.remove();
    }
  });
});
