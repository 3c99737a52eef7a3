import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId, Timestamp } from '../../../src/domain/item.js';
import type {
  AcceptBatchCommand,
  AcceptedEdit,
  Decided,
  LaneOf,
  Lease,
  OpenEdit,
  Outbox,
  AttemptOutcome,
} from '../../../src/proxy/outbox/outbox.js';
import { viewerOf } from '../../support/viewer.js';
import { batch, edit, type OpenedOutbox, testOn } from '../outbox/outbox-contract.js';
import { leaseLane } from '../../support/lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WANT = { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND };

type Vendor = 'vendor-a' | 'vendor-b' | 'vendor-c';

const apart: LaneOf = (vendor) => vendor;
const shared: LaneOf = () => '';
const IDLE = { failures: 0, notBefore: 0 };

const delivered = (open: AttemptOutcome['edit']): AttemptOutcome => ({ edit: open, kind: 'delivered' });
const refused = (open: AttemptOutcome['edit']): AttemptOutcome => ({
  edit: open,
  kind: 'refused',
  reason: 'item_refused',
});
const lost = (open: AttemptOutcome['edit']): AttemptOutcome => {
  return { edit: open, kind: 'waiting', reason: 'portal_error', dueAt: T0 + SECOND, uncertain: true };
};

/** A batch of a vendor, in a lane of its own unless `more` names another. */
function request(
  vendor: Vendor,
  edits: readonly AcceptedEdit[],
  more: Partial<AcceptBatchCommand> = {},
): AcceptBatchCommand {
  return batch(edits, { vendor, lane: vendor, ...more });
}

/** What a vendor is told: of each item its value and state, and of each edit. */
async function toldTo(outbox: Outbox, vendor: Vendor) {
  const items = await outbox.list(viewerOf(vendor), { limit: 99 });
  const entries = await outbox.history(vendor, { item: 'kayak' as ItemId, limit: 99 });
  return {
    listed: items.map(({ id, available, state, reason }) => [id, available, state, reason]),
    entries: entries.map(({ to, from, state, reason }) => [to, from, state, reason]),
  };
}

interface Sent {
  readonly lane: string;
  readonly vendor: string;
  readonly available: boolean;
}

/**
 * Every lane's round over all that is due.
 *
 * @param taken is told of each edit that a lane takes up, before the store looks whether it may be sent there
 */
async function sendAll(outbox: Outbox, now: number, settle = delivered, taken?: Sent[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let held: Lease | undefined; (held = await leaseLane(outbox, { ...WANT, now })) !== undefined;) {
    const due = await outbox.due(held, now, 99);
    for (const { vendor, available } of due) taken?.push({ lane: held.lane, vendor, available });
    const open = await outbox.beginAttempt(held, due, now);
    await outbox.recordOutcomes(held, open.map(settle), now);
    await outbox.releaseLease(held, { failures: 0, notBefore: 0 });
    for (const { vendor, available } of open) sent.push({ lane: held.lane, vendor, available });
    if (open.length === 0) break;
  }
  return sent.sort((a, b) => (a.lane + a.vendor < b.lane + b.vendor ? -1 : 1));
}

function decide(outbox: Outbox, vendor: Vendor, editId: EditId, kind: 'retry' | 'discard'): Promise<Decided> {
  const again = { kind: 'retry', newId: `${editId}-again` as EditId, portalOffset: 0, timestampUnit: 1 } as const;
  return outbox.decide({ vendor, by: 'person', editId, verdict: kind === 'retry' ? again : { kind }, now: T0 });
}

/** Two vendors may use one id, as far as they are kept apart. Every store keeps this. */
export function describeOneId(name: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`${name}: the same item id of vendors with separate lanes`, () => {
    test('is a separate item of each vendor, with its own value, state and history', async (outbox) => {
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-b', [edit('loom', true)]));
      const sent = await sendAll(outbox, T0);
      await outbox.accept(request('vendor-a', [edit('kayak', false)]));

      assert.deepEqual(sent, [
        { lane: 'vendor-a', vendor: 'vendor-a', available: true },
        { lane: 'vendor-b', vendor: 'vendor-b', available: false },
        { lane: 'vendor-b', vendor: 'vendor-b', available: true },
      ]);
      assert.deepEqual(await toldTo(outbox, 'vendor-a'), {
        listed: [['kayak', false, 'received', undefined]],
        entries: [
          [false, true, 'received', undefined],
          [true, undefined, 'delivered', undefined],
        ],
      });
      assert.deepEqual(await toldTo(outbox, 'vendor-b'), {
        listed: [
          ['kayak', false, 'delivered', undefined],
          ['loom', true, 'delivered', undefined],
        ],
        entries: [[false, undefined, 'delivered', undefined]],
      });
    });

    test('is a separate item of each vendor in large batches too', async (outbox) => {
      const many = (available: boolean) =>
        Array.from({ length: 30 }, (_, at) => edit(`item-${String(at)}`, at % 2 === 0 ? available : !available));
      const [ofA, ofB] = [many(true), many(false)];

      const answers = await Promise.all([
        outbox.accept(request('vendor-a', ofA)),
        outbox.accept(request('vendor-b', ofB)),
      ]);
      await outbox.accept(request('vendor-a', [edit('item-7', true)]));

      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ['accepted', 'accepted'],
      );
      for (const [vendor, edits] of [['vendor-a', ofA] as const, ['vendor-b', ofB] as const]) {
        const items = await outbox.list(viewerOf(vendor), { limit: 99 });
        const expected = edits.map(({ id, available }) => [
          id,
          (vendor === 'vendor-a' && id === 'item-7') || available,
        ]);
        assert.deepEqual(
          items.map(({ id, available }) => [id, available]),
          expected.sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)),
        );
      }
    });

    test('has separate timestamps, so that the base of one vendor causes no conflict for another', async (outbox) => {
      const accepted = await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      const stamp = accepted.kind === 'accepted' ? accepted.receipts[0]?.updated_at : undefined;
      await outbox.accept(request('vendor-b', [edit('kayak', true)], { now: T0 + 7 }));
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { subject: 'ben', now: T0 + SECOND }));
      const late = (): AcceptedEdit[] => [edit('kayak', true, { base: stamp as Timestamp })];
      const at = { now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE };
      await outbox.accept(request('vendor-a', [edit('kayak', false)], { subject: 'ben', now: T0 + SECOND }));

      const stranger = await outbox.accept(request('vendor-b', late(), at));
      const own = await outbox.accept(request('vendor-a', late(), at));

      const states = [stranger, own].map((one) => (one.kind === 'accepted' ? one.receipts[0]?.state : one.kind));
      assert.deepEqual(states, ['received', 'conflict']);
      const conflict = own.kind === 'accepted' ? own.receipts[0] : undefined;
      assert.deepEqual(
        [conflict?.base?.updated_at, conflict?.theirs?.updated_at],
        [new Date(T0).toISOString(), new Date(T0 + SECOND).toISOString()],
      );
    });

    test('is resent only for the vendor whose outcome is uncertain', async (outbox) => {
      const [first, second] = [edit('kayak', true), edit('kayak', true)];
      await outbox.accept(request('vendor-a', [first]));
      await outbox.accept(request('vendor-b', [second]));
      await sendAll(outbox, T0, (open) => (open.vendor === 'vendor-a' ? lost(open) : delivered(open)));
      await outbox.accept(request('vendor-a', [edit('kayak', false)]));
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));

      const soon = [...(await sendAll(outbox, T0 + SECOND)), ...(await sendAll(outbox, T0 + 2 * SECOND))];
      const later = await sendAll(outbox, T0 + WANT.uncertainMs);

      assert.deepEqual(
        soon.map(({ vendor, available }) => [vendor, available]),
        [
          ['vendor-a', true],
          ['vendor-a', false],
          ['vendor-b', false],
        ],
      );
      assert.deepEqual(later, [{ lane: 'vendor-a', vendor: 'vendor-a', available: false }]);
    });

    test('is pruned for each vendor separately', async (outbox) => {
      for (const available of [true, false]) {
        await outbox.accept(request('vendor-a', [edit('kayak', available)]));
        await sendAll(outbox, T0);
      }
      await outbox.accept(request('vendor-b', [edit('kayak', true)]));
      await sendAll(outbox, T0);

      await outbox.prune({ settled: T0 + MINUTE, keys: 0 });

      const left = [await toldTo(outbox, 'vendor-a'), await toldTo(outbox, 'vendor-b')];
      assert.deepEqual(
        left.map(({ entries }) => entries.length),
        [1, 1],
      );
    });
  });

  describe(`${name}: the same item id of vendors who share a lane`, () => {
    test('belongs to the vendor that used it first, whatever a vendor in another lane does', async (outbox) => {
      await outbox.accept(request('vendor-c', [edit('kayak', false)]));
      const first = await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
      const second = await outbox.accept(request('vendor-b', [edit('loom', true), edit('kayak', true)], { lane: '' }));
      const again = await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));

      assert.deepEqual(
        [first.kind, second, again.kind],
        ['accepted', { kind: 'item_unknown', indices: [1] }, 'accepted'],
      );
      assert.deepEqual((await toldTo(outbox, 'vendor-b')).listed, []);
      assert.deepEqual(
        (await sendAll(outbox, T0)).map(({ lane, available }) => [lane, available]),
        [
          ['', true],
          ['vendor-c', false],
        ],
      );
    });
  });

  describe(`${name}: the same item id of vendors whom a reload puts into one lane`, () => {
    test('stays with the vendor that used it first, and waiting edits of the other are refused and not sent', async (outbox) => {
      const [tried, newer, other] = [edit('kayak', true), edit('kayak', false), edit('loom', true)];
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-a', [tried, other]));
      await sendAll(outbox, T0, lost);
      await outbox.accept(request('vendor-a', [newer]));
      const before = await outbox.revision('vendor-a');

      await outbox.moveLanes(shared, T0 + MINUTE);

      const sent = await sendAll(outbox, T0 + MINUTE);
      assert.deepEqual(sent, [
        { lane: '', vendor: 'vendor-a', available: true },
        { lane: '', vendor: 'vendor-b', available: false },
      ]);
      assert.deepEqual(await toldTo(outbox, 'vendor-a'), {
        listed: [
          ['kayak', false, 'refused', 'item_unknown'],
          ['loom', true, 'delivered', undefined],
        ],
        entries: [
          [false, true, 'refused', 'item_unknown'],
          [true, undefined, 'superseded', 'item_unknown'],
        ],
      });
      const changed = await outbox.list(viewerOf('vendor-a'), { since: before, limit: 9 });
      assert.deepEqual(changed.map(({ id }) => id).sort(), ['kayak', 'loom']);
      const { accepted, parked, superseded, received } = await outbox.count();
      assert.deepEqual([accepted, parked, superseded, received], [4, 1, 1, 0]);
    });

    test('rejects edits and retries of the other vendor, and accepts its repeated and discarded edits', async (outbox) => {
      const parked = edit('kayak', true);
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-a', [parked]));
      await outbox.moveLanes(shared, T0);

      const posted = await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
      const repeated = await outbox.accept(request('vendor-a', [parked], { lane: '' }));
      const retried = await decide(outbox, 'vendor-a', parked.edit_id, 'retry');
      const discarded = await decide(outbox, 'vendor-a', parked.edit_id, 'discard');
      const owner = await outbox.accept(request('vendor-b', [edit('kayak', true)], { lane: '' }));

      assert.deepEqual(
        [posted.kind, retried.kind, discarded.kind, owner.kind],
        ['item_unknown', 'item_unknown', 'decided', 'accepted'],
      );
      assert.deepEqual(repeated.kind === 'accepted' && repeated.receipts.map(({ state }) => state), ['refused']);
    });

    test('stays with the vendor that used it in that lane, even if the other used it earlier', async (outbox) => {
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));

      await outbox.moveLanes(shared, T0);

      assert.deepEqual(await sendAll(outbox, T0), [{ lane: '', vendor: 'vendor-b', available: false }]);
      assert.equal(
        (await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }))).kind,
        'item_unknown',
      );
    });

    test('is resent only for its owner', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      await sendAll(outbox, T0, lost);
      for (const vendor of ['vendor-a', 'vendor-b'] as const)
        await outbox.accept(request(vendor, [edit('kayak', true)]));
      for (const now of [T0 + SECOND, T0 + 2 * SECOND]) await sendAll(outbox, now);

      await outbox.moveLanes(shared, T0 + 2 * SECOND);

      assert.deepEqual(await sendAll(outbox, T0 + WANT.uncertainMs), [
        { lane: '', vendor: 'vendor-b', available: true },
      ]);
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('is refused for the other vendor if its edit was in flight during the move', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await sendAll(outbox, T0);
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      const held = await leaseLane(outbox, { ...WANT, now: T0 });
      assert.ok(held);
      const open = await outbox.beginAttempt(held, await outbox.due(held, T0, 9), T0);
      await outbox.moveLanes(shared, T0);
      await outbox.recordOutcomes(held, open.map(lost), T0);
      await outbox.releaseLease(held, { failures: 0, notBefore: 0 });

      await outbox.moveLanes(shared, T0);

      assert.deepEqual(await sendAll(outbox, T0 + MINUTE), []);
      assert.deepEqual((await toldTo(outbox, 'vendor-a')).listed, [['kayak', true, 'refused', 'item_unknown']]);
    });

    /** While an edit of vendor-a is at the portal: apart, so that vendor-b has its id in the lane that was theirs, and back. */
    async function losingItsId(outbox: Outbox, now: number): Promise<{ held: Lease; open: readonly OpenEdit[] }> {
      const held = await leaseLane(outbox, { ...WANT, now });
      assert.ok(held);
      const open = await outbox.beginAttempt(held, await outbox.due(held, now, 9), now);
      await outbox.moveLanes((vendor) => (vendor === 'vendor-a' ? vendor : ''), now);
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));
      await outbox.moveLanes(shared, now);
      return { held, open };
    }

    const comings: readonly [
      string,
      string,
      (outbox: Outbox, held: Lease, open: readonly OpenEdit[]) => Promise<void>,
    ][] = [
      [
        'comes back from the portal',
        'refused',
        (outbox, held, open) => outbox.recordOutcomes(held, open.map(lost), T0),
      ],
      ['was left open', 'refused', () => Promise.resolve()],
      [
        'was refused wrongly',
        'refused',
        async (outbox, held, open) => {
          await outbox.recordOutcomes(held, open.map(refused), T0);
          await outbox.reopen(held, open, 'portal_refuses', T0);
        },
      ],
      ['is resent', 'delivered', (outbox, held, open) => outbox.recordOutcomes(held, open.map(lost), T0)],
      [
        'is of a call that is split',
        'refused',
        async (outbox, held, open) =>
          assert.deepEqual(await outbox.beginAttempt(held, open, T0 + SECOND), [], 'nothing of it may leave'),
      ],
    ];
    for (const [how, state, come] of comings) {
      test(`is sent only for its owner after lanes changed twice during a call of another vendor whose edit ${how}`, async (outbox) => {
        const isSaidAgain = state === 'delivered';
        await outbox.accept(request('vendor-a', [edit('kayak', !isSaidAgain)], { lane: '' }));
        await sendAll(outbox, T0, lost);
        if (isSaidAgain) await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
        if (isSaidAgain) await sendAll(outbox, T0 + SECOND);
        const { held, open } = await losingItsId(outbox, T0 + (isSaidAgain ? WANT.uncertainMs : SECOND));

        await come(outbox, held, open);
        if (how !== 'was left open') await outbox.releaseLease(held, IDLE);

        const sent = [...(await sendAll(outbox, T0 + MINUTE)), ...(await sendAll(outbox, T0 + 2 * MINUTE))];
        const value = { lane: '', vendor: 'vendor-b', available: false };
        // Once more where the other's call may have landed after it.
        const values = how === 'was left open' ? [value, value] : [value];
        assert.deepEqual([open.map(({ vendor }) => vendor), sent], [['vendor-a'], values]);
        const reason = state === 'refused' ? 'item_unknown' : undefined;
        assert.deepEqual((await toldTo(outbox, 'vendor-a')).listed, [['kayak', true, state, reason]]);
        assert.equal(await outbox.nextDueAt(), undefined);
      });
    }

    const value = { lane: '', vendor: 'vendor-b', available: false };

    for (const how of ['was lost', 'was left open', 'comes back without a response after the change'] as const) {
      test(`is resent for its new owner if a call of the previous owner ${how} and may still arrive`, async (outbox) => {
        await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
        const held = await leaseLane(outbox, { ...WANT, now: T0 });
        assert.ok(held);
        const open = await outbox.beginAttempt(held, await outbox.due(held, T0, 9), T0);
        if (how === 'was lost') await outbox.recordOutcomes(held, open.map(lost), T0);
        await outbox.assignOwner('', [{ id: 'kayak' as ItemId, vendor: 'vendor-b', from: 'vendor-a' }], T0);
        if (how.startsWith('comes back')) await outbox.recordOutcomes(held, open.map(lost), T0);
        const now = how === 'was left open' ? T0 + WANT.leaseMs : T0 + SECOND;
        if (how !== 'was left open') await outbox.releaseLease(held, IDLE);
        await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));
        const landsUntil = (how === 'was left open' ? now : T0) + WANT.uncertainMs;

        const [next] = [await leaseLane(outbox, { ...WANT, now })];
        assert.ok(next);
        const due = (await outbox.due(next, now, 9)).filter(({ vendor }) => vendor === 'vendor-b');
        await outbox.beginAttempt(next, due, now);
        await outbox.recordOutcomes(next, due.map(delivered), now);
        await outbox.releaseLease(next, IDLE);

        assert.deepEqual(
          due.map(({ followsUncertain }) => followsUncertain),
          [true],
        );
        await sendAll(outbox, now);
        assert.equal(await outbox.nextDueAt(), landsUntil);
        assert.deepEqual(await sendAll(outbox, landsUntil), [value]);
        assert.equal(await outbox.nextDueAt(), undefined);
        assert.deepEqual((await toldTo(outbox, 'vendor-b')).listed, [['kayak', false, 'delivered', undefined]]);
      });
    }

    test('is resent for its new owner if the response came when the earlier call could not arrive any more', async (outbox) => {
      await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
      await sendAll(outbox, T0, lost);
      await outbox.assignOwner('', [{ id: 'kayak' as ItemId, vendor: 'vendor-b', from: 'vendor-a' }], T0);
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));
      const [left, answered] = [T0 + SECOND, T0 + WANT.uncertainMs];
      const held = await leaseLane(outbox, { ...WANT, now: left });
      assert.ok(held);
      const open = await outbox.beginAttempt(held, await outbox.due(held, left, 9), left);

      await outbox.recordOutcomes(held, open.map(delivered), answered);
      await outbox.releaseLease(held, IDLE);

      assert.deepEqual(await sendAll(outbox, answered), [value]);
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('is sent once for its new owner if no call of the previous owner can still arrive', async (outbox) => {
      await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
      await sendAll(outbox, T0, lost);
      await outbox.assignOwner('', [{ id: 'kayak' as ItemId, vendor: 'vendor-b', from: 'vendor-a' }], T0);
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));

      const sent = await sendAll(outbox, T0 + WANT.uncertainMs);

      assert.deepEqual([sent, await outbox.nextDueAt()], [[value], undefined]);
    });

    for (const how of ['is accepted under the old settings', 'comes back from the portal'] as const) {
      test(`is sent only for its owner if an edit of another vendor ${how} while lanes are moved`, async (outbox) => {
        await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));
        await sendAll(outbox, T0);
        // More than are moved at once.
        await outbox.accept(
          request(
            'vendor-c',
            Array.from({ length: 1100 }, (_, at) => edit(`item-${String(at)}`, true)),
          ),
        );
        const late = request('vendor-a', [edit('kayak', true)]);
        if (how === 'comes back from the portal') await outbox.accept(late);
        const leases = [await leaseLane(outbox, { ...WANT, now: T0 }), await leaseLane(outbox, { ...WANT, now: T0 })];
        const held = leases.find((lease) => lease?.lane === 'vendor-a');
        const open = held && (await outbox.beginAttempt(held, await outbox.due(held, T0, 9), T0));

        let came: Promise<unknown> | undefined;
        await outbox.moveLanes(shared, T0, () => {
          const back = open?.map((one) => ({ ...lost(one), dueAt: T0, uncertain: false }));
          came = held && back ? outbox.recordOutcomes(held, back, T0) : outbox.accept(late);
        });
        await came;
        if (held) await outbox.releaseLease(held, { failures: 0, notBefore: 0 });

        const taken: Sent[] = [];
        const sent = await sendAll(outbox, T0, delivered, taken);
        // It has not even come into the lane.
        for (const edits of [sent, taken]) {
          const vendors = edits.filter(({ lane }) => lane === '').map(({ vendor }) => vendor);
          assert.deepEqual(new Set(vendors), new Set(['vendor-c']));
        }
      });
    }

    test('belongs to each vendor again once a reload separates them, and a retried edit is sent', async (outbox) => {
      const parked = edit('kayak', true);
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-a', [parked]));
      await outbox.moveLanes(shared, T0);

      await outbox.moveLanes(apart, T0);
      const retried = await decide(outbox, 'vendor-a', parked.edit_id, 'retry');

      assert.equal(retried.kind, 'decided');
      assert.deepEqual(await sendAll(outbox, T0), [
        { lane: 'vendor-a', vendor: 'vendor-a', available: true },
        { lane: 'vendor-b', vendor: 'vendor-b', available: false },
      ]);
    });

    test('passes to the next vendor of the lane when its owner gets its own lane', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      await outbox.moveLanes(shared, T0);

      await outbox.moveLanes((vendor) => (vendor === 'vendor-b' ? vendor : ''), T0);
      const answers = [
        await outbox.accept(request('vendor-c', [edit('kayak', true)], { lane: '' })),
        await outbox.accept(request('vendor-a', [edit('kayak', false)], { lane: '' })),
        await outbox.accept(request('vendor-b', [edit('kayak', false)])),
      ];

      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ['item_unknown', 'accepted', 'accepted'],
      );
    });

    test('belongs to the vendor that uses it first after a reload, before lanes are moved', async (outbox) => {
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));

      const answers = [
        await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' })),
        await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' })),
      ];
      await outbox.moveLanes(shared, T0);

      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ['accepted', 'item_unknown'],
      );
      assert.deepEqual(await sendAll(outbox, T0), [{ lane: '', vendor: 'vendor-b', available: false }]);
    });

    test('notifies only the vendor whose edit was refused', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));
      await outbox.accept(request('vendor-a', [edit('kayak', true)]));
      const heard = new Set<string>();
      // SQLite tells a vendor what it has unpacked of the acceptance, as news for other listeners, whenever it gets to it.
      outbox.subscribe((vendor, elsewhere) => {
        if (elsewhere !== true) heard.add(vendor);
      });

      await outbox.moveLanes(shared, T0);

      assert.deepEqual([...heard], ['vendor-a']);
    });
  });

  describe(`${name}: an item id that is assigned to another vendor of its lane`, () => {
    const toA = [{ id: 'kayak' as ItemId, vendor: 'vendor-a', from: 'vendor-b' }];
    const ofA = (available: boolean) => request('vendor-a', [edit('kayak', available)], { lane: '' });
    const ofB = (available: boolean) => request('vendor-b', [edit('kayak', available)], { lane: '' });

    test('belongs to the new owner at once; waiting edits of the previous owner are refused, and new ones rejected', async (outbox) => {
      await outbox.accept(ofB(false));
      await outbox.accept(request('vendor-b', [edit('loom', true)], { lane: '' }));
      const heard = new Set<string>();
      outbox.subscribe((vendor, elsewhere) => {
        if (elsewhere !== true) heard.add(vendor);
      });

      await outbox.assignOwner('', toA, T0);
      const answers = [await outbox.accept(ofA(true)), await outbox.accept(ofB(false))];

      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ['accepted', 'item_unknown'],
      );
      assert.deepEqual(await sendAll(outbox, T0), [
        { lane: '', vendor: 'vendor-a', available: true },
        { lane: '', vendor: 'vendor-b', available: true },
      ]);
      assert.deepEqual((await toldTo(outbox, 'vendor-b')).entries, [[false, undefined, 'refused', 'item_unknown']]);
      assert.deepEqual([...heard].sort(), ['vendor-a', 'vendor-b']);
    });

    test('does not change if the vendor owns it already', async (outbox) => {
      await outbox.accept(ofA(true));

      await outbox.assignOwner('', toA, T0);

      assert.deepEqual(await sendAll(outbox, T0), [{ lane: '', vendor: 'vendor-a', available: true }]);
    });

    test('does not change in another lane', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)]));

      await outbox.assignOwner('', toA, T0);

      assert.deepEqual(await sendAll(outbox, T0), [{ lane: 'vendor-b', vendor: 'vendor-b', available: false }]);
    });

    for (const isUsed of [true, false]) {
      test(`is not sent for the previous owner whose call was in flight, after it ${isUsed ? 'was used' : 'was assigned again'}`, async (outbox) => {
        await outbox.accept(ofB(false));
        const held = await leaseLane(outbox, { ...WANT, now: T0 });
        assert.ok(held);
        const open = await outbox.beginAttempt(held, await outbox.due(held, T0, 9), T0);
        await outbox.assignOwner('', toA, T0);
        await outbox.recordOutcomes(held, open.map(lost), T0);
        await outbox.releaseLease(held, IDLE);
        if (isUsed) await outbox.accept(ofA(true));
        else await outbox.assignOwner('', toA, T0);

        const sent = await sendAll(outbox, T0 + MINUTE);
        assert.deepEqual(new Set(sent.map(({ vendor }) => vendor)), new Set(isUsed ? ['vendor-a'] : []));
        assert.deepEqual((await toldTo(outbox, 'vendor-b')).entries, [[false, undefined, 'refused', 'item_unknown']]);
      });
    }

    test('is not resent for the previous owner', async (outbox) => {
      await outbox.accept(ofB(false));
      await sendAll(outbox, T0, lost);
      await outbox.accept(ofB(true));
      for (const now of [T0 + SECOND, T0 + 2 * SECOND]) await sendAll(outbox, now);

      await outbox.assignOwner('', toA, T0 + 2 * SECOND);

      assert.deepEqual(await sendAll(outbox, T0 + WANT.uncertainMs), []);
      assert.equal(await outbox.nextDueAt(), undefined);
    });
  });

  describe(`${name}: an item id in the lists of vendors`, () => {
    const owned = (
      vendor: Vendor,
      ids: readonly string[],
      more: Partial<AcceptBatchCommand> = {},
    ): AcceptBatchCommand =>
      request(
        vendor,
        ids.map((id) => edit(id, true)),
        { lane: '', lists: { sharesLane: () => true, isRead: true }, ...more },
      );
    const ids = (...names: string[]) => names as ItemId[];
    const assignment = (vendor: Vendor) => ({
      vendor,
      lane: '',
      sharesLane: () => true,
      now: T0,
      portalOffset: 0,
      timestampUnit: 1,
      newId: () => 'sent-again' as EditId,
    });

    test('is accepted from the vendor whose list named it first, and from no other', async (outbox) => {
      await outbox.recordList('vendor-a', ids('kayak', 'canoe'));
      const contested = await outbox.recordList('vendor-b', ids('kayak', 'jug'));

      const answers = [
        await outbox.accept(owned('vendor-b', ['kayak'])),
        await outbox.accept(owned('vendor-b', ['jug', 'loom'])),
        await outbox.accept(owned('vendor-b', ['jug'])),
        await outbox.accept(owned('vendor-a', ['kayak'])),
        await outbox.accept(owned('vendor-c', ['x'], { lists: { sharesLane: () => true, isRead: false } })),
      ];

      assert.deepEqual([...contested], [['kayak', ['vendor-a', 'vendor-b']]]);
      assert.deepEqual(
        answers.map((answer) => [answer.kind, 'indices' in answer ? answer.indices : []]),
        [
          ['item_unknown', [0]],
          ['item_unknown', [1]],
          ['accepted', []],
          ['accepted', []],
          ['list_unread', []],
        ],
      );
    });

    test('passes to the next vendor once the first list does not name it any more', async (outbox) => {
      await outbox.recordList('vendor-a', ids('kayak'));
      await outbox.recordList('vendor-b', ids('kayak'));

      const left = await outbox.recordList('vendor-a', ids('canoe'));
      const answers = [
        await outbox.accept(owned('vendor-a', ['kayak'])),
        await outbox.accept(owned('vendor-b', ['kayak'])),
      ];

      assert.deepEqual([...left], [['kayak', ['vendor-b']]]);
      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ['item_unknown', 'accepted'],
      );
    });

    test('is assigned to the listed vendor, whose delivered value is sent again after that of another vendor', async (outbox) => {
      await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' }));
      await sendAll(outbox, T0);
      await outbox.assignOwner('', [{ id: 'kayak' as ItemId, vendor: 'vendor-b' }], T0);
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '', now: T0 + SECOND }));
      await sendAll(outbox, T0 + SECOND);
      await outbox.recordList('vendor-a', ids('kayak', 'canoe'));

      const assigned = await outbox.assignListed(assignment('vendor-a'));
      const again = await outbox.assignListed(assignment('vendor-a'));

      assert.deepEqual([assigned, again], [['kayak'], []]);
      assert.deepEqual(await sendAll(outbox, T0 + 2 * SECOND), [{ lane: '', vendor: 'vendor-a', available: true }]);
      const [newest] = await outbox.history('vendor-a', { limit: 1 });
      assert.equal(newest?.edit_id, 'sent-again');
      assert.ok(Date.parse(newest.updated_at) > T0 + SECOND);
    });

    test('is not sent for another vendor whose call was in flight during the assignment', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));
      const held = await leaseLane(outbox, { ...WANT, now: T0 });
      assert.ok(held);
      const open = await outbox.beginAttempt(held, await outbox.due(held, T0, 9), T0);
      await outbox.recordList('vendor-a', ids('kayak'));
      await outbox.assignListed(assignment('vendor-a'));
      await outbox.recordOutcomes(held, open.map(lost), T0);
      await outbox.releaseLease(held, IDLE);

      assert.deepEqual(await sendAll(outbox, T0 + MINUTE), []);
      assert.deepEqual((await toldTo(outbox, 'vendor-b')).entries, [[false, undefined, 'refused', 'item_unknown']]);
    });

    test('passes to the next vendor that uses it once the operator has released it', async (outbox) => {
      await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' }));

      const released = [
        await outbox.releaseItem('vendor-b', 'kayak' as ItemId, T0),
        await outbox.releaseItem('vendor-c', 'kayak' as ItemId, T0),
      ];
      const answers = [
        await outbox.accept(request('vendor-a', [edit('kayak', true)], { lane: '' })),
        await outbox.accept(request('vendor-b', [edit('kayak', false)], { lane: '' })),
      ];

      assert.deepEqual(released, [true, false]);
      assert.deepEqual(
        answers.map(({ kind }) => kind),
        ['accepted', 'item_unknown'],
      );
      assert.deepEqual(await sendAll(outbox, T0), [{ lane: '', vendor: 'vendor-a', available: true }]);
    });
  });
}
