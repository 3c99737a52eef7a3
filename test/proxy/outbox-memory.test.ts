import { MemoryOutbox } from '../../src/proxy/outbox-memory.js';
import { describeOneId } from './one-id-contract.js';
import { describeOutbox, type OpenedOutbox } from './outbox-contract.js';
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
