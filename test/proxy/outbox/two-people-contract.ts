import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import type { Receipt } from '../../../src/contract/widget.js';
import type { AcceptedEdit, Decision, Outbox, AttemptOutcome } from '../../../src/proxy/outbox/outbox.js';
import { viewerOf } from '../../support/viewer.js';
import { batch, edit, type OpenedOutbox, testOn } from './outbox-contract.js';
import { leaseLane } from '../../support/lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const ANA = viewerOf('vendor-a', 'ana');
const BEN = viewerOf('vendor-a', 'ben');
const CLEO = viewerOf('vendor-a', 'cleo');

/** The contract of every store for what people learn of each other's edits. */
export function describeTwoPeople(name: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`${name}: two people`, () => {
    test('each see the author of an edit, by name if there is one, and never themselves', async (outbox) => {
      const [named, nameless] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([named], { subject: 'ana', name: 'Ana' }));
      await outbox.accept(batch([nameless], { subject: 'ben' }));

      const told = await Promise.all([ANA, BEN, CLEO].map((viewer) => listed(outbox, viewer)));
      const receipts = await Promise.all(
        [ANA, BEN, CLEO].map((viewer) => outbox.receipts(viewer, [named.edit_id, nameless.edit_id])),
      );

      const expected = [
        [undefined, 'ben'],
        ['Ana', undefined],
        ['Ana', 'ben'],
      ];
      assert.deepEqual(
        told.map((items) => items.map(({ by }) => by)),
        expected,
      );
      assert.deepEqual(
        receipts.map((rows) => rows.map(({ by }) => by)),
        expected,
      );
    });

    test('a change of another person is among the changes, with its author', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { subject: 'ben' }));
      const since = await outbox.revision('vendor-a');
      await outbox.accept(batch([edit('a', false)], { subject: 'ana', name: 'Ana', now: T0 + SECOND }));

      const [item] = await outbox.list(BEN, { since, limit: 9 });

      assert.deepEqual([item?.available, item?.by, item?.theirs], [false, 'Ana', undefined]);
    });

    test('the conflicting value of an edit is in the response to acceptance, in receipts and in the listing', async (outbox) => {
      const { late, accepted } = await conflict(outbox);
      const theirs = { available: false, updated_at: toTimestamp(T0 + SECOND), by: 'Ben' };

      const [receipt] = await outbox.receipts(ANA, [late.edit_id]);
      const [item] = await listed(outbox, ANA);

      assert.deepEqual(
        [accepted, receipt, item].map((told) => told?.state),
        ['conflict', 'conflict', 'conflict'],
      );
      assert.deepEqual(
        [accepted, receipt, item].map((told) => told?.theirs),
        [theirs, theirs, theirs],
      );
      assert.deepEqual(
        [accepted, receipt, item].map((told) => told?.by),
        [undefined, undefined, undefined],
      );
      const [seenByBen] = await listed(outbox, BEN);
      assert.deepEqual(
        [seenByBen?.by, seenByBen?.theirs],
        ['ana', { available: false, updated_at: toTimestamp(T0 + SECOND) }],
      );
    });

    test('the value that the person saw is given while it is stored, with the time of their choice', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { subject: 'cleo', name: 'Cleo' }));
      await outbox.accept(batch([edit('a', false)], { subject: 'ben', now: T0 + SECOND }));
      const clicked_at = toTimestamp(T0 + MINUTE);
      const late = edit('a', true, { base: toTimestamp(T0), updated_at: clicked_at });
      const request = batch([late], { subject: 'ana', now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE });

      const answer = await outbox.accept(request);
      const told = [
        answer.kind === 'accepted' ? answer.receipts[0] : undefined,
        ...(await outbox.receipts(ANA, [late.edit_id])),
        ...(await listed(outbox, ANA)),
      ];
      const [seenByCleo] = await listed(outbox, CLEO);

      const value = { available: true, updated_at: toTimestamp(T0) };
      assert.deepEqual(
        told.map((one) => [one?.state, one?.base, one?.clicked_at]),
        told.map(() => ['conflict', { ...value, by: 'Cleo' }, clicked_at]),
      );
      assert.deepEqual([told.length, seenByCleo?.base], [3, value]);
      await outbox.prune({ settled: T0 + MINUTE, keys: T0 });
      const [forgotten] = await outbox.receipts(ANA, [late.edit_id]);
      assert.deepEqual([forgotten?.base, forgotten?.theirs?.by], [undefined, 'ben']);
    });

    test('an old edit conflicts with a newer one even if its base is older than the history', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { subject: 'cleo' }));
      await deliver(outbox, T0);
      await outbox.accept(batch([edit('a', false)], { subject: 'ben', now: T0 + DAY }));
      await deliver(outbox, T0 + DAY);
      await outbox.prune({ settled: T0 + DAY - MINUTE, keys: T0 });
      const clicked = { base: toTimestamp(T0), updated_at: toTimestamp(T0 + DAY - MINUTE) };
      const [late, later] = [edit('a', true, clicked), edit('a', true, clicked)];
      const sent = { subject: 'ana', now: T0 + DAY + 10 * MINUTE, sentAt: T0 + DAY + 10 * MINUTE };

      await outbox.accept(batch([late], sent));
      const [told] = await outbox.receipts(ANA, [late.edit_id]);
      await outbox.prune({ settled: T0 + DAY + MINUTE, keys: T0 });
      await outbox.accept(batch([later], sent));
      const [forgotten] = await outbox.receipts(ANA, [later.edit_id]);

      assert.deepEqual(
        [told, forgotten].map((receipt) => receipt?.state),
        ['conflict', 'received'],
      );
    });

    for (const [what, later, state] of [
      ['who changed their mind before anything could be sent meets nobody', true, 'received'],
      [
        'an edit made before a newer edit of the same person, at another device, conflicts with that one',
        false,
        'conflict',
      ],
    ] as const) {
      test(what, async (outbox) => {
        await outbox.accept(batch([edit('a', true)], { subject: 'cleo' }));
        const editAt = (available: boolean, at: number): AcceptedEdit =>
          edit('a', available, { base: toTimestamp(T0), updated_at: toTimestamp(T0 + at) });
        const [first, second] = later ? [SECOND, 2 * SECOND] : [2 * SECOND, SECOND];
        const sent = { subject: 'ana', now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE };
        const newEdit = editAt(true, second);

        await outbox.accept(batch([editAt(false, first)], sent));
        await outbox.accept(batch([newEdit], sent));

        const [told] = await outbox.receipts(ANA, [newEdit.edit_id]);
        assert.equal(told?.state, state);
      });
    }

    test('an edit without a conflict has no conflicting values', async (outbox) => {
      const first = edit('a', true);
      await outbox.accept(batch([first], { subject: 'cleo' }));
      const fresh = edit('a', false, { base: toTimestamp(T0), updated_at: toTimestamp(T0 + SECOND) });
      await outbox.accept(batch([fresh], { subject: 'ana', now: T0 + SECOND, sentAt: T0 + SECOND }));
      await deliver(outbox, T0 + MINUTE);

      const told = [...(await outbox.receipts(ANA, [first.edit_id, fresh.edit_id])), ...(await listed(outbox, ANA))];

      assert.deepEqual(
        told.map(({ state, base, clicked_at, theirs }) => [state, base, clicked_at, theirs]),
        ['superseded', 'delivered', 'delivered'].map((state) => [state, undefined, undefined, undefined]),
      );
    });

    test('a repeated request gets the conflicting value too', async (outbox) => {
      const { again } = await conflict(outbox);

      const receipt = await again();

      assert.deepEqual(receipt?.theirs?.by, 'Ben');
    });

    test('a delivered value conflicts with an edit as a waiting one does', async (outbox) => {
      const { late } = await conflict(outbox);
      await deliver(outbox, T0 + 10 * MINUTE);

      const [receipt] = await outbox.receipts(ANA, [late.edit_id]);

      assert.deepEqual([receipt?.state, receipt?.theirs?.available], ['conflict', false]);
    });

    test('an edit has no conflicting value if the other edit was refused and there is no third', async (outbox) => {
      const { late } = await conflict(outbox);
      await deliver(outbox, T0 + 10 * MINUTE, (open) => ({ edit: open, kind: 'refused', reason: 'item_refused' }));

      const [receipt] = await outbox.receipts(ANA, [late.edit_id]);

      assert.deepEqual([receipt?.state, receipt?.theirs], ['conflict', undefined]);
    });

    test('keeping the own value makes a new edit of that person', async (outbox) => {
      const { late } = await conflict(outbox);
      const newId = 'mine-again' as EditId;

      const decided = await outbox.decide({
        ...decision(late, { kind: 'retry', newId, portalOffset: 0, timestampUnit: 1 }),
        name: 'Ana',
      });

      assert.equal(decided.kind === 'decided' && decided.receipt.state, 'received');
      const [[item], [old]] = [await listed(outbox, BEN), await outbox.receipts(ANA, [late.edit_id])];
      assert.deepEqual(
        [item?.available, item?.state, item?.edit_id, item?.by, item?.theirs],
        [true, 'received', newId, 'Ana', undefined],
      );
      assert.deepEqual([old?.state, old?.theirs], ['superseded', undefined]);
    });

    test('taking the other value discards the own edit, and the other one is current', async (outbox) => {
      const { late } = await conflict(outbox);

      const decided = await outbox.decide(decision(late, { kind: 'discard' }));

      assert.deepEqual(decided.kind === 'decided' && [decided.receipt.state, decided.receipt.theirs], [
        'discarded',
        undefined,
      ]);
      const [item] = await listed(outbox, ANA);
      assert.deepEqual([item?.available, item?.state, item?.by], [false, 'received', 'Ben']);
    });
  });
}

/** Ana saw the first value; Ben changed it; Ana's old click comes late. */
async function conflict(outbox: Outbox): Promise<{
  readonly late: AcceptedEdit;
  readonly accepted: Receipt | undefined;
  readonly again: () => Promise<Receipt | undefined>;
}> {
  await outbox.accept(batch([edit('a', true)], { subject: 'ana', name: 'Ana' }));
  await outbox.accept(batch([edit('a', false)], { subject: 'ben', name: 'Ben', now: T0 + SECOND }));
  const late = edit('a', true, { base: toTimestamp(T0), updated_at: toTimestamp(T0) });
  const request = batch([late], { subject: 'ana', now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE });
  const again = async (): Promise<Receipt | undefined> => {
    const answer = await outbox.accept(request);
    return answer.kind === 'accepted' ? answer.receipts[0] : undefined;
  };
  return { late, accepted: await again(), again };
}

function listed(outbox: Outbox, viewer: typeof ANA): ReturnType<Outbox['list']> {
  return outbox.list(viewer, { limit: 9, after: '' as ItemId });
}

function decision(newEdit: AcceptedEdit, verdict: Decision['verdict']): Decision {
  return { vendor: 'vendor-a', by: 'ana', editId: newEdit.edit_id, verdict, now: T0 + 20 * MINUTE };
}

async function deliver(
  outbox: Outbox,
  now: number,
  settle: (edit: AttemptOutcome['edit']) => AttemptOutcome = (open) => ({ edit: open, kind: 'delivered' }),
): Promise<void> {
  const lease = await leaseLane(outbox, { now, leaseMs: MINUTE, uncertainMs: MINUTE });
  assert.ok(lease);
  const open = await outbox.beginAttempt(lease, await outbox.due(lease, now, 9), now);
  assert.equal(open.length, 1);
  await outbox.recordOutcomes(lease, open.map(settle), now);
  await outbox.releaseLease(lease, { failures: 0, notBefore: 0 });
}
