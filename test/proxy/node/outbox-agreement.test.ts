import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutboxAgreement, steps } from '../../support/outbox-agreement.js';
import { OutboxFile } from '../../support/outbox-file.js';

describe('whatever happens', () => {
  const ways = [
    ['', undefined, 1, 60],
    [' when it packs every batch', 1, 7, 30],
    [' when it packs some', 2, 5, 30],
  ] as const;
  for (const [how, packFrom, looksAt, numRuns] of ways) {
    it(`the SQLite outbox tells the same as the one in memory${how}`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const file = new OutboxFile({ packFrom });
          try {
            const agreement = new OutboxAgreement(file.open(), looksAt);
            for (const step of taken) await agreement.take(step);
          } finally {
            await file.remove();
          }
        }),
        { numRuns },
      );
    });
  }
});
