import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId, Timestamp } from '../../../src/domain/item.js';
import {
  type Acceptance,
  type Accepted,
  type AcceptedEdit,
  type LaneState,
  type Lease,
  LeaseLost,
  type OpenEdit,
  type Outbox,
  type Settlement,
} from '../../../src/proxy/outbox/outbox.js';
import { askerOf } from '../../support/asker.js';
import { leaseLane } from '../../support/lease-lane.js';

/** What every store has to keep. Each test opens a store of its own and closes it. */
export interface OpenedOutbox {
  readonly outbox: Outbox;
  close(): Promise<void>;
}

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const WANT = { leaseMs: 30 * SECOND, unsureMs: 20 * SECOND };
const IDLE: LaneState = { failures: 0, notBefore: 0 };

let made = 0;

export function edit(id: string, available: boolean, more: Partial<AcceptedEdit> = {}): AcceptedEdit {
  made += 1;
  return {
    id: id as ItemId,
    available,
    updated_at: at(T0),
    edit_id: `edit-${String(made)}` as EditId,
    ...more,
  };
}

export function batch(edits: readonly AcceptedEdit[], more: Partial<Acceptance> = {}): Acceptance {
  made += 1;
  const key = `key-${String(made)}`;
  return {
    vendor: 'vendor-a',
    subject: 'person-a',
    lane: '',
    idempotencyKey: key,
    digest: key,
    edits,
    now: T0,
    portalOffset: 0,
    stampUnit: 1,
    ...more,
  };
}

function at(time: number): Timestamp {
  return new Date(time).toISOString() as Timestamp;
}

function receiptsOf(accepted: Accepted): Extract<Accepted, { kind: 'accepted' }>['receipts'] {
  assert.equal(accepted.kind, 'accepted');
  return accepted.kind === 'accepted' ? accepted.receipts : [];
}

async function lease(outbox: Outbox, now: number): Promise<Lease> {
  const leased = await leaseLane(outbox, { ...WANT, now });
  assert.ok(leased, 'there is a lane with due work');
  return leased;
}

/** Opens an attempt over all that is due. */
async function attempt(outbox: Outbox, held: Lease, now: number): Promise<readonly OpenEdit[]> {
  return outbox.beginAttempt(held, await outbox.due(held, now, 1000), now);
}

const delivered = (open: OpenEdit): Settlement => ({ edit: open, kind: 'delivered' });
const refused = (open: OpenEdit): Settlement => ({ edit: open, kind: 'refused', reason: 'item_refused' });
const waits = (dueAt: number, uncertain: boolean | 'answered' = false) => {
  return (open: OpenEdit): Settlement => ({ edit: open, kind: 'waiting', reason: 'portal_error', dueAt, uncertain });
};

/** One whole round over everything that is due at `now`. */
async function round(
  outbox: Outbox,
  now: number,
  settle: (open: OpenEdit) => Settlement,
): Promise<readonly OpenEdit[]> {
  const held = await lease(outbox, now);
  const open = await attempt(outbox, held, now);
  await outbox.settle(held, open.map(settle), now);
  await outbox.releaseLease(held, IDLE);
  return open;
}

/** A value that the portal has, and one after it that it has refused in the end, and may have taken before. */
async function refuseDoubtful(
  outbox: Outbox,
  uncertain: true | 'answered' = true,
): Promise<{ readonly standing: AcceptedEdit; readonly doubtful: AcceptedEdit }> {
  const [standing, doubtful] = [edit('a', true), edit('a', false)];
  await outbox.accept(batch([standing]));
  await round(outbox, T0, delivered);
  await outbox.accept(batch([doubtful]));
  await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND, uncertain));
  await round(outbox, T0 + 2 * SECOND, refused);
  return { standing, doubtful };
}

/** @param newId of the edit that says the standing value again, if one has to */
async function discardDoubtful(outbox: Outbox, editId: string, newId: string, now: number): Promise<void> {
  const standing = { newId: newId as EditId, portalOffset: 0, stampUnit: 1 };
  await outbox.decide({ by: 'person-b', editId: editId as EditId, verdict: { kind: 'discard', standing }, now });
}

async function statesOf(outbox: Outbox, ...edits: readonly AcceptedEdit[]): Promise<string[]> {
  const receipts = await outbox.receipts(
    askerOf('vendor-a'),
    edits.map((one) => one.edit_id),
  );
  return receipts.map((receipt) => receipt.state);
}

/** Makes tests with an outbox of their own, which is closed afterwards. */
export function testOn(
  open: () => Promise<OpenedOutbox>,
): (title: string, body: (outbox: Outbox) => Promise<void>) => void {
  return (title, body) => {
    it(title, async () => {
      const opened = await open();
      try {
        await body(opened.outbox);
      } finally {
        await opened.close();
      }
    });
  };
}

export function describeOutbox(name: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`${name}: acceptance`, () => {
    test('answers each edit of a batch with a receipt in the order of the batch', async (outbox) => {
      const wishes = [edit('b', true), edit('a', false)];

      const receipts = receiptsOf(await outbox.accept(batch(wishes)));

      assert.deepEqual(
        receipts.map(({ id, edit_id, state }) => [id, edit_id, state]),
        [
          ['b', wishes[0]?.edit_id, 'received'],
          ['a', wishes[1]?.edit_id, 'received'],
        ],
      );
      assert.ok((receipts[0]?.seq ?? 0) < (receipts[1]?.seq ?? 0));
    });

    test('answers the same key and payload with the current receipts, and stores nothing twice', async (outbox) => {
      const wish = batch([edit('a', true)]);
      await outbox.accept(wish);
      await round(outbox, T0, delivered);

      const [receipt] = receiptsOf(await outbox.accept(wish));

      assert.equal(receipt?.state, 'delivered');
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('refuses the same key with another payload', async (outbox) => {
      const wish = batch([edit('a', true)]);
      await outbox.accept(wish);

      const answer = await outbox.accept({ ...wish, digest: 'other', edits: [edit('a', false)] });

      assert.equal(answer.kind, 'idempotency_key_reused');
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('scopes keys to vendor and subject', async (outbox) => {
      const wish = batch([edit('a', true)]);
      await outbox.accept(wish);

      const answers = [
        await outbox.accept({ ...wish, subject: 'person-b', edits: [edit('b', true)], digest: 'x' }),
        await outbox.accept({ ...wish, vendor: 'vendor-b', edits: [edit('c', true)], digest: 'y' }),
      ];

      assert.deepEqual(
        answers.map((answer) => answer.kind),
        ['accepted', 'accepted'],
      );
    });

    test('knows an edit id under any key, and refuses it with other content', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));

      const same = await outbox.accept(batch([wish]));
      const other = await outbox.accept(batch([edit('b', true), { ...wish, available: false }]));

      assert.deepEqual(
        receiptsOf(same).map((receipt) => receipt.edit_id),
        [wish.edit_id],
      );
      assert.deepEqual(other, { kind: 'edit_id_reused', indices: [1] });
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('stores nothing of a batch that names an item of another vendor', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { vendor: 'vendor-b' }));

      const answer = await outbox.accept(batch([edit('b', true), edit('a', false)]));

      assert.deepEqual(answer, { kind: 'item_unknown', indices: [1] });
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('stamps each edit of an item later than the one before, whatever the clock does', async (outbox) => {
      const times = [T0, T0, T0 - MINUTE, T0 + 5, T0 + 2];

      const stamps: number[] = [];
      for (const now of times) {
        const [receipt] = receiptsOf(await outbox.accept(batch([edit('a', true)], { now, portalOffset: 10 })));
        stamps.push(Date.parse(receipt?.updated_at ?? ''));
      }

      assert.deepEqual(stamps, [T0 + 10, T0 + 11, T0 + 12, T0 + 15, T0 + 16]);
    });

    test('lets a newer wish replace one that nobody has tried', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));

      await outbox.accept(batch([newer]));

      assert.deepEqual(await statesOf(outbox, older, newer), ['superseded', 'received']);
    });

    test('keeps the order where the older wish was tried already', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, waits(T0 + MINUTE));

      await outbox.accept(batch([newer]));

      assert.deepEqual(await statesOf(outbox, older, newer), ['received', 'received']);
      assert.equal(await leaseLane(outbox, { ...WANT, now: T0 + SECOND }), undefined, 'the younger overtakes nobody');
      const first = await round(outbox, T0 + MINUTE, delivered);
      const second = await round(outbox, T0 + MINUTE, delivered);
      assert.deepEqual(
        [first, second].map((open) => open.map((one) => one.available)),
        [[true], [false]],
      );
    });

    test('parks an old wish that meets a newer other value, and delivers the newer one only', async (outbox) => {
      const [receipt] = receiptsOf(await outbox.accept(batch([edit('a', true)])));
      await outbox.accept(batch([edit('a', false)], { now: T0 + SECOND, subject: 'person-b' }));
      const late = edit('a', true, { base: receipt?.updated_at as Timestamp, updated_at: at(T0) });

      const answer = await outbox.accept(batch([late], { now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE }));

      assert.deepEqual(
        receiptsOf(answer).map(({ state, reason }) => [state, reason]),
        [['conflict', 'changed_meanwhile']],
      );
      const sent = await round(outbox, T0 + 10 * MINUTE, delivered);
      assert.deepEqual(
        sent.map((one) => one.available),
        [false],
      );
    });

    for (const [what, base] of [
      ['what it stands on may have been forgotten', at(T0 - 9 * DAY)],
      ['a value that nobody had told then may have been told and forgotten', undefined],
    ] as const) {
      test(`parks a wish that is so old that ${what}`, async (outbox) => {
        await outbox.accept(batch([edit('a', false)]));
        const late = edit('a', true, { base, updated_at: at(T0 - 8 * DAY) });

        const answer = await outbox.accept(batch([late], { now: T0 + MINUTE, sentAt: T0 + MINUTE }));

        assert.deepEqual(
          receiptsOf(answer).map(({ state }) => state),
          ['conflict'],
        );
      });
    }

    test('what the portal has only accepted is not due again, and is delivered once its time is over', async (outbox) => {
      const [older, other] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([older, other]));
      await round(outbox, T0, (open) => ({
        edit: open,
        kind: 'accepted',
        confirmAt: open.id === 'a' ? T0 + MINUTE : Infinity,
      }));
      const asker = askerOf('vendor-a');
      const states = async (): Promise<string[]> =>
        (await outbox.receipts(asker, [older.edit_id, other.edit_id])).map(({ state }) => state);
      const lanes = await outbox.leaseLanes({ ...WANT, now: T0 + DAY }, 1);
      const next = await outbox.nextDueAt();
      await outbox.confirmAccepted(T0 + MINUTE - 1, T0);
      const before = await states();

      await outbox.confirmAccepted(T0 + MINUTE, T0 + MINUTE);

      assert.deepEqual([lanes, next, before], [[], T0 + MINUTE, ['received', 'received']]);
      assert.deepEqual(await states(), ['delivered', 'received']);
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('what the portal has only accepted gives way to a newer edit once that one gets there', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, (open) => ({ edit: open, kind: 'accepted', confirmAt: Infinity }));
      await outbox.accept(batch([newer]));
      const states = async (): Promise<string[]> =>
        (await outbox.receipts(askerOf('vendor-a'), [older.edit_id, newer.edit_id])).map(({ state }) => state);
      await round(outbox, T0, waits(T0));
      const meanwhile = await states();

      await round(outbox, T0, delivered);

      assert.deepEqual(meanwhile, ['received', 'received']);
      assert.deepEqual(await states(), ['superseded', 'delivered']);
    });

    test('an edit that comes again after it was forgotten does not take the place of a newer one', async (outbox) => {
      const first = edit('a', true, { updated_at: at(T0) });
      await outbox.accept(batch([first]));
      await round(outbox, T0, delivered);
      await outbox.accept(batch([edit('a', false)], { now: T0 + DAY, subject: 'person-b' }));
      await round(outbox, T0 + DAY, delivered);
      await outbox.prune({ settled: T0 + 2 * DAY, keys: T0 + 2 * DAY });

      const now = T0 + 10 * DAY;
      const answer = await outbox.accept(batch([first], { now, sentAt: now, idempotencyKey: 'again' }));

      assert.deepEqual(
        receiptsOf(answer).map(({ state }) => state),
        ['conflict'],
      );
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    const meetings: readonly [string, Partial<AcceptedEdit>, Partial<Acceptance>][] = [
      ['the same value', { available: false }, {}],
      ['a fresh click', {}, { sentAt: T0 + MINUTE }],
      ['a clock that stepped back', { updated_at: at(T0 + 60 * MINUTE) }, {}],
      ['a base that the proxy never gave', { base: at(T0 - 5 * MINUTE) }, {}],
      ['no base', { base: undefined }, {}],
    ];
    for (const [why, change, more] of meetings) {
      test(`sees no conflict in ${why}`, async (outbox) => {
        const [receipt] = receiptsOf(await outbox.accept(batch([edit('a', true)])));
        await outbox.accept(batch([edit('a', false)], { now: T0 + SECOND }));
        const wish = { ...edit('a', true, { base: receipt?.updated_at as Timestamp }), ...change };

        const answer = await outbox.accept(batch([wish], { now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE, ...more }));

        assert.deepEqual(
          receiptsOf(answer).map(({ state }) => state),
          ['received'],
        );
      });
    }
  });

  describe(`${name}: delivery`, () => {
    test('offers what is due: hands before bulk, vendors in turn, then the order of acceptance', async (outbox) => {
      const many = (from: string): AcceptedEdit[] =>
        Array.from({ length: 21 }, (_, index) => edit(`${from}-${String(index).padStart(2, '0')}`, true));
      await outbox.accept(batch(many('bulk-a')));
      await outbox.accept(batch(many('bulk-b'), { vendor: 'vendor-b' }));
      await outbox.accept(batch([edit('hand-1', true), edit('hand-2', true)]));
      await outbox.accept(batch([edit('hand-3', true)], { vendor: 'vendor-b' }));

      const due = await outbox.due(await lease(outbox, T0), T0, 7);

      assert.deepEqual(
        due.map((one) => one.id),
        ['hand-1', 'hand-3', 'hand-2', 'bulk-a-00', 'bulk-b-00', 'bulk-a-01', 'bulk-b-01'],
      );
    });

    test('counts attempts, and does not offer again what is under way', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const held = await lease(outbox, T0);

      const open = await attempt(outbox, held, T0);

      assert.deepEqual(
        open.map((one) => [one.id, one.attempts]),
        [['a', 1]],
      );
      assert.deepEqual(await outbox.due(held, T0, 10), []);
    });

    test('keeps the stamp on every resend', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const first = await round(outbox, T0, waits(T0 + MINUTE, true));

      const second = await round(outbox, T0 + MINUTE, delivered);

      assert.equal(second[0]?.updated_at, first[0]?.updated_at);
      assert.equal(second[0]?.attempts, 2);
    });

    test('tells by the receipt why an edit waits, and when it is due', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));

      await round(outbox, T0, waits(T0 + MINUTE));

      const [receipt] = await outbox.receipts(askerOf('vendor-a'), [wish.edit_id]);
      assert.deepEqual([receipt?.state, receipt?.delayed, receipt?.reason], ['received', true, 'portal_error']);
      assert.equal(await outbox.nextDueAt(), T0 + MINUTE);
    });

    test('parks what the portal refuses, unless a newer wish has taken its place', async (outbox) => {
      const [alone, older, newer] = [edit('a', true), edit('b', true), edit('b', false)];
      await outbox.accept(batch([alone, older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.accept(batch([newer]));

      await outbox.settle(held, open.map(refused), T0);

      assert.deepEqual(await statesOf(outbox, alone, older, newer), ['refused', 'superseded', 'received']);
    });

    test('lets a newer wish replace a parked one', async (outbox) => {
      const [parked, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([parked]));
      await round(outbox, T0, refused);

      await outbox.accept(batch([newer]));

      assert.deepEqual(await statesOf(outbox, parked, newer), ['superseded', 'received']);
    });

    test('opens a part of an open attempt again, as when a batch is split', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const held = await lease(outbox, T0);
      const whole = await attempt(outbox, held, T0);

      const half = await outbox.beginAttempt(held, whole.slice(0, 1), T0);

      assert.deepEqual(
        half.map(({ id, attempts }) => [id, attempts]),
        [['a', 2]],
      );
    });

    test('brings back what was parked for nothing, unless something newer took its place', async (outbox) => {
      const [back, replaced] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([back, replaced]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.settle(held, open.map(refused), T0);
      await outbox.accept(batch([edit('b', false)]));

      await outbox.reopen(held, open, 'portal_refuses', T0 + SECOND);

      assert.deepEqual(await statesOf(outbox, back, replaced), ['received', 'superseded']);
      assert.deepEqual(
        (await outbox.due(held, T0 + SECOND, 9)).map((one) => [one.id, one.available]),
        [
          ['a', true],
          ['b', false],
        ],
      );
    });

    test('holds nothing that was accepted while the clock was ahead', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { now: T0 + 24 * 60 * MINUTE }));

      const due = await outbox.due(await lease(outbox, T0), T0, 9);

      assert.equal(due.length, 1);
    });

    test('keeps the turn of what waits when it is written again, one by one and often', async (outbox) => {
      const own = ['a', 'b', 'c'];
      await outbox.accept(batch(own.map((id) => edit(id, true))));
      await outbox.accept(
        batch(
          ['x', 'y', 'z'].map((id) => edit(id, true)),
          { vendor: 'vendor-b' },
        ),
      );
      for (const available of [false, true, false]) {
        for (const id of own) await outbox.accept(batch([edit(id, available)]));
      }

      const due = await outbox.due(await lease(outbox, T0), T0, 9);

      assert.deepEqual(
        due.map(({ id }) => id),
        ['x', 'a', 'y', 'b', 'z', 'c'],
      );
    });

    test('lets nothing wait for a clock that has been set back', async (outbox) => {
      const [paused, older, newer] = [edit('a', true), edit('b', true), edit('b', false)];
      await outbox.accept(batch([paused, older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.settle(held, open.map(waits(T0 + SECOND, true)), T0);
      await outbox.accept(batch([newer]));
      const later = await attempt(outbox, held, T0 + SECOND);
      await outbox.settle(
        held,
        later.map((one) => (one.id === 'a' ? waits(T0 + MINUTE)(one) : delivered(one))),
        T0 + SECOND,
      );
      const last = await attempt(outbox, held, T0 + SECOND);
      await outbox.settle(held, last.map(delivered), T0 + SECOND);
      await outbox.releaseLease(held, { failures: 1, notBefore: T0 + MINUTE });
      const setBack = T0 - 24 * 60 * MINUTE;

      await outbox.capDelays(setBack, 60 * MINUTE);

      const due = await outbox.due(await lease(outbox, setBack), setBack, 9);
      assert.deepEqual(due.map((one) => [one.id, one.again]).sort(), [
        ['a', false],
        ['b', true],
      ]);
    });

    test('says the newest value once more when an attempt of an older one may land after it', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([newer]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);

      assert.equal(await outbox.nextDueAt(), T0 + WANT.unsureMs);
      const again = await round(outbox, T0 + WANT.unsureMs, delivered);

      assert.deepEqual(
        again.map((one) => [one.available, one.again]),
        [[false, true]],
      );
      assert.deepEqual(await statesOf(outbox, older, newer), ['delivered', 'delivered']);
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('tells of each edit that leaves whether an older one of its item may land after it', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));

      const lost = await round(outbox, T0 + SECOND, delivered);
      const over = await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND, true));
      const resent = await round(outbox, T0 + WANT.unsureMs + MINUTE, delivered);
      await outbox.accept(batch([edit('a', true)]));
      const sure = await round(outbox, T0 + WANT.unsureMs + 2 * MINUTE, delivered);

      const told = (edits: readonly OpenEdit[]): unknown[] =>
        edits.map((one) => [one.id, one.available, one.isOverDoubt]).sort();
      assert.deepEqual(told(lost), [
        ['a', true, false],
        ['b', true, false],
      ]);
      assert.deepEqual([over, resent, sure].map(told), [
        [['a', false, true]],
        [['a', false, true]],
        [['a', true, false]],
      ]);
    });

    test('says the newest value once more also when a younger attempt was lost after the older one', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, waits(T0 + 3 * SECOND, true));
      await round(outbox, T0 + 3 * SECOND, delivered);

      assert.equal(await outbox.nextDueAt(), T0 + 2 * SECOND + WANT.unsureMs);
    });

    test('says the newest value once more when an older one can land no longer, though time-outs are shorter by now', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      const shorter = await leaseLane(outbox, { ...WANT, unsureMs: SECOND, now: T0 + SECOND });
      assert.ok(shorter);
      const open = await attempt(outbox, shorter, T0 + SECOND);
      await outbox.settle(shorter, open.map(waits(T0 + 2 * SECOND, true)), T0 + SECOND);
      await outbox.releaseLease(shorter, IDLE);
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([edit('a', false)]));

      await round(outbox, T0 + 3 * SECOND, delivered);

      assert.equal(await outbox.nextDueAt(), T0 + WANT.unsureMs);
    });

    test('says the newest value once more where an older one could land after the portal acted, and no more when it answered', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await round(outbox, T0 + SECOND, delivered);
      await outbox.accept(batch([edit('a', false)]));
      const held = await lease(outbox, T0 + 19 * SECOND);
      const open = await attempt(outbox, held, T0 + 19 * SECOND);
      await outbox.settle(held, open.map(delivered), T0 + 28 * SECOND);
      await outbox.releaseLease(held, IDLE);

      const again = await round(outbox, T0 + 28 * SECOND, delivered);

      assert.deepEqual(
        again.map((one) => [one.available, one.again]),
        [[false, true]],
      );
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('says no value once more where nothing older can land any longer', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await round(outbox, T0 + SECOND, delivered);
      const due = [await outbox.nextDueAt()];
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + MINUTE, delivered);
      due.push(await outbox.nextDueAt());
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0 + 2 * MINUTE, waits(T0 + 2 * MINUTE, true));
      await round(outbox, T0 + 2 * MINUTE, delivered);
      due.push(await outbox.nextDueAt());

      assert.deepEqual(due, [undefined, undefined, undefined]);
    });

    test('still says a value once more when the newer one, that was to replace it, is discarded', async (outbox) => {
      const [older, newer, dropped] = [edit('a', true), edit('a', false), edit('a', true)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([newer]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([dropped]));

      await outbox.decide({ by: 'person-b', editId: dropped.edit_id, verdict: { kind: 'discard' }, now: T0 });

      assert.equal(await outbox.nextDueAt(), T0 + WANT.unsureMs);
      const again = await round(outbox, T0 + WANT.unsureMs, delivered);
      assert.deepEqual(
        again.map((one) => [one.available, one.again]),
        [[false, true]],
      );
    });

    test('says it in time when the newer one is discarded after the clock was set back', async (outbox) => {
      const dropped = edit('a', true);
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([dropped]));
      const setBack = T0 - 24 * 60 * MINUTE;
      await outbox.capDelays(setBack, 60 * MINUTE);

      await outbox.decide({ by: 'person-b', editId: dropped.edit_id, verdict: { kind: 'discard' }, now: setBack });

      assert.ok(((await outbox.nextDueAt()) ?? Infinity) <= setBack);
    });

    test('says it once more only, however far the clock was set back since the attempt without an answer', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      const setBack = T0 - 24 * 60 * MINUTE;
      await outbox.capDelays(setBack, 60 * MINUTE);
      await round(outbox, setBack, delivered);
      await round(outbox, setBack, delivered);
      // However long the profile lets a call take, now or when it was made.
      const landed = setBack + 20 * MINUTE;
      assert.equal(await outbox.nextDueAt(), landed);
      await outbox.capDelays(setBack + 5 * MINUTE, 60 * MINUTE);

      const again = await round(outbox, landed, delivered);

      assert.deepEqual(
        again.map((one) => [one.available, one.again]),
        [[false, true]],
      );
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('says no value once more that a newer one has replaced since it was offered', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      const held = await lease(outbox, T0 + WANT.unsureMs);
      const due = await outbox.due(held, T0 + WANT.unsureMs, 9);
      await outbox.accept(batch([edit('a', true)]));

      const open = await outbox.beginAttempt(held, due, T0 + WANT.unsureMs);

      assert.deepEqual([due.length, open.length], [1, 0]);
    });

    test('still says a value once more when the newer one is refused, though all of it is old by then', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await round(outbox, T0 + SECOND, delivered);
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0 + 3 * SECOND, waits(T0 + 4 * SECOND));

      await outbox.prune({ settled: T0 + 10 * MINUTE, keys: T0 });
      await round(outbox, T0 + 4 * SECOND, refused);

      const again = await round(outbox, T0 + WANT.unsureMs, delivered);
      assert.deepEqual(
        again.map((one) => [one.available, one.again]),
        [[false, true]],
      );
    });

    test('says the value that stands with a new stamp when one is discarded that the portal may have taken', async (outbox) => {
      const [standing, doubtful] = [edit('a', true), edit('a', false)];
      const decision = { by: 'person-b', editId: doubtful.edit_id, now: T0 + 9 * MINUTE };
      const wish = { newId: 'said-again' as EditId, portalOffset: 0, stampUnit: 1 };
      await outbox.accept(batch([standing]));
      const [said] = await round(outbox, T0, delivered);
      await outbox.accept(batch([doubtful]));
      await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND, true));
      const [refusedOne] = await round(outbox, T0 + 2 * SECOND, refused);

      await outbox.decide({ ...decision, verdict: { kind: 'discard', standing: wish } });

      const [again] = await round(outbox, T0 + 9 * MINUTE, delivered);
      assert.deepEqual(
        [said?.available, refusedOne?.available, again?.available, again?.again],
        [true, false, true, false],
      );
      assert.ok(String(again?.updated_at) > String(refusedOne?.updated_at));
      assert.deepEqual(await statesOf(outbox, standing, doubtful), ['delivered', 'discarded']);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.edit_id, entry?.subject, entry?.retry_of], ['said-again', 'person-b', standing.edit_id]);
    });

    test('says the value that stands also when a doubtful one was sent again by a person before it is discarded', async (outbox) => {
      const [retried, said] = ['sent-again' as EditId, 'said-again' as EditId];
      const word = { by: 'person-b', now: T0 + 9 * MINUTE };
      const wish = { portalOffset: 0, stampUnit: 1 };
      const { standing, doubtful } = await refuseDoubtful(outbox);
      const retry = { kind: 'retry', newId: retried, ...wish } as const;
      await outbox.decide({ ...word, editId: doubtful.edit_id, verdict: retry });
      await round(outbox, T0 + 9 * MINUTE, refused);

      await outbox.decide({
        ...word,
        editId: retried,
        verdict: { kind: 'discard', standing: { newId: said, ...wish } },
      });

      const [again] = await round(outbox, T0 + 10 * MINUTE, delivered);
      assert.deepEqual([again?.available, again?.again], [true, false]);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.edit_id, entry?.retry_of, entry?.state], [said, standing.edit_id, 'delivered']);
    });

    test('says the value that stands once, and not again when that is refused and discarded, too', async (outbox) => {
      const { standing, doubtful } = await refuseDoubtful(outbox);
      await discardDoubtful(outbox, doubtful.edit_id, 'said-first', T0 + MINUTE);
      await round(outbox, T0 + MINUTE, refused);

      await discardDoubtful(outbox, 'said-first', 'said-second', T0 + MINUTE);

      assert.equal(await outbox.nextDueAt(), undefined);
      assert.deepEqual(await statesOf(outbox, standing, doubtful), ['delivered', 'discarded']);
    });

    test('says the value that stands, however often it is discarded before anybody has tried to say it', async (outbox) => {
      const { standing, doubtful } = await refuseDoubtful(outbox);
      await discardDoubtful(outbox, doubtful.edit_id, 'said-first', T0 + MINUTE);

      await discardDoubtful(outbox, 'said-first', 'said-second', T0 + MINUTE);

      const said = await round(outbox, T0 + MINUTE, delivered);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual(
        said.map((one) => [one.available, one.again]),
        [[true, false]],
      );
      assert.deepEqual([entry?.edit_id, entry?.retry_of], ['said-second', standing.edit_id]);
    });

    test('says the value that stands when the portal may have taken one that was replaced, though it can land no longer', async (outbox) => {
      const newest = edit('a', true);
      const { standing } = await refuseDoubtful(outbox);
      await outbox.accept(batch([newest]));
      await round(outbox, T0 + MINUTE, waits(T0 + MINUTE, true));
      await round(outbox, T0 + MINUTE, refused);

      await discardDoubtful(outbox, newest.edit_id, 'said-again', T0 + MINUTE);

      const said = await round(outbox, T0 + 2 * MINUTE, delivered);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual(
        said.map((one) => [one.available, one.again]),
        [[true, false]],
      );
      assert.deepEqual([entry?.edit_id, entry?.retry_of], ['said-again', standing.edit_id]);
    });

    test('says a value once more at its time, though it was told to say it sooner', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      // As after a reload with a shorter timeout.
      await outbox.capDelays(T0 + 3 * SECOND, SECOND);

      const early = await round(outbox, T0 + 3 * SECOND, delivered);

      assert.deepEqual(
        early.map((one) => [one.available, one.again]),
        [[false, true]],
      );
      assert.equal(await outbox.nextDueAt(), T0 + WANT.unsureMs);
      const inTime = await round(outbox, T0 + WANT.unsureMs, delivered);
      assert.deepEqual([inTime.length, await outbox.nextDueAt()], [1, undefined]);
    });

    test('takes an answer that cannot be read for a yes, too, and expects nothing more of that call', async (outbox) => {
      const { doubtful } = await refuseDoubtful(outbox, 'answered');

      await discardDoubtful(outbox, doubtful.edit_id, 'said-again', T0 + 3 * SECOND);

      const [said] = await round(outbox, T0 + 3 * SECOND, delivered);
      assert.deepEqual([said?.available, said?.again, await outbox.nextDueAt()], [true, false, undefined]);
    });

    test('says the value that stands when one like it is discarded, which was to replace one that the portal may have taken', async (outbox) => {
      const untried = edit('a', true);
      const { standing, doubtful } = await refuseDoubtful(outbox);
      await outbox.accept(batch([untried]));

      await discardDoubtful(outbox, untried.edit_id, 'said-again', T0 + 3 * SECOND);

      const said = await round(outbox, T0 + MINUTE, delivered);
      assert.deepEqual(
        said.map((one) => [one.available, one.again]),
        [[true, false]],
      );
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.edit_id, entry?.retry_of], ['said-again', standing.edit_id]);
      assert.deepEqual(await statesOf(outbox, standing, doubtful, untried), ['delivered', 'superseded', 'discarded']);
    });

    test('says nothing again when one is discarded that the portal has refused and nothing else', async (outbox) => {
      const clean = edit('a', false);
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, delivered);
      await outbox.accept(batch([clean]));
      await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND));
      await round(outbox, T0 + 2 * SECOND, refused);

      await discardDoubtful(outbox, clean.edit_id, 'said-again', T0 + MINUTE);

      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('parks what the portal refuses when the newer wish was discarded meanwhile', async (outbox) => {
      const [older, dropped] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.accept(batch([dropped]));
      await outbox.decide({ by: 'person-b', editId: dropped.edit_id, verdict: { kind: 'discard' }, now: T0 });

      await outbox.settle(held, open.map(refused), T0);

      assert.deepEqual(await statesOf(outbox, older, dropped), ['refused', 'discarded']);
    });

    test('knows when it may take over from a holder who is gone', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));

      await attempt(outbox, await lease(outbox, T0), T0);

      assert.equal(await outbox.nextDueAt(), T0 + WANT.leaseMs);
    });

    test('keeps a lane for one holder, and takes it back when the lease runs out', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await lease(outbox, T0);

      const early = await leaseLane(outbox, { ...WANT, now: T0 + WANT.leaseMs - 1 });
      const late = await leaseLane(outbox, { ...WANT, now: T0 + WANT.leaseMs });

      assert.equal(early, undefined);
      assert.ok(late);
    });

    test('lets a holder who lost the lease change nothing', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));
      const lost = await lease(outbox, T0);
      const open = await attempt(outbox, lost, T0);
      await lease(outbox, T0 + 2 * WANT.leaseMs);

      await assert.rejects(outbox.settle(lost, open.map(delivered), T0), LeaseLost);
      await assert.rejects(outbox.beginAttempt(lost, open, T0), LeaseLost);
      await assert.rejects(outbox.due(lost, T0, 9), LeaseLost);
      await assert.rejects(outbox.releaseLease(lost, IDLE), LeaseLost);

      assert.deepEqual(await statesOf(outbox, wish), ['received']);
    });

    test('lets a holder who lost the lease bring back nothing that was parked', async (outbox) => {
      const [parked, waiting] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([parked, waiting]));
      const lost = await lease(outbox, T0);
      const open = await attempt(outbox, lost, T0);
      const endings = open.map((one) => (one.id === 'a' ? refused(one) : waits(T0)(one)));
      await outbox.settle(lost, endings, T0);
      await lease(outbox, T0 + 2 * WANT.leaseMs);

      await assert.rejects(outbox.reopen(lost, open, 'portal_refuses', T0), LeaseLost);

      assert.deepEqual(await statesOf(outbox, parked, waiting), ['refused', 'received']);
    });

    test('keeps a lane longer for a holder who goes on sending', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const sentAt = T0 + WANT.leaseMs / 2;
      await attempt(outbox, await lease(outbox, T0), sentAt);

      const early = await leaseLane(outbox, { ...WANT, now: sentAt + WANT.leaseMs - 1 });
      const late = await leaseLane(outbox, { ...WANT, now: sentAt + WANT.leaseMs });

      assert.equal(early, undefined);
      assert.ok(late);
    });

    test('settles an attempt once, whatever is said of it later', async (outbox) => {
      const [taken, other] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([taken, other]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.settle(held, open.filter(({ id }) => id === 'a').map(delivered), T0);

      await outbox.settle(held, open.map(refused), T0);

      assert.deepEqual(await statesOf(outbox, taken, other), ['delivered', 'refused']);
    });

    test('offers again what a lost holder left open, as of unknown outcome', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await attempt(outbox, await lease(outbox, T0), T0);
      const later = T0 + 2 * WANT.leaseMs;
      await outbox.accept(batch([newer]));

      await round(outbox, later, delivered);
      await round(outbox, later, delivered);

      assert.equal(await outbox.nextDueAt(), later + WANT.unsureMs, 'the newer value is said once more');
    });

    test('keeps lanes apart', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { lane: 'one' }));
      await outbox.accept(batch([edit('b', true)], { lane: 'two', vendor: 'vendor-b' }));
      const [first, second] = [await lease(outbox, T0), await lease(outbox, T0)];

      const due = [await outbox.due(first, T0, 10), await outbox.due(second, T0, 10)];

      assert.deepEqual(new Set([first.lane, second.lane]), new Set(['one', 'two']));
      assert.deepEqual(
        due.map((edits) => edits.length),
        [1, 1],
      );
    });

    test('hands the state of a lane to its next holder, and leaves a pausing lane alone', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const state: LaneState = { held: 'portal_credentials', failures: 3, notBefore: T0 + MINUTE, provenBy: 'x' };
      await outbox.releaseLease(await lease(outbox, T0), state);

      const early = await leaseLane(outbox, { ...WANT, now: T0 + SECOND });
      const next = await lease(outbox, T0 + MINUTE);

      assert.equal(early, undefined);
      assert.deepEqual(next.state, state);
    });

    test('keeps a wait and a proof that are noted in the middle of a visit, though its holder is killed', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const refusals = { code: '422 "no"', edits: [], wronged: [] };
      const first = await lease(outbox, T0);
      await outbox.releaseLease(first, { ...IDLE, failures: 2, provenBy: 'x', refusals });
      const killed = await lease(outbox, T0);
      const ends = T0 + WANT.leaseMs;

      await outbox.settle(killed, [], T0, { notBefore: ends + SECOND });
      await outbox.settle(killed, [], T0, { provenBy: 'y' });

      assert.equal(await leaseLane(outbox, { ...WANT, now: ends }), undefined);
      const next = await lease(outbox, ends + SECOND);
      assert.deepEqual(next.state, { failures: 2, provenBy: 'y', refusals, notBefore: ends + SECOND });
    });

    test('hands on which refusals were in a row, from the moment they were settled', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const killed = await lease(outbox, T0);
      const [open, other] = await attempt(outbox, killed, T0);
      assert.ok(open && other);
      const { seq, vendor, id } = open;
      const refusals = { code: '422 "no"', edits: [{ seq, vendor, id }], wronged: [] };
      await outbox.settle(killed, [refused(open)], T0, { refusals });
      await outbox.settle(killed, [waits(T0)(other)], T0);

      const next = await lease(outbox, T0 + WANT.leaseMs);
      const late = outbox.settle(killed, [], T0, { refusals: { ...refusals, edits: [] } });
      await assert.rejects(late, LeaseLost);
      await outbox.releaseLease(next, { ...IDLE, refusals });
      const last = await lease(outbox, T0 + WANT.leaseMs);
      await outbox.releaseLease(last, IDLE);
      const none = await lease(outbox, T0 + WANT.leaseMs);

      assert.deepEqual(
        [next, last, none].map(({ state }) => state.refusals),
        [refusals, refusals, undefined],
      );
    });

    test('lets a lane be tried at once that is held for a credential which is none of those named', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const state: LaneState = { held: 'portal_credentials', failures: 0, notBefore: T0 + MINUTE, provenBy: 'old' };
      await outbox.releaseLease(await lease(outbox, T0), state);

      await outbox.retryHeld(T0, { credentials: ['new', 'old'], baseUrl: 'https://portal.test' });
      const same = await leaseLane(outbox, { ...WANT, now: T0 });
      await outbox.retryHeld(T0, { credentials: ['new', 'newer'], baseUrl: 'https://portal.test' });
      const other = await lease(outbox, T0);

      assert.equal(same, undefined);
      assert.deepEqual(other.state, { ...state, notBefore: T0 });
    });

    test('keeps the pause of a lane that is not held, whoever used it at this portal', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const pausing = { failures: 1, notBefore: T0 + MINUTE, provenBy: 'https://portal.test old' };
      await outbox.releaseLease(await lease(outbox, T0), pausing);

      await outbox.retryHeld(T0, { credentials: ['new'], baseUrl: 'https://portal.test' });

      assert.equal(await leaseLane(outbox, { ...WANT, now: T0 }), undefined);
    });

    test('lets a lane be tried at once that pauses for another portal', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const pausing = { failures: 7, notBefore: T0 + MINUTE, provenBy: 'unproven https://portal.test old' };
      await outbox.releaseLease(await lease(outbox, T0), pausing);

      await outbox.retryHeld(T0, { credentials: ['new'], baseUrl: 'https://portal.tes' });
      const other = await lease(outbox, T0);

      assert.deepEqual(other.state, { ...pausing, notBefore: T0 });
    });

    test('tells people when an edit was settled by their clock, and keeps its own waits by the other', async (outbox) => {
      const [a, b, again] = [edit('a', true), edit('b', true), edit('a', false)];
      await outbox.accept(batch([a, b]));
      await round(outbox, T0, (open) => (open.id === 'a' ? waits(T0, true)(open) : refused(open)));
      await outbox.accept(batch([again]));
      const settledAt = T0 + 24 * 60 * MINUTE;

      await round(outbox, T0, (open) => ({ ...delivered(open), settledAt }));
      await round(outbox, T0, (open) => ({ ...delivered(open), settledAt }));

      const entries = await outbox.history('vendor-a', { limit: 9 });
      assert.deepEqual(
        entries.map(({ id, settled_at }) => [id, settled_at]),
        [
          ['a', at(settledAt)],
          ['b', at(T0)],
          ['a', at(settledAt)],
        ],
      );
      const said = await outbox.nextDueAt();
      assert.ok(said !== undefined && said <= T0 + WANT.unsureMs);
    });

    test('gives a lane to nobody while it rests after its release', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await outbox.releaseLease(await lease(outbox, T0), IDLE, { now: T0, forMs: 499.5 });

      const next = await outbox.nextDueAt();
      const early = await leaseLane(outbox, { ...WANT, now: T0 + 499 });

      assert.ok(next !== undefined && next > T0 + 499 && next <= T0 + 500);
      assert.equal(early, undefined);
      await lease(outbox, T0 + 500);
    });

    test('leaves out of an attempt what was superseded after it was offered', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const held = await lease(outbox, T0);
      const due = await outbox.due(held, T0, 10);
      await outbox.accept(batch([edit('a', false)]));

      const open = await outbox.beginAttempt(held, due, T0);

      assert.deepEqual(
        open.map((one) => one.id),
        ['b'],
      );
    });
  });

  describe(`${name}: lanes that settings change`, () => {
    const ofItsOwn = (vendor: string): string => (vendor === 'vendor-a' ? vendor : '');

    test('moves what waits, hand-made and bulk, and leaves the lanes of others alone', async (outbox) => {
      const many = Array.from({ length: 21 }, (_, index) => edit(`bulk-${String(index)}`, true));
      await outbox.accept(batch(many));
      await outbox.accept(batch([edit('hand', true)]));
      await outbox.accept(batch([edit('other', true)], { vendor: 'vendor-b' }));

      await outbox.moveLanes(ofItsOwn, T0);

      const due: [lane: string, first: string | undefined, edits: number][] = [];
      for (let lanes = 0; lanes < 2; lanes += 1) {
        const held = await lease(outbox, T0);
        const edits = await outbox.due(held, T0, 99);
        due.push([held.lane, edits[0]?.id, edits.length]);
      }
      assert.deepEqual(due.sort(), [
        ['', 'other', 1],
        ['vendor-a', 'hand', 22],
      ]);
    });

    test('keeps the order of an item, its pause, and what is known of a late landing', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));

      await outbox.moveLanes(ofItsOwn, T0);

      assert.equal(await outbox.nextDueAt(), T0 + SECOND);
      const sent: (readonly [string, boolean, boolean])[] = [];
      for (const now of [T0 + SECOND, T0 + 2 * SECOND, T0 + WANT.unsureMs]) {
        const held = await lease(outbox, now);
        const open = await attempt(outbox, held, now);
        await outbox.settle(held, open.map(delivered), now);
        await outbox.releaseLease(held, IDLE);
        sent.push(...open.map((one) => [held.lane, one.available, one.again] as const));
      }
      assert.deepEqual(sent, [
        ['vendor-a', true, false],
        ['vendor-a', false, false],
        ['vendor-a', false, true],
      ]);
    });

    test('moves a value that is going to be said again', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + SECOND, delivered);

      await outbox.moveLanes(ofItsOwn, T0);

      const held = await lease(outbox, T0 + WANT.unsureMs);
      const due = await outbox.due(held, T0 + WANT.unsureMs, 9);
      assert.deepEqual([held.lane, due.map(({ again }) => again)], ['vendor-a', [true]]);
    });

    test('leaves an open attempt where it is, and lets no newer wish of the item overtake it', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.accept(batch([newer], { lane: 'vendor-a' }));

      await outbox.moveLanes(ofItsOwn, T0);
      const early = await leaseLane(outbox, { ...WANT, now: T0 });
      await outbox.settle(held, open.map(delivered), T0);
      await outbox.releaseLease(held, IDLE);

      assert.equal(early, undefined);
      const next = await lease(outbox, T0);
      assert.equal(next.lane, 'vendor-a');
      assert.deepEqual(
        (await outbox.due(next, T0, 9)).map(({ available }) => available),
        [false],
      );
    });

    test('moves what a lost holder left open as soon as the lane has another', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await attempt(outbox, await lease(outbox, T0), T0);
      const later = T0 + WANT.leaseMs;
      const held = await lease(outbox, later);

      await outbox.moveLanes(ofItsOwn, T0);

      assert.deepEqual([held.lane, await outbox.due(held, later, 9)], ['', []]);
      assert.equal((await lease(outbox, later)).lane, 'vendor-a');
    });

    test('leaves out of an attempt what was moved after it was offered', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const held = await lease(outbox, T0);
      const due = await outbox.due(held, T0, 9);

      await outbox.moveLanes(ofItsOwn, T0);

      assert.deepEqual(await outbox.beginAttempt(held, due, T0), []);
    });

    test('counts no lane as held that has nothing left to do', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const held = await lease(outbox, T0);
      await outbox.releaseLease(held, { ...IDLE, held: 'portal_credentials', notBefore: T0 + MINUTE });
      const before = await outbox.heldLanes();

      await outbox.moveLanes(ofItsOwn, T0);

      assert.deepEqual([before.size, (await outbox.heldLanes()).size], [1, 0]);
    });
  });

  describe(`${name}: decisions of people`, () => {
    test('retries a parked edit as a new one, after all others of its item', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));
      await round(outbox, T0, refused);
      const newId = 'edit-again' as EditId;

      const decided = await outbox.decide({
        vendor: 'vendor-a',
        by: 'person-b',
        editId: wish.edit_id,
        verdict: { kind: 'retry', newId, portalOffset: 0, stampUnit: 1 },
        now: T0 + MINUTE,
      });

      assert.equal(decided.kind === 'decided' && decided.receipt.edit_id, newId);
      assert.deepEqual(await statesOf(outbox, wish, { ...wish, edit_id: newId }), ['superseded', 'received']);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.retry_of, entry?.subject, entry?.to], [wish.edit_id, 'person-b', true]);
    });

    test('retries nothing of an item that is named as another vendor’s by now', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));
      await round(outbox, T0, refused);

      const decided = await outbox.decide({
        by: 'operator',
        editId: wish.edit_id,
        verdict: { kind: 'retry', newId: 'edit-again' as EditId, portalOffset: 0, stampUnit: 1 },
        isAnothers: (vendor, id) => vendor === 'vendor-a' && id === 'a',
        now: T0 + MINUTE,
      });

      assert.equal(decided.kind, 'item_unknown');
      assert.deepEqual(await statesOf(outbox, wish), ['refused']);
    });

    test('discards until the first attempt or when parked, and notes who did', async (outbox) => {
      const [untried, parked, gone] = [edit('a', true), edit('b', true), edit('c', true)];
      await outbox.accept(batch([parked]));
      await round(outbox, T0, refused);
      await outbox.accept(batch([gone]));
      await round(outbox, T0, waits(T0 + MINUTE));
      await outbox.accept(batch([untried]));
      const discard = (wish: AcceptedEdit) =>
        outbox.decide({
          vendor: 'vendor-a',
          by: 'person-b',
          editId: wish.edit_id,
          verdict: { kind: 'discard' },
          now: T0,
        });

      const answers = [await discard(untried), await discard(parked), await discard(gone)];

      assert.deepEqual(
        answers.map((answer) => answer.kind),
        ['decided', 'decided', 'edit_settled'],
      );
      assert.deepEqual(await statesOf(outbox, untried, parked, gone), ['discarded', 'discarded', 'received']);
      const [entry] = await outbox.history('vendor-a', { item: 'b' as ItemId, limit: 1 });
      assert.equal(entry?.decided_by, 'person-b');
    });

    test('decides nothing for another vendor, and anything for an operator', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));
      const decision = { by: 'someone', editId: wish.edit_id, verdict: { kind: 'discard' } as const, now: T0 };

      const foreign = await outbox.decide({ ...decision, vendor: 'vendor-b' });
      const operator = await outbox.decide(decision);

      assert.deepEqual([foreign.kind, operator.kind], ['edit_unknown', 'decided']);
    });
  });

  describe(`${name}: an edit id that two vendors have`, () => {
    test('is decided for the vendor that is named, and for nobody where none is', async (outbox) => {
      const wish = edit('a', true);
      await outbox.accept(batch([wish]));
      await outbox.accept(batch([{ ...wish, id: 'b' as ItemId }], { vendor: 'vendor-b' }));
      const decision = { by: 'operator', editId: wish.edit_id, verdict: { kind: 'discard' } as const, now: T0 };

      const unnamed = await outbox.decide(decision);
      const untouched = await statesOf(outbox, wish);
      const named = await outbox.decide({ ...decision, vendor: 'vendor-b' });

      assert.equal(unnamed.kind, 'edit_ambiguous');
      assert.deepEqual([...(unnamed.kind === 'edit_ambiguous' ? unnamed.vendors : [])].sort(), [
        'vendor-a',
        'vendor-b',
      ]);
      assert.deepEqual([untouched, named.kind, await statesOf(outbox, wish)], [['received'], 'decided', ['received']]);
    });
  });

  describe(`${name}: reading`, () => {
    test('lists the items of one vendor page by page, with the newest edit that counts', async (outbox) => {
      await outbox.accept(batch(['d', 'b', 'a', 'c'].map((id) => edit(id, true, { label: `Label ${id}` }))));
      await outbox.accept(batch([edit('x', true)], { vendor: 'vendor-b' }));
      await outbox.accept(batch([edit('b', false)]));

      const first = await outbox.list(askerOf('vendor-a'), { limit: 3 });
      const second = await outbox.list(askerOf('vendor-a'), { limit: 3, after: first.at(-1)?.id });

      assert.deepEqual(
        [...first, ...second].map(({ id, available, label }) => [id, available, label]),
        [
          ['a', true, 'Label a'],
          ['b', false, 'Label b'],
          ['c', true, 'Label c'],
          ['d', true, 'Label d'],
        ],
      );
    });

    test('lists what changed since a revision, settlements included', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const before = Math.max(...(await outbox.list(askerOf('vendor-a'), { limit: 9 })).map((item) => item.revision));
      await outbox.accept(batch([edit('c', true)]));
      const held = await lease(outbox, T0);
      const open = await outbox.beginAttempt(
        held,
        (await outbox.due(held, T0, 9)).filter((one) => one.id === 'a'),
        T0,
      );
      await outbox.settle(held, open.map(delivered), T0);

      const changed = await outbox.list(askerOf('vendor-a'), { limit: 9, since: before });

      assert.deepEqual(
        changed.map(({ id, state }) => [id, state]),
        [
          ['c', 'received'],
          ['a', 'delivered'],
        ],
      );
    });

    test('names among what changed an item of which every edit was discarded, and in no other list', async (outbox) => {
      const [older, newer, kept] = [edit('a', true), edit('a', false), edit('b', true)];
      await outbox.accept(batch([kept]));
      await outbox.accept(batch([older]));
      await outbox.accept(batch([newer]));
      const before = await outbox.revision('vendor-a');
      await outbox.decide({ by: 'person-b', editId: newer.edit_id, verdict: { kind: 'discard' }, now: T0 });

      const changed = await outbox.list(askerOf('vendor-a'), { limit: 9, since: before });
      const whole = await outbox.list(askerOf('vendor-a'), { limit: 9 });

      assert.deepEqual(
        changed.map((item) => JSON.stringify(item)),
        [JSON.stringify({ id: 'a', revision: before + 1 })],
      );
      assert.equal(await outbox.revision('vendor-a'), before + 1);
      assert.deepEqual(
        whole.map(({ id }) => id),
        ['b'],
      );
      await outbox.accept(batch([edit('a', true)]));
      const [again] = await outbox.list(askerOf('vendor-a'), { limit: 9, since: before });
      assert.deepEqual([again?.id, again?.state], ['a', 'received']);
    });

    test('tells when the portal took an edit, of one that it has and of no other', async (outbox) => {
      const [late, refusedOne, waiting] = [edit('a', true), edit('b', true), edit('c', true)];
      await outbox.accept(batch([late, refusedOne, waiting]));
      await round(outbox, T0 + MINUTE, waits(T0 + 9 * MINUTE));
      const endings = { a: delivered, b: refused, c: waits(T0 + 20 * MINUTE) } as Record<string, typeof delivered>;
      await round(outbox, T0 + 10 * MINUTE, (open) => (endings[open.id] ?? delivered)(open));

      const items = await outbox.list(askerOf('vendor-a'), { limit: 9 });
      const receipts = await outbox.receipts(
        askerOf('vendor-a'),
        [late, refusedOne, waiting].map((one) => one.edit_id),
      );

      for (const told of [items, receipts]) {
        assert.deepEqual(
          told.map(({ id, state, updated_at, settled_at }) => [id, state, updated_at, settled_at]),
          [
            ['a', 'delivered', at(T0), at(T0 + 10 * MINUTE)],
            ['b', 'refused', at(T0), undefined],
            ['c', 'received', at(T0), undefined],
          ],
        );
      }
    });

    test('tells who changed what, from, to, and with which outcome, newest first', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { name: 'Person A' }));
      await round(outbox, T0 + 5, delivered);
      await outbox.accept(batch([edit('a', false)], { subject: 'person-b', now: T0 + MINUTE }));

      const entries = await outbox.history('vendor-a', { limit: 9 });

      assert.deepEqual(
        entries.map(({ subject, name: who, from, to, state, settled_at }) => [
          subject,
          who,
          from,
          to,
          state,
          settled_at,
        ]),
        [
          ['person-b', undefined, true, false, 'received', undefined],
          ['person-a', 'Person A', undefined, true, 'delivered', at(T0 + 5)],
        ],
      );
      assert.equal((await outbox.history('vendor-a', { limit: 9, before: entries[0]?.seq })).length, 1);
      assert.deepEqual(await outbox.history('vendor-b', { limit: 9 }), []);
    });

    test('shows the operator what waits, over all vendors, and counts every accepted edit once', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      await round(outbox, T0, (open) => (open.id === 'a' ? delivered(open) : refused(open)));
      await outbox.accept(batch([edit('c', true)], { vendor: 'vendor-b' }));
      await outbox.accept(batch([edit('c', false)], { vendor: 'vendor-b', now: T0 + SECOND }));

      const waiting = await outbox.waiting({ limit: 9 });
      const count = await outbox.count();

      assert.deepEqual(
        waiting.map(({ id, vendor, state }) => [id, vendor, state]),
        [
          ['b', 'vendor-a', 'refused'],
          ['c', 'vendor-b', 'received'],
        ],
      );
      const { accepted, received, delivered: done, parked, superseded, discarded, pruned, oldestWaiting } = count;
      assert.deepEqual([accepted, received, done, parked, superseded], [4, 1, 1, 1, 1]);
      assert.equal(accepted, received + done + parked + superseded + discarded + pruned);
      assert.equal(oldestWaiting, T0 + SECOND);
    });

    test('says about how many bytes the waiting edits take, with their labels and without what is settled', async (outbox) => {
      const bytes: number[] = [await outbox.waitingBytes()];
      const labels = ['Kayak', 'K'.repeat(405), 'Kayak'];
      const add = async (prefix: string): Promise<void> => {
        const edits = Array.from({ length: 300 }, (_, at) =>
          edit(`${prefix}-${String(at)}`, true, { label: labels[Math.floor(at / 100)] }),
        );
        await outbox.accept(batch(edits));
        await outbox.history('vendor-a', { limit: 1 });
        bytes.push(await outbox.waitingBytes());
      };

      await add('old');
      await round(outbox, T0, delivered);
      bytes.push(await outbox.waitingBytes());
      await add('new');

      const [before, some, after, again] = bytes;
      assert.deepEqual([before, after], [0, 0]);
      // 300 for the numbers of an edit, and twice its texts: less than 200 bytes, and 400 more of one label in three.
      for (const told of [some ?? 0, again ?? 0]) {
        const each = told / 300 - (2 * 400) / 3;
        assert.ok(each > 350 && each < 500, `${String(each)} bytes each`);
      }
    });

    test('tells the operator how many lanes are held, and why', async (outbox) => {
      const lanes = ['one', 'two', 'three', 'four'];
      for (const lane of lanes) await outbox.accept(batch([edit(`item-${lane}`, true)], { lane, vendor: lane }));
      const reasons = ['portal_credentials', 'portal_credentials', 'portal_refuses', undefined];

      for (const held of reasons) {
        await outbox.releaseLease(await lease(outbox, T0), { ...IDLE, held, notBefore: T0 + MINUTE });
      }

      const held = await outbox.heldLanes();
      assert.deepEqual(
        new Map([...held].sort()),
        new Map([
          ['portal_credentials', 2],
          ['portal_refuses', 1],
        ]),
      );
    });

    test('forgets what is old and settled, and never the newest edit of an item or one that waits', async (outbox) => {
      const old = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([old[0] as AcceptedEdit]));
      await round(outbox, T0, delivered);
      await outbox.accept(batch([old[1] as AcceptedEdit]));
      await round(outbox, T0, delivered);
      const waiting = edit('b', true);
      await outbox.accept(batch([waiting]));

      await outbox.prune({ settled: T0 + MINUTE, keys: T0 + MINUTE });

      assert.deepEqual(await statesOf(outbox, ...old, waiting), ['delivered', 'received']);
      const count = await outbox.count();
      assert.deepEqual([count.accepted, count.pruned], [3, 1]);
    });

    test('keeps how far the portal’s clock is from ours, either way, as it was last noted', async (outbox) => {
      const told = [await outbox.portalOffset(T0)];

      for (const offset of [-10 * MINUTE, 3 * 24 * 60 * MINUTE]) {
        await outbox.notePortalOffset(offset, T0);
        told.push(await outbox.portalOffset(T0));
      }

      // A database's clock moves on between the two.
      const [none, behind, ahead] = told;
      assert.equal(none, undefined);
      assert.ok(Math.abs((behind ?? 0) + 10 * MINUTE) < SECOND, String(behind));
      assert.ok(Math.abs((ahead ?? 0) - 3 * 24 * 60 * MINUTE) < SECOND, String(ahead));
    });

    test('tells its listeners of which vendor something changed', async (outbox) => {
      const heard: string[] = [];
      const stop = outbox.subscribe((vendor, elsewhere) => {
        if (elsewhere !== true) heard.push(vendor);
      });
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, delivered);
      stop();

      await outbox.accept(batch([edit('a', false)]));

      assert.deepEqual(heard, ['vendor-a', 'vendor-a']);
    });
  });
}
