import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import type { Receipt } from '../../../src/contract/widget.js';
import type { AcceptedEdit, Decision, Outbox, Settlement } from '../../../src/proxy/outbox/outbox.js';
import { askerOf } from '../../support/asker.js';
import { batch, edit, type OpenedOutbox, testOn } from './outbox-contract.js';
import { leaseLane } from '../../support/lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const ANA = askerOf('vendor-a', 'ana');
const BEN = askerOf('vendor-a', 'ben');
const CLEO = askerOf('vendor-a', 'cleo');

/** What every store tells people of one another's edits. */
export function describeTwoPeople(name: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`${name}: two people`, () => {
    test('each learns who made an edit, by name where there is one, and never their own name', async (outbox) => {
      const [named, nameless] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([named], { subject: 'ana', name: 'Ana' }));
      await outbox.accept(batch([nameless], { subject: 'ben' }));

      const told = await Promise.all([ANA, BEN, CLEO].map((asker) => listed(outbox, asker)));
      const receipts = await Promise.all(
        [ANA, BEN, CLEO].map((asker) => outbox.receipts(asker, [named.edit_id, nameless.edit_id])),
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

    test('a change of another person is among what changed since, with who made it', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { subject: 'ben' }));
      const since = await outbox.revision('vendor-a');
      await outbox.accept(batch([edit('a', false)], { subject: 'ana', name: 'Ana', now: T0 + SECOND }));

      const [item] = await outbox.list(BEN, { since, limit: 9 });

      assert.deepEqual([item?.available, item?.by, item?.theirs], [false, 'Ana', undefined]);
    });

    test('the value that stands against an edit in conflict is told at acceptance, by receipts and in the listing', async (outbox) => {
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

    test('the value that was seen is told as long as it is remembered, and when the person chose another', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { subject: 'cleo', name: 'Cleo' }));
      await outbox.accept(batch([edit('a', false)], { subject: 'ben', now: T0 + SECOND }));
      const clicked_at = toTimestamp(T0 + MINUTE);
      const late = edit('a', true, { base: toTimestamp(T0), updated_at: clicked_at });
      const wish = batch([late], { subject: 'ana', now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE });

      const answer = await outbox.accept(wish);
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

    test('an old wish meets a newer one also where the value that was seen had stood for longer than history is kept', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { subject: 'cleo' }));
      await deliver(outbox, T0);
      await outbox.accept(batch([edit('a', false)], { subject: 'ben', now: T0 + DAY }));
      await deliver(outbox, T0 + DAY);
      await outbox.prune({ settled: T0 + DAY - MINUTE, keys: T0 });
      const clicked = { base: toTimestamp(T0), updated_at: toTimestamp(T0 + DAY - MINUTE) };
      const [late, later] = [edit('a', true, clicked), edit('a', true, clicked)];
      const wish = { subject: 'ana', now: T0 + DAY + 10 * MINUTE, sentAt: T0 + DAY + 10 * MINUTE };

      await outbox.accept(batch([late], wish));
      const [told] = await outbox.receipts(ANA, [late.edit_id]);
      await outbox.prune({ settled: T0 + DAY + MINUTE, keys: T0 });
      await outbox.accept(batch([later], wish));
      const [forgotten] = await outbox.receipts(ANA, [later.edit_id]);

      assert.deepEqual(
        [told, forgotten].map((receipt) => receipt?.state),
        ['conflict', 'received'],
      );
    });

    for (const [what, later, state] of [
      ['who changed their mind before anything could be sent meets nobody', true, 'received'],
      ['what somebody wished before their own newer wish, at another device, meets that one', false, 'conflict'],
    ] as const) {
      test(what, async (outbox) => {
        await outbox.accept(batch([edit('a', true)], { subject: 'cleo' }));
        const wished = (available: boolean, at: number): AcceptedEdit =>
          edit('a', available, { base: toTimestamp(T0), updated_at: toTimestamp(T0 + at) });
        const [first, second] = later ? [SECOND, 2 * SECOND] : [2 * SECOND, SECOND];
        const sent = { subject: 'ana', now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE };
        const wish = wished(true, second);

        await outbox.accept(batch([wished(false, first)], sent));
        await outbox.accept(batch([wish], sent));

        const [told] = await outbox.receipts(ANA, [wish.edit_id]);
        assert.equal(told?.state, state);
      });
    }

    test('what is in no conflict is held against nothing', async (outbox) => {
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

    test('the same key is answered with the value that stands against it, too', async (outbox) => {
      const { again } = await conflict(outbox);

      const receipt = await again();

      assert.deepEqual(receipt?.theirs?.by, 'Ben');
    });

    test('a value that is on the portal stands against an edit as one on its way does', async (outbox) => {
      const { late } = await conflict(outbox);
      await deliver(outbox, T0 + 10 * MINUTE);

      const [receipt] = await outbox.receipts(ANA, [late.edit_id]);

      assert.deepEqual([receipt?.state, receipt?.theirs?.available], ['conflict', false]);
    });

    test('no value stands against an edit when the portal refused the other one, and nothing else was said', async (outbox) => {
      const { late } = await conflict(outbox);
      await deliver(outbox, T0 + 10 * MINUTE, (open) => ({ edit: open, kind: 'refused', reason: 'item_refused' }));

      const [receipt] = await outbox.receipts(ANA, [late.edit_id]);

      assert.deepEqual([receipt?.state, receipt?.theirs], ['conflict', undefined]);
    });

    test('who keeps their own value has it accepted anew, under their name', async (outbox) => {
      const { late } = await conflict(outbox);
      const newId = 'mine-again' as EditId;

      const decided = await outbox.decide({
        ...decision(late, { kind: 'retry', newId, portalOffset: 0, stampUnit: 1 }),
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

    test('who takes the other value has theirs discarded, and the other one counts', async (outbox) => {
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
  const wish = batch([late], { subject: 'ana', now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE });
  const again = async (): Promise<Receipt | undefined> => {
    const answer = await outbox.accept(wish);
    return answer.kind === 'accepted' ? answer.receipts[0] : undefined;
  };
  return { late, accepted: await again(), again };
}

function listed(outbox: Outbox, asker: typeof ANA): ReturnType<Outbox['list']> {
  return outbox.list(asker, { limit: 9, after: '' as ItemId });
}

function decision(wish: AcceptedEdit, verdict: Decision['verdict']): Decision {
  return { vendor: 'vendor-a', by: 'ana', editId: wish.edit_id, verdict, now: T0 + 20 * MINUTE };
}

async function deliver(
  outbox: Outbox,
  now: number,
  settle: (edit: Settlement['edit']) => Settlement = (open) => ({ edit: open, kind: 'delivered' }),
): Promise<void> {
  const lease = await leaseLane(outbox, { now, leaseMs: MINUTE, unsureMs: MINUTE });
  assert.ok(lease);
  const open = await outbox.beginAttempt(lease, await outbox.due(lease, now, 9), now);
  assert.equal(open.length, 1);
  await outbox.settle(lease, open.map(settle), now);
  await outbox.releaseLease(lease, { failures: 0, notBefore: 0 });
}
