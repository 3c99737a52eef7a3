import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutboxAgreement, steps, type Step } from '../../../support/outbox-agreement.js';
import { OutboxFile } from '../../../support/outbox-file.js';

const wish = (item: number): Step => ({
  do: 'accept',
  vendor: 'vendor-a',
  wishes: [{ item, available: false, base: undefined }],
  late: false,
});
const send = (most: number, ...endings: Extract<Step, { do: 'send' }>['endings']): Step => ({
  do: 'send',
  most,
  endings,
  split: false,
});
const pass = (seconds: number): Step => ({ do: 'pass', seconds });

/** What they once disagreed about: an edit that is old, and is to be said again. */
const SAID_AGAIN: Step[] = [
  ...[wish(0), send(1, 'lost', 'delivered'), wish(0), pass(1), send(1, 'delivered'), send(1, 'delivered')],
  ...[wish(1), wish(0), send(1, 'waits'), pass(1), wish(0), pass(1), { do: 'settle', ending: 'delivered' } as const],
  ...[wish(0), { do: 'unpark' } as const, wish(0), pass(9)],
  ...[{ do: 'decide', at: 0, verdict: 'retry' } as const, { do: 'decide', at: 0, verdict: 'retry' } as const],
  ...[send(2, 'delivered', 'refused', 'delivered'), { do: 'prune' } as const, pass(1), wish(0)],
  ...[{ do: 'repeat', at: 0 } as const, send(1, 'delivered')],
];

describe('whatever happens', () => {
  const ways = [
    ['', 1, 60],
    [' when nobody looks for long', 7, 30],
  ] as const;
  for (const [how, looksAt, numRuns] of ways) {
    it(`the SQLite outbox tells the same as the one in memory${how}`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const file = new OutboxFile();
          try {
            const agreement = new OutboxAgreement(file.open(), looksAt);
            for (const step of taken) await agreement.take(step);
          } finally {
            await file.remove();
          }
        }),
        { numRuns, examples: [[SAID_AGAIN]] },
      );
    });
  }
});
