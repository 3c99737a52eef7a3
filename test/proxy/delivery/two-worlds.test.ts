import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { liveIn, lives } from '../../support/two-worlds.js';

describe('a vendor', () => {
  for (const delivers of [true, false]) {
    it(`gets the same responses whatever another vendor does${delivers ? ', while edits are delivered' : ', and the same event stream'}`, async (t: TestContext) => {
      await fc.assert(
        fc.asyncProperty(lives(), async (life) => {
          const alone = await liveIn(t, { outbox: openMemoryOutbox(), hasNeighbour: false, delivers }, life);

          const together = await liveIn(t, { outbox: openMemoryOutbox(), hasNeighbour: true, delivers }, life);

          assert.deepEqual(together, alone);
        }),
        { numRuns: 20 },
      );
    });
  }
});
