import assert from 'node:assert/strict';
import { describe } from 'node:test';
import Database from 'better-sqlite3';
import type { EditId } from '../../../../src/domain/edit.js';
import type { ItemId } from '../../../../src/domain/item.js';
import {
  type LaneState,
  type OpenEdit,
  type Outbox,
  type AttemptOutcome,
  StorageFailed,
} from '../../../../src/proxy/outbox/outbox.js';
import { OutboxFile, testOnFile as test } from '../../../support/outbox-file.js';
import { describeOneId } from '../../access/one-id-contract.js';
import { describeHistory } from '../../outbox/history-contract.js';
import { batch, describeOutbox, edit, type OpenedOutbox } from '../../outbox/outbox-contract.js';
import { describePortalLists } from '../../outbox/portal-lists-contract.js';
import { describeCalendarFeeds } from '../../outbox/calendar-feeds-contract.js';
import { describePortalValues } from '../../outbox/portal-values-contract.js';
import { describeSchedules } from '../../outbox/schedules-contract.js';
import { describeTwoPeople } from '../../outbox/two-people-contract.js';
import { describeVendorNumbers } from '../../outbox/vendor-numbers-contract.js';
import { viewerOf } from '../../../support/viewer.js';
import { leaseLane } from '../../../support/lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WANT = { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND };
const IDLE: LaneState = { failures: 0, notBefore: 0 };

function open(): Promise<OpenedOutbox> {
  const file = new OutboxFile();
  return Promise.resolve({ outbox: file.open(), close: () => file.remove() });
}

describeOutbox('SQLite', open);
describeOneId('SQLite', open);
describeTwoPeople('SQLite', open);
describeHistory('SQLite', open);
describeSchedules('SQLite', open);
describeCalendarFeeds('SQLite', open);
describePortalLists('SQLite', open);
describePortalValues('SQLite', open);
describeVendorNumbers('SQLite', open, 12);

async function openAll(outbox: Outbox, now: number): Promise<readonly OpenEdit[]> {
  const lease = await leaseLane(outbox, { ...WANT, now });
  assert.ok(lease);
  return outbox.beginAttempt(lease, await outbox.due(lease, now, 1000), now);
}

async function deliverAll(outbox: Outbox, now: number): Promise<readonly OpenEdit[]> {
  const lease = await leaseLane(outbox, { ...WANT, now });
  assert.ok(lease);
  const open = await outbox.beginAttempt(lease, await outbox.due(lease, now, 1000), now);
  await outbox.recordOutcomes(
    lease,
    open.map((one): AttemptOutcome => ({ edit: one, kind: 'delivered' })),
    now,
  );
  await outbox.releaseLease(lease, IDLE);
  return open;
}

function attemptsIn(file: OutboxFile): unknown[] {
  const database = new Database(file.path, { readonly: true });
  try {
    return database
      .prepare(
        'SELECT edits, still_open, delivered, refused, waiting, unknown, split, closed_at FROM attempt ORDER BY id',
      )
      .all();
  } finally {
    database.close();
  }
}

describe('the SQLite outbox after a restart', () => {
  test('has all accepted edits, and answers a repeated request as before', async (file) => {
    const before = file.open();
    const edits = [edit('a', true, { label: 'Kayak tour' }), edit('b', false)];
    const request = batch(edits, { name: 'Person A' });
    const answer = await before.accept(request);
    const listed = await before.list(viewerOf('vendor-a'), { limit: 9 });
    const entries = await before.history('vendor-a', { limit: 9 });

    const after = await file.reopen();

    assert.deepEqual(await after.accept(request), answer);
    assert.deepEqual(await after.list(viewerOf('vendor-a'), { limit: 9 }), listed);
    assert.deepEqual(await after.history('vendor-a', { limit: 9 }), entries);
    assert.equal((await after.count()).accepted, 2);
  });

  test('continues the sequence, and has later timestamps than before', async (file) => {
    const before = file.open();
    await before.accept(batch([edit('a', true), edit('b', true)], { now: T0 + MINUTE }));
    await deliverAll(before, T0);
    const revision = await before.revision('vendor-a');
    const [last] = await before.history('vendor-a', { limit: 1 });

    const after = await file.reopen();
    await after.accept(batch([edit('a', false)], { now: T0 }));

    assert.equal(await after.revision('vendor-a'), revision + 1);
    const changed = await after.list(viewerOf('vendor-a'), { limit: 9, since: revision });
    assert.deepEqual(
      changed.map(({ id, seq, updated_at }) => [id, seq, Date.parse(updated_at ?? '')]),
      [['a', (last?.seq ?? 0) + 1, T0 + MINUTE + 1]],
    );
  });

  test('offers at once the attempts of the former process, with an uncertain outcome', async (file) => {
    const before = file.open();
    const [older, newer] = [edit('a', true), edit('a', false)];
    await before.accept(batch([older]));
    const [left] = await openAll(before, T0);

    const after = await file.reopen();
    await after.accept(batch([newer]));

    assert.equal(await after.nextDueAt(), 0);
    const [first] = await deliverAll(after, T0 + SECOND);
    assert.deepEqual([first?.seq, first?.attempts, first?.updated_at], [left?.seq, 2, left?.updated_at]);
    await deliverAll(after, T0 + SECOND);
    assert.equal(await after.nextDueAt(), T0 + SECOND + WANT.uncertainMs, 'the newer value is resent');
  });

  test('has the state of each lane', async (file) => {
    const before = file.open();
    await before.accept(batch([edit('a', true)]));
    const lease = await leaseLane(before, { ...WANT, now: T0 });
    assert.ok(lease);
    const state: LaneState = {
      held: 'portal_credentials',
      failures: 3,
      notBefore: T0 + MINUTE,
      verifiedCredential: 'x',
    };
    await before.releaseLease(lease, state);

    const after = await file.reopen();

    assert.equal(await leaseLane(after, { ...WANT, now: T0 }), undefined);
    assert.deepEqual((await leaseLane(after, { ...WANT, now: T0 + MINUTE }))?.state, state);
  });

  test('has the counts of edits, and lacks only what prune may delete', async (file) => {
    const before = file.open();
    for (const available of [true, false, true]) {
      await before.accept(batch([edit('a', available)]));
      await deliverAll(before, T0);
    }
    await before.accept(batch([edit('b', true)]));

    const rows = await before.prune({ settled: T0 + MINUTE, keys: T0 + MINUTE });
    const after = await file.reopen();

    // Two edits, three portal calls and four keys.
    assert.equal(rows, 9);
    const { accepted, delivered, received, pruned } = await after.count();
    assert.deepEqual([accepted, delivered, received, pruned], [4, 1, 1, 2]);
    assert.equal((await after.history('vendor-a', { item: 'a' as ItemId, limit: 9 })).length, 1);
  });

  test('has a record of every call and its outcome', async (file) => {
    const outbox = file.open();
    await outbox.accept(batch([edit('a', true), edit('b', true), edit('c', true)]));
    const lease = await leaseLane(outbox, { ...WANT, now: T0 });
    assert.ok(lease);
    const whole = await outbox.beginAttempt(lease, await outbox.due(lease, T0, 9), T0);
    const [a, b] = await outbox.beginAttempt(lease, whole.slice(0, 2), T0 + 1);
    assert.ok(a && b);
    await outbox.recordOutcomes(lease, [{ edit: a, kind: 'delivered' }], T0 + 2);

    await outbox.close();

    const none = { delivered: 0, refused: 0, waiting: 0, unknown: 0, split: 0, closed_at: null };
    assert.deepEqual(attemptsIn(file), [
      { ...none, edits: '1,2,3', still_open: 1, split: 2 },
      { ...none, edits: '1,2', still_open: 1, delivered: 1 },
    ]);
    await deliverAll(file.open(), T0 + MINUTE);
    await file.reopen();
    await (await file.reopen()).close();
    assert.deepEqual(attemptsIn(file), [
      { ...none, edits: '1,2,3', still_open: 0, split: 2, unknown: 1, closed_at: T0 + MINUTE },
      { ...none, edits: '1,2', still_open: 0, delivered: 1, unknown: 1, closed_at: T0 + MINUTE },
      { ...none, edits: '2,3', still_open: 0, delivered: 2, closed_at: T0 + MINUTE },
    ]);
  });

  test('rejects calls when it is closed, and has stored the earlier ones', async (file) => {
    const outbox = file.open();
    const answer = outbox.accept(batch([edit('a', true)]));
    await outbox.close();

    await answer;
    await assert.rejects(outbox.accept(batch([edit('b', true)])), StorageFailed);
    await assert.rejects(outbox.receipts(viewerOf('vendor-a'), ['edit-x' as EditId]), StorageFailed);

    assert.equal((await file.open().count()).accepted, 1);
  });
});
