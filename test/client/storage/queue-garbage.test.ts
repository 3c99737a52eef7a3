import { expect } from '@open-wc/testing';
import { promisifyRequest } from 'idb-keyval';
import { QueueDb } from '../../../src/client/storage/edit-table.js';
import { ownerOf } from '../../../src/client/storage/queue-owner.js';
import { openDatabase } from '../support/database.js';
import { KAYAK } from '../support/items.js';
import { openReadyStore, untilTruth } from '../support/open-store.js';
import { ANNA, pretendProxy } from '../support/pretend-proxy.js';

const WRITTEN = new Date(0).toISOString();
const ROWS: Readonly<Record<string, object>> = {
  'is of nobody’s edit': { id: 'x', available: true, updated_at: WRITTEN, stage: 'stored' },
  'has nothing but an owner': {},
  'is of no item': { edit_id: 'e1', available: true, updated_at: WRITTEN, stage: 'stored' },
  'has no value': { edit_id: 'e1', id: 'x', updated_at: WRITTEN, stage: 'stored' },
  'is in a stage that there is not': { edit_id: 'e1', id: 'x', available: true, updated_at: WRITTEN, stage: 'odd' },
};

describe('a row that another script has written into the queue', () => {
  for (const [what, row] of Object.entries(ROWS)) {
    it(`keeps no edit of the person back, though it ${what}`, async () => {
      const proxy = pretendProxy();
      const owner = ownerOf(proxy.url, ANNA);
      await new QueueDb().all(owner);
      const database = await openDatabase('vendor-inventory');
      await promisifyRequest(
        database
          .transaction('edits', 'readwrite')
          .objectStore('edits')
          .add({ owner, ...row }),
      );
      database.close();

      const { store } = await openReadyStore(proxy);
      await store.set(KAYAK, false);

      await untilTruth(store, KAYAK, 'received');
      expect(store.snapshot.status).to.equal('ready');
    });
  }
});
