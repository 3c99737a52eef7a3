import { RevokedNames } from '../../../src/proxy/access/ended-sessions.js';
import { describeEndedSessions } from './ended-sessions-contract.js';

describeEndedSessions('memory', (clock) =>
  Promise.resolve({ sessions: new RevokedNames({ clock }), close: () => Promise.resolve() }),
);
