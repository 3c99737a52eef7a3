import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { MemoryOutbox } from '../../../src/proxy/outbox-memory.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { liveIn, lives } from '../../support/two-worlds.js';

const STORES: readonly (readonly [name: string, open: () => Outbox])[] = [
  ['memory', () => new MemoryOutbox()],
  ['SQLite', () => openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'))],
];

describe('a vendor is told the same, whatever another vendor of the same proxy does', () => {
  for (const [name, open] of STORES) {
    for (const delivers of [true, false]) {
      it(`in every answer${delivers ? ' while edits are delivered' : ' and in its stream'}: ${name}`, async (t: TestContext) => {
        await fc.assert(
          fc.asyncProperty(lives(), async (life) => {
            const alone = await liveIn(t, { outbox: open(), hasNeighbour: false, delivers }, life);

            const together = await liveIn(t, { outbox: open(), hasNeighbour: true, delivers }, life);

            assert.deepEqual(together, alone);
          }),
          { numRuns: 20 },
        );
      });
    }
  }
});
