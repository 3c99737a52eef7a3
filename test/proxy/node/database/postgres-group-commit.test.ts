import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { unchanged } from '../../../../src/proxy/node/database/outbox-rows.js';
import { PostgresGroupCommit } from '../../../../src/proxy/node/database/postgres/postgres-group-commit.js';
import { StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import { PostgresServer } from '../../../support/postgres-server.js';

const server = await PostgresServer.start();
after(() => server.stop());

describe('a group of writes in PostgreSQL', () => {
  it('is promised to nobody where the database undoes it, which it says without an error', async () => {
    const group = new PostgresGroupCommit<never, never>(
      { url: server.url, schema: server.newSchema() },
      () => Promise.resolve([]),
      () => undefined,
    );
    try {
      const written = group.run(async (transaction) => {
        await assert.rejects(transaction.query({ name: 'wrong', text: 'SELECT 1 / 0' }));
        return unchanged('done');
      });

      await assert.rejects(written, StorageFailed);
      assert.equal(await group.run(() => Promise.resolve(unchanged('done'))), 'done');
    } finally {
      await group.close();
    }
  });
});
