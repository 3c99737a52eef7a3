import { join } from 'node:path';
import { openSqliteOutboxOnThread } from '../../../src/proxy/node/outbox-sqlite-thread.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { describeOneId } from '../one-id-contract.js';
import { describeOutbox, type OpenedOutbox } from '../outbox-contract.js';
import { describeTwoPeople } from '../two-people-contract.js';

/** The store of the command, where there is more than one processor. */
async function open(): Promise<OpenedOutbox> {
  const outbox = await openSqliteOutboxOnThread(join(scratchFolder(), 'inventory.sqlite'));
  return { outbox, close: () => outbox.close() };
}

describeOutbox('SQLite on a thread', open);
describeOneId('SQLite on a thread', open);
describeTwoPeople('SQLite on a thread', open);
