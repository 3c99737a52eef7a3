import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { liveIn, lives } from '../../support/two-worlds.js';

describe('a vendor gets the same responses, whatever another vendor of the same proxy does', () => {
  for (const delivers of [true, false]) {
    it(`in every response${delivers ? ' while edits are delivered' : ' and in its stream'}`, async (t: TestContext) => {
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
