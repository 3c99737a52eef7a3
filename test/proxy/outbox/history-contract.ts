import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import type { HistoryPage, Outbox } from '../../../src/proxy/outbox/outbox.js';
import { newEditId } from '../../../src/proxy/outbox/commands.js';
import { leaseLane } from '../../support/lease-lane.js';
import { batch, edit, testOn, type OpenedOutbox } from './outbox-contract.js';

const VENDOR = 'vendor-a';
const HOUR = 3_600_000;
const T0 = Date.parse('2026-06-01T08:00:00.000Z');

interface Act {
  readonly subject?: string;
  readonly vendor?: string;
  readonly set?: string;
  readonly now?: number;
}

async function give(outbox: Outbox, ids: readonly string[], available: boolean, act: Act = {}): Promise<void> {
  const { set, ...more } = act;
  const change_set = set as EditId | undefined;
  const edits = ids.map((id) => edit(id, available, change_set === undefined ? {} : { change_set }));
  const accepted = await outbox.accept(batch(edits, { now: T0, ...more }));
  assert.equal(accepted.kind, 'accepted');
}

async function read(outbox: Outbox, page: Partial<HistoryPage>): Promise<string[]> {
  const entries = await outbox.history(VENDOR, { limit: 99, ...page });
  return entries.map(({ id, to }) => `${id} ${to ? 'opened' : 'closed'}`);
}

/** The portal refuses each edit that is due. */
async function refuseAll(outbox: Outbox, now: number): Promise<void> {
  const lease = await leaseLane(outbox, { now, leaseMs: HOUR, uncertainMs: HOUR });
  assert.ok(lease);
  const open = await outbox.beginAttempt(lease, await outbox.due(lease, now, 9), now);
  await outbox.recordOutcomes(
    lease,
    open.map((one) => ({ edit: one, kind: 'refused', reason: 'item_refused' })),
    now,
  );
  await outbox.releaseLease(lease, { failures: 0, notBefore: 0 });
}

/** What every store has to tell of the past. */
export function describeHistory(engine: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`the history in ${engine}`, () => {
    test('is filtered by item, person, state, time and change set', async (outbox) => {
      await give(outbox, ['a', 'b'], true, { subject: 'ada', now: T0 });
      await give(outbox, ['a'], false, { subject: 'ben', now: T0 + HOUR, set: 's' });
      await give(outbox, ['b'], false, { subject: 'ada', now: T0 + HOUR, set: 's' });

      assert.deepEqual(await read(outbox, { item: 'a' as ItemId }), ['a closed', 'a opened']);
      assert.deepEqual(await read(outbox, { subject: 'ben' }), ['a closed']);
      assert.deepEqual(await read(outbox, { state: 'superseded' }), ['b opened', 'a opened']);
      assert.deepEqual(await read(outbox, { from: T0 + HOUR }), ['b closed', 'a closed']);
      assert.deepEqual(await read(outbox, { until: T0 + HOUR }), ['b opened', 'a opened']);
      assert.deepEqual(await read(outbox, { changeSet: 's', subject: 'ben' }), ['a closed']);
      assert.deepEqual(await read(outbox, { item: 'a' as ItemId, subject: 'ada', until: T0 + 1 }), ['a opened']);
    });

    test('contains only items within the given ranges', async (outbox) => {
      await give(outbox, ['a', 'b-1', 'b-2', 'c'], true, { set: 's' });
      const within = [
        { from: 'a', to: 'a', ids: ['a'] },
        { from: 'b-', to: 'b-\u{10ffff}' },
      ];

      assert.deepEqual(await read(outbox, { within }), ['b-2 opened', 'b-1 opened', 'a opened']);
      assert.deepEqual(await read(outbox, { within, limit: 2, before: 3 }), ['b-1 opened', 'a opened']);
      assert.deepEqual(await read(outbox, { within: [] }), []);
      const summary = await outbox.summarizeHistory(VENDOR, { changeSet: 's', within });
      assert.equal(summary.available, 3);
    });

    test('is collapsed to the newest edit of each person in a change set', async (outbox) => {
      await give(outbox, ['a', 'b', 'c'], true);
      await give(outbox, ['a', 'b'], false, { set: 'storm' });
      await give(outbox, ['d'], true, { subject: 'ben' });
      await give(outbox, ['c'], false, { set: 'storm' });
      await give(outbox, ['e'], false, { set: 'storm', subject: 'ben' });
      await give(outbox, ['f'], false, { set: 'storm', vendor: 'vendor-b' });

      const collapsed = await read(outbox, { collapses: true });

      assert.deepEqual(collapsed, ['e closed', 'c closed', 'd opened', 'c opened', 'b opened', 'a opened']);
      assert.deepEqual(await read(outbox, { collapses: true, limit: 2, before: 8 }), ['c closed', 'd opened']);
      assert.deepEqual(await read(outbox, { collapses: true, within: [{ from: 'a', to: 'b' }] }), [
        'b closed',
        'b opened',
        'a opened',
      ]);
    });

    test('summarises how many edits of a change set there are and can be reverted', async (outbox) => {
      await give(outbox, ['a', 'b', 'c'], true);
      await give(outbox, ['a', 'b', 'c', 'new'], false, { set: 'storm' });
      await give(outbox, ['b'], true, { subject: 'ben' });

      const summary = await outbox.summarizeHistory(VENDOR, { changeSet: 'storm', subject: 'person-a' });

      // `b` was changed since, and `new` had no value before.
      assert.deepEqual(summary, {
        available: 0,
        unavailable: 4,
        revertible: 2,
        states: { received: 3, superseded: 1 },
      });
    });

    test('is the source of the closing id in the list: each closed item has it, for everyone, until it changes', async (outbox) => {
      const closings = async (subject: string): Promise<unknown[]> =>
        (await outbox.list({ vendor: VENDOR, subject }, { limit: 9 })).map(({ id, closing }) => [id, closing]);
      await give(outbox, ['a', 'b', 'c'], true);
      await give(outbox, ['d'], false);
      await give(outbox, ['a', 'b', 'd', 'new'], false, { set: 'closing-storm' });
      await give(outbox, ['c'], false, { set: 'storm' });

      for (const subject of ['person-a', 'ben'])
        assert.deepEqual(await closings(subject), [
          ['a', 'closing-storm'],
          ['b', 'closing-storm'],
          // Not closed by a closing, not open before, or without a value before.
          ['c', undefined],
          ['d', undefined],
          ['new', undefined],
        ]);
      await give(outbox, ['a'], true, { subject: 'ben' });
      await refuseAll(outbox, T0 + HOUR);
      assert.deepEqual((await closings('ben')).slice(0, 2), [
        ['a', undefined],
        ['b', undefined],
      ]);
    });

    test('marks the newest edit of each item as current', async (outbox) => {
      await give(outbox, ['a', 'b'], true);
      await give(outbox, ['a'], false);

      const entries = await outbox.history(VENDOR, { limit: 9 });

      assert.deepEqual(
        entries.map(({ id, current }) => [id, current]),
        [
          ['a', true],
          ['b', true],
          ['a', undefined],
        ],
      );
    });

    test('uses the previous value of the request only if the outbox knows none', async (outbox) => {
      await outbox.accept(batch([edit('a', false, { from: true })], { now: T0 }));
      await outbox.accept(batch([edit('a', true, { from: true })], { now: T0 + HOUR }));

      const entries = await outbox.history(VENDOR, { limit: 9 });

      assert.deepEqual(
        entries.map(({ from }) => from),
        [false, true],
      );
    });

    test('keeps the change set of a retried edit', async (outbox) => {
      await give(outbox, ['a'], true);
      await give(outbox, ['a'], false, { subject: 'ben', now: T0 + HOUR });
      const times = { base: toTimestamp(T0), updated_at: toTimestamp(T0) };
      const late = edit('a', true, { ...times, change_set: 's' as EditId });
      await outbox.accept(batch([late], { now: T0 + 2 * HOUR, sentAt: T0 + 2 * HOUR }));
      const verdict = { kind: 'retry', newId: newEditId(), portalOffset: 0, timestampUnit: 1 } as const;

      const decided = await outbox.decide({
        vendor: VENDOR,
        by: 'ben',
        editId: late.edit_id,
        verdict,
        now: T0 + 2 * HOUR,
      });

      assert.equal(decided.kind, 'decided');
      assert.deepEqual(await read(outbox, { changeSet: 's' }), ['a opened', 'a opened']);
    });

    test('gives the retry of a refused edit the same previous value', async (outbox) => {
      await give(outbox, ['a'], true);
      const closing = edit('a', false, { change_set: 's' as EditId });
      await outbox.accept(batch([closing], { now: T0 }));
      await refuseAll(outbox, T0);
      const verdict = { kind: 'retry', newId: newEditId(), portalOffset: 0, timestampUnit: 1 } as const;

      await outbox.decide({ vendor: VENDOR, by: 'ada', editId: closing.edit_id, verdict, now: T0 + HOUR });

      const entries = await outbox.history(VENDOR, { changeSet: 's', limit: 9 });
      assert.deepEqual(
        entries.map(({ from, to, state }) => [from, to, state]),
        [
          [true, false, 'received'],
          [true, false, 'superseded'],
        ],
      );
    });

    test('is read in pieces of a fixed number of edits', async (outbox) => {
      await give(outbox, ['a', 'b', 'c', 'd', 'e'], true);

      assert.equal(await outbox.historyStart(VENDOR, undefined, 2), 4);
      assert.equal(await outbox.historyStart(VENDOR, 4, 2), 2);
      assert.equal(await outbox.historyStart(VENDOR, 2, 2), undefined);
      assert.deepEqual(await read(outbox, { after: 4 }), ['e opened', 'd opened']);
    });
  });
}
