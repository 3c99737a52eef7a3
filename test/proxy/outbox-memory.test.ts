import { MemoryOutbox } from '../../src/proxy/outbox-memory.js';
import { describeOutbox } from './outbox-contract.js';

describeOutbox('memory', () => {
  const outbox = new MemoryOutbox();
  return Promise.resolve({ outbox, close: () => outbox.close() });
});
