import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryOutbox } from '../../../src/proxy/outbox-memory.js';
import { describeOneId } from '../access/one-id-contract.js';
import { batch, describeOutbox, edit, type OpenedOutbox } from './outbox-contract.js';
import { describeTwoPeople } from './two-people-contract.js';
import { describeVendorNumbers } from './vendor-numbers-contract.js';

function open(): Promise<OpenedOutbox> {
  const outbox = new MemoryOutbox();
  return Promise.resolve({ outbox, close: () => outbox.close() });
}

describeOutbox('memory', open);
describeOneId('memory', open);
describeTwoPeople('memory', open);
describeVendorNumbers('memory', open, 100);

describe('the outbox in memory', () => {
  it('knows when something is due, however much waits', async () => {
    const outbox = new MemoryOutbox();
    await outbox.accept(batch(Array.from({ length: 130_000 }, (_, at) => edit(`boat-${String(at)}`, true))));

    assert.equal(await outbox.nextDue(), 0);
  });
});
