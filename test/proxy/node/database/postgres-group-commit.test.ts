import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { PostgresDriver } from '../../../../src/proxy/node/database/postgres/postgres-driver.js';
import { StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import { PostgresServer } from '../../../support/postgres-server.js';

const server = await PostgresServer.start();
after(() => server.stop());

describe('a group of writes in PostgreSQL', () => {
  it('is rejected if the database rolls it back without an error', async () => {
    const driver = new PostgresDriver({ url: server.url, schema: server.newSchema() }, 'database');
    try {
      const written = driver.transaction(async (transaction) => {
        await assert.rejects(transaction.query('SELECT 1 / 0'));
        return 'done';
      });

      await assert.rejects(written, StorageFailed);
      assert.equal(await driver.transaction(() => Promise.resolve('done')), 'done');
    } finally {
      await driver.close();
    }
  });
});
