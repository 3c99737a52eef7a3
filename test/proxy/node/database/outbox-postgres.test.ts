import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { openMemoryOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { OutboxAgreement, SENT_AGAIN, steps } from '../../../support/outbox-agreement.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { placesBeforeNewcomer, sendingOrderOf } from '../../../support/sending-order-of.js';
import { describeOneId } from '../../access/one-id-contract.js';
import { describeHistory } from '../../outbox/history-contract.js';
import { batch, describeOutbox, edit, type OpenedOutbox } from '../../outbox/outbox-contract.js';
import { describePortalLists } from '../../outbox/portal-lists-contract.js';
import { describeCalendarFeeds } from '../../outbox/calendar-feeds-contract.js';
import { describePortalValues } from '../../outbox/portal-values-contract.js';
import { describeSchedules } from '../../outbox/schedules-contract.js';
import { describeTwoPeople } from '../../outbox/two-people-contract.js';
import { describeVendorNumbers } from '../../outbox/vendor-numbers-contract.js';
import { describeRevert } from '../../routes/revert-contract.js';
import { viewerOf } from '../../../support/viewer.js';

const server = await PostgresServer.start();
after(() => server.stop());

function open(schema = server.newSchema()): Promise<Outbox> {
  return openPostgresOutbox(server.url, { schema, clock: 'caller' });
}

function test(title: string, body: (outbox: Outbox, schema: string) => Promise<void>): void {
  it(title, async () => {
    const schema = server.newSchema();
    const outbox = await open(schema);
    try {
      await body(outbox, schema);
    } finally {
      await outbox.close();
    }
  });
}

async function opened(): Promise<OpenedOutbox> {
  const outbox = await open();
  return { outbox, close: () => outbox.close() };
}

describeOutbox('PostgreSQL', opened);
describeOneId('PostgreSQL', opened);
describeTwoPeople('PostgreSQL', opened);
describeHistory('PostgreSQL', opened);
describeSchedules('PostgreSQL', opened);
describeCalendarFeeds('PostgreSQL', opened);
describePortalLists('PostgreSQL', opened);
describePortalValues('PostgreSQL', opened);
describeVendorNumbers('PostgreSQL', opened, 4);
describeRevert('PostgreSQL', open);

describe('the PostgreSQL outbox', () => {
  it('returns the same as the SQLite outbox, for any calls', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const outbox = await open();
        try {
          const agreement = new OutboxAgreement(openMemoryOutbox(), outbox);
          for (const step of taken) await agreement.take(step);
        } finally {
          await outbox.close();
        }
      }),
      { numRuns: 15, examples: [[SENT_AGAIN]] },
    );
  });

  test('delivers in the fair order', async (outbox) => {
    const [actual, right] = await sendingOrderOf(outbox, [
      { vendor: 'vendor-a', edits: 30 },
      { vendor: 'vendor-b', edits: 21 },
      { vendor: 'vendor-a', edits: 3 },
      { vendor: 'vendor-c', edits: 1 },
      { vendor: 'vendor-b', edits: 20 },
      { vendor: 'vendor-c', edits: 25 },
    ]);

    assert.deepEqual(actual, right);
  });

  test('puts the first edit of a new vendor behind one other edit', async (outbox) => {
    assert.equal(await placesBeforeNewcomer(outbox), 1);
  });

  test('commits concurrent batches together, in the order of their calls', async (outbox, schema) => {
    const edits = Array.from({ length: 32 }, (_, index) => edit(`item-${String(index)}`, true));

    const answers = await Promise.all(edits.map((newEdit) => outbox.accept(batch([newEdit]))));

    const seqs = answers.map((answer) => answer.kind === 'accepted' && answer.receipts[0]?.seq);
    assert.deepEqual(
      seqs,
      edits.map((_, index) => index + 1),
    );
    const [transactions] = await server.query<{ count: string }>(
      `SELECT count(DISTINCT xmin::text) FROM ${schema}.edit`,
    );
    assert.equal(transactions?.count, '1');
  });

  test('applies the earlier batches of a group to the later ones', async (outbox) => {
    const [first, second, third] = [edit('a', true), edit('a', false), edit('a', true)];
    const request = batch([first]);

    const answers = await Promise.all([
      outbox.accept(request),
      outbox.accept(batch([second])),
      outbox.accept(request),
      outbox.accept(batch([{ ...first, available: false }])),
      outbox.accept(batch([edit('a', true)], { vendor: 'vendor-b' })),
      outbox.accept(batch([third])),
    ]);

    assert.deepEqual(
      answers.map((answer) => (answer.kind === 'accepted' ? answer.receipts.map(({ state }) => state) : answer.kind)),
      [['received'], ['received'], ['superseded'], 'edit_id_reused', 'item_unknown', ['received']],
    );
    const stamps = (await outbox.history('vendor-a', { limit: 9 })).map(({ updated_at }) => updated_at);
    assert.deepEqual(stamps, [...new Set(stamps)].sort().reverse());
  });

  test('rejects only the failing batch of a group', async (outbox) => {
    const results = await Promise.allSettled([
      outbox.accept(batch([edit('a', true)])),
      outbox.accept(batch([edit('b', true)], { digest: null as unknown as string })),
      outbox.accept(batch([edit('c', true)])),
    ]);

    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    const listed = await outbox.list(viewerOf('vendor-a'), { limit: 9 });
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['a', 'c'],
    );
  });

  test('stores texts with characters that no column can hold', async (outbox) => {
    await outbox.accept(
      batch([edit('a', true, { label: 'Kayak\0 tour \ud83d' })], {
        subject: 'per\0son',
        name: '\udc00',
        vendor: 'v\0',
      }),
    );

    const [item] = await outbox.list(viewerOf('v\0'), { limit: 1 });

    assert.equal(item?.label, 'Kayak\ufffd tour \ufffd');
  });

  test('orders ids by code point, whatever the collation of the database is', async (outbox) => {
    await outbox.accept(batch(['b', 'a-2', 'B', 'ä', 'a', '🛶'].map((id) => edit(id, true))));

    const listed = await outbox.list(viewerOf('vendor-a'), { limit: 9 });

    assert.deepEqual(
      listed.map(({ id }) => id),
      ['B', 'a', 'a-2', 'b', 'ä', '🛶'],
    );
  });
});
