import { RevocationListInMemory } from '../../../src/proxy/access/ended-sessions.js';
import { describeEndedSessions } from './ended-sessions-contract.js';

describeEndedSessions('memory', (clock) =>
  Promise.resolve({ sessions: new RevocationListInMemory(clock), close: () => Promise.resolve() }),
);
