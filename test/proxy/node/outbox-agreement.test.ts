import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutboxAgreement, steps } from '../../support/outbox-agreement.js';
import { OutboxFile } from '../../support/outbox-file.js';

describe('whatever happens', () => {
  it('the SQLite outbox tells the same as the one in memory', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const file = new OutboxFile();
        try {
          const agreement = new OutboxAgreement(file.open());
          for (const step of taken) await agreement.take(step);
        } finally {
          await file.remove();
        }
      }),
      { numRuns: 60 },
    );
  });
});
