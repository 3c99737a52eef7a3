import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteOutbox } from '../../../src/proxy/node/outbox-sqlite.js';
import { describeOutbox } from '../outbox-contract.js';

describeOutbox('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  const outbox = openSqliteOutbox(join(folder, 'inventory.sqlite'));
  return Promise.resolve({
    outbox,
    async close() {
      await outbox.close();
      rmSync(folder, { recursive: true });
    },
  });
});
