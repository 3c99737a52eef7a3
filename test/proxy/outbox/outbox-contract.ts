import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId, Timestamp } from '../../../src/domain/item.js';
import {
  type AcceptBatchCommand,
  type AcceptResult,
  type AcceptedEdit,
  type LaneState,
  type Lease,
  LeaseLost,
  type OpenEdit,
  type Outbox,
  type AttemptOutcome,
} from '../../../src/proxy/outbox/outbox.js';
import { viewerOf } from '../../support/viewer.js';
import { leaseLane } from '../../support/lease-lane.js';

/** The contract of every store. Each test opens its own store and closes it. */
export interface OpenedOutbox {
  readonly outbox: Outbox;
  close(): Promise<void>;
}

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const WANT = { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND };
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

export function batch(edits: readonly AcceptedEdit[], more: Partial<AcceptBatchCommand> = {}): AcceptBatchCommand {
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
    timestampUnit: 1,
    ...more,
  };
}

function at(time: number): Timestamp {
  return new Date(time).toISOString() as Timestamp;
}

function receiptsOf(accepted: AcceptResult): Extract<AcceptResult, { kind: 'accepted' }>['receipts'] {
  assert.equal(accepted.kind, 'accepted');
  return accepted.kind === 'accepted' ? accepted.receipts : [];
}

async function lease(outbox: Outbox, now: number): Promise<Lease> {
  const leased = await leaseLane(outbox, { ...WANT, now });
  assert.ok(leased, 'there is a lane with due work');
  return leased;
}

/** Opens an attempt with all due edits. */
async function attempt(outbox: Outbox, held: Lease, now: number): Promise<readonly OpenEdit[]> {
  return outbox.beginAttempt(held, await outbox.due(held, now, 1000), now);
}

const delivered = (open: OpenEdit): AttemptOutcome => ({ edit: open, kind: 'delivered' });
const refused = (open: OpenEdit): AttemptOutcome => ({ edit: open, kind: 'refused', reason: 'item_refused' });
const waits = (dueAt: number, uncertain: boolean | 'answered' = false) => {
  return (open: OpenEdit): AttemptOutcome => ({
    edit: open,
    kind: 'waiting',
    reason: 'portal_error',
    dueAt,
    uncertain,
  });
};

/** A whole run over everything that is due at `now`. */
async function round(
  outbox: Outbox,
  now: number,
  settle: (open: OpenEdit) => AttemptOutcome,
): Promise<readonly OpenEdit[]> {
  const held = await lease(outbox, now);
  const open = await attempt(outbox, held, now);
  await outbox.recordOutcomes(held, open.map(settle), now);
  await outbox.releaseLease(held, IDLE);
  return open;
}

/** A delivered value, and a later one that the portal has refused in the end, and may have applied before. */
async function refuseDoubtful(
  outbox: Outbox,
  uncertain: true | 'answered' = true,
): Promise<{ readonly resend: AcceptedEdit; readonly doubtful: AcceptedEdit }> {
  const [resend, doubtful] = [edit('a', true), edit('a', false)];
  await outbox.accept(batch([resend]));
  await round(outbox, T0, delivered);
  await outbox.accept(batch([doubtful]));
  await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND, uncertain));
  await round(outbox, T0 + 2 * SECOND, refused);
  return { resend, doubtful };
}

/** @param newId of the edit that restores the delivered value, if one is needed */
async function discardDoubtful(outbox: Outbox, editId: string, newId: string, now: number): Promise<void> {
  const resend = { newId: newId as EditId, portalOffset: 0, timestampUnit: 1 };
  await outbox.decide({ by: 'person-b', editId: editId as EditId, verdict: { kind: 'discard', resend }, now });
}

async function statesOf(outbox: Outbox, ...edits: readonly AcceptedEdit[]): Promise<string[]> {
  const receipts = await outbox.receipts(
    viewerOf('vendor-a'),
    edits.map((one) => one.edit_id),
  );
  return receipts.map((receipt) => receipt.state);
}

/** Makes tests with their own outbox, which is closed afterwards. */
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
    test('returns a receipt for each edit in the order of the batch', async (outbox) => {
      const edits = [edit('b', true), edit('a', false)];

      const receipts = receiptsOf(await outbox.accept(batch(edits)));

      assert.deepEqual(
        receipts.map(({ id, edit_id, state }) => [id, edit_id, state]),
        [
          ['b', edits[0]?.edit_id, 'received'],
          ['a', edits[1]?.edit_id, 'received'],
        ],
      );
      assert.ok((receipts[0]?.seq ?? 0) < (receipts[1]?.seq ?? 0));
    });

    test('returns the current receipts for the same key and payload, and stores nothing twice', async (outbox) => {
      const request = batch([edit('a', true)]);
      await outbox.accept(request);
      await round(outbox, T0, delivered);

      const [receipt] = receiptsOf(await outbox.accept(request));

      assert.equal(receipt?.state, 'delivered');
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('rejects the same key with another payload', async (outbox) => {
      const request = batch([edit('a', true)]);
      await outbox.accept(request);

      const answer = await outbox.accept({ ...request, digest: 'other', edits: [edit('a', false)] });

      assert.equal(answer.kind, 'idempotency_key_reused');
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('scopes keys to vendor and subject', async (outbox) => {
      const request = batch([edit('a', true)]);
      await outbox.accept(request);

      const answers = [
        await outbox.accept({ ...request, subject: 'person-b', edits: [edit('b', true)], digest: 'x' }),
        await outbox.accept({ ...request, vendor: 'vendor-b', edits: [edit('c', true)], digest: 'y' }),
      ];

      assert.deepEqual(
        answers.map((answer) => answer.kind),
        ['accepted', 'accepted'],
      );
    });

    test('recognises an edit id under any key, and rejects it with other content', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));

      const same = await outbox.accept(batch([newEdit]));
      const other = await outbox.accept(batch([edit('b', true), { ...newEdit, available: false }]));

      assert.deepEqual(
        receiptsOf(same).map((receipt) => receipt.edit_id),
        [newEdit.edit_id],
      );
      assert.deepEqual(other, { kind: 'edit_id_reused', indices: [1] });
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('stores no edit of a batch that names an item of another vendor', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { vendor: 'vendor-b' }));

      const answer = await outbox.accept(batch([edit('b', true), edit('a', false)]));

      assert.deepEqual(answer, { kind: 'item_unknown', indices: [1] });
      assert.equal((await outbox.count()).accepted, 1);
    });

    test('gives each edit of an item a later timestamp than the one before, whatever the clock does', async (outbox) => {
      const times = [T0, T0, T0 - MINUTE, T0 + 5, T0 + 2];

      const stamps: number[] = [];
      for (const now of times) {
        const [receipt] = receiptsOf(await outbox.accept(batch([edit('a', true)], { now, portalOffset: 10 })));
        stamps.push(Date.parse(receipt?.updated_at ?? ''));
      }

      assert.deepEqual(stamps, [T0 + 10, T0 + 11, T0 + 12, T0 + 15, T0 + 16]);
    });

    test('supersedes an edit that was not tried by a newer one', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));

      await outbox.accept(batch([newer]));

      assert.deepEqual(await statesOf(outbox, older, newer), ['superseded', 'received']);
    });

    test('keeps the order if the older edit was tried already', async (outbox) => {
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

    test('puts an old edit into conflict with a newer other value, and delivers only the newer one', async (outbox) => {
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
      test(`puts an edit into conflict that is so old that ${what}`, async (outbox) => {
        await outbox.accept(batch([edit('a', false)]));
        const late = edit('a', true, { base, updated_at: at(T0 - 8 * DAY) });

        const answer = await outbox.accept(batch([late], { now: T0 + MINUTE, sentAt: T0 + MINUTE }));

        assert.deepEqual(
          receiptsOf(answer).map(({ state }) => state),
          ['conflict'],
        );
      });
    }

    test('an edit that the portal has only accepted is not due again, and is delivered after its time', async (outbox) => {
      const [older, other] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([older, other]));
      await round(outbox, T0, (open) => ({
        edit: open,
        kind: 'accepted',
        confirmAt: open.id === 'a' ? T0 + MINUTE : Infinity,
      }));
      const viewer = viewerOf('vendor-a');
      const states = async (): Promise<string[]> =>
        (await outbox.receipts(viewer, [older.edit_id, other.edit_id])).map(({ state }) => state);
      const lanes = await outbox.leaseLanes({ ...WANT, now: T0 + DAY }, 1);
      const next = await outbox.nextDueAt();
      await outbox.confirmAccepted(T0 + MINUTE - 1, T0);
      const before = await states();

      await outbox.confirmAccepted(T0 + MINUTE, T0 + MINUTE);

      assert.deepEqual([lanes, next, before], [[], T0 + MINUTE, ['received', 'received']]);
      assert.deepEqual(await states(), ['delivered', 'received']);
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('an edit that the portal has only accepted is superseded by a newer one once that is delivered', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, (open) => ({ edit: open, kind: 'accepted', confirmAt: Infinity }));
      await outbox.accept(batch([newer]));
      const states = async (): Promise<string[]> =>
        (await outbox.receipts(viewerOf('vendor-a'), [older.edit_id, newer.edit_id])).map(({ state }) => state);
      await round(outbox, T0, waits(T0));
      const meanwhile = await states();

      await round(outbox, T0, delivered);

      assert.deepEqual(meanwhile, ['received', 'received']);
      assert.deepEqual(await states(), ['superseded', 'delivered']);
    });

    test('an edit that is repeated after it was deleted does not replace a newer one', async (outbox) => {
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

    const meetings: readonly [string, Partial<AcceptedEdit>, Partial<AcceptBatchCommand>][] = [
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
        const newEdit = { ...edit('a', true, { base: receipt?.updated_at as Timestamp }), ...change };

        const answer = await outbox.accept(
          batch([newEdit], { now: T0 + 10 * MINUTE, sentAt: T0 + 10 * MINUTE, ...more }),
        );

        assert.deepEqual(
          receiptsOf(answer).map(({ state }) => state),
          ['received'],
        );
      });
    }
  });

  describe(`${name}: delivery`, () => {
    test('offers due edits: interactive before bulk, vendors in turn, then the order of acceptance', async (outbox) => {
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

    test('counts attempts, and does not offer edits in flight', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const held = await lease(outbox, T0);

      const open = await attempt(outbox, held, T0);

      assert.deepEqual(
        open.map((one) => [one.id, one.attempts]),
        [['a', 1]],
      );
      assert.deepEqual(await outbox.due(held, T0, 10), []);
    });

    test('keeps the timestamp on every resend', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const first = await round(outbox, T0, waits(T0 + MINUTE, true));

      const second = await round(outbox, T0 + MINUTE, delivered);

      assert.equal(second[0]?.updated_at, first[0]?.updated_at);
      assert.equal(second[0]?.attempts, 2);
    });

    test('has the reason for a delay in the receipt, and makes the edit due at its time', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));

      await round(outbox, T0, waits(T0 + MINUTE));

      const [receipt] = await outbox.receipts(viewerOf('vendor-a'), [newEdit.edit_id]);
      assert.deepEqual([receipt?.state, receipt?.delayed, receipt?.reason], ['received', true, 'portal_error']);
      assert.equal(await outbox.nextDueAt(), T0 + MINUTE);
    });

    test('marks a rejected edit as refused, unless a newer one exists', async (outbox) => {
      const [alone, older, newer] = [edit('a', true), edit('b', true), edit('b', false)];
      await outbox.accept(batch([alone, older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.accept(batch([newer]));

      await outbox.recordOutcomes(held, open.map(refused), T0);

      assert.deepEqual(await statesOf(outbox, alone, older, newer), ['refused', 'superseded', 'received']);
    });

    test('supersedes a refused edit by a newer one', async (outbox) => {
      const [parked, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([parked]));
      await round(outbox, T0, refused);

      await outbox.accept(batch([newer]));

      assert.deepEqual(await statesOf(outbox, parked, newer), ['superseded', 'received']);
    });

    test('reopens a part of an open attempt, as for a split batch', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const held = await lease(outbox, T0);
      const whole = await attempt(outbox, held, T0);

      const half = await outbox.beginAttempt(held, whole.slice(0, 1), T0);

      assert.deepEqual(
        half.map(({ id, attempts }) => [id, attempts]),
        [['a', 2]],
      );
    });

    test('reopens wrongly refused edits, unless a newer one exists', async (outbox) => {
      const [back, replaced] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([back, replaced]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.recordOutcomes(held, open.map(refused), T0);
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

    test('delays no edit that was accepted while the clock was ahead', async (outbox) => {
      await outbox.accept(batch([edit('a', true)], { now: T0 + 24 * 60 * MINUTE }));

      const due = await outbox.due(await lease(outbox, T0), T0, 9);

      assert.equal(due.length, 1);
    });

    test('keeps the position of a waiting edit when it is rewritten, alone and often', async (outbox) => {
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

    test('delays no edit because of a clock that was set back', async (outbox) => {
      const [paused, older, newer] = [edit('a', true), edit('b', true), edit('b', false)];
      await outbox.accept(batch([paused, older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.recordOutcomes(held, open.map(waits(T0 + SECOND, true)), T0);
      await outbox.accept(batch([newer]));
      const later = await attempt(outbox, held, T0 + SECOND);
      await outbox.recordOutcomes(
        held,
        later.map((one) => (one.id === 'a' ? waits(T0 + MINUTE)(one) : delivered(one))),
        T0 + SECOND,
      );
      const last = await attempt(outbox, held, T0 + SECOND);
      await outbox.recordOutcomes(held, last.map(delivered), T0 + SECOND);
      await outbox.releaseLease(held, { failures: 1, notBefore: T0 + MINUTE });
      const setBack = T0 - 24 * 60 * MINUTE;

      await outbox.capDelays(setBack, 60 * MINUTE);

      const due = await outbox.due(await lease(outbox, setBack), setBack, 9);
      assert.deepEqual(due.map((one) => [one.id, one.isResend]).sort(), [
        ['a', false],
        ['b', true],
      ]);
    });

    test('resends the newest value when an attempt of an older one may arrive after it', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([newer]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);

      assert.equal(await outbox.nextDueAt(), T0 + WANT.uncertainMs);
      const again = await round(outbox, T0 + WANT.uncertainMs, delivered);

      assert.deepEqual(
        again.map((one) => [one.available, one.isResend]),
        [[false, true]],
      );
      assert.deepEqual(await statesOf(outbox, older, newer), ['delivered', 'delivered']);
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('marks each sent edit after which an older one of its item may still arrive', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));

      const lost = await round(outbox, T0 + SECOND, delivered);
      const over = await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND, true));
      const resent = await round(outbox, T0 + WANT.uncertainMs + MINUTE, delivered);
      await outbox.accept(batch([edit('a', true)]));
      const sure = await round(outbox, T0 + WANT.uncertainMs + 2 * MINUTE, delivered);

      const told = (edits: readonly OpenEdit[]): unknown[] =>
        edits.map((one) => [one.id, one.available, one.followsUncertain]).sort();
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

    test('resends the newest value also when a later resend had an uncertain outcome', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, waits(T0 + 3 * SECOND, true));
      await round(outbox, T0 + 3 * SECOND, delivered);

      assert.equal(await outbox.nextDueAt(), T0 + 2 * SECOND + WANT.uncertainMs);
    });

    test('resends the newest value once an older one cannot arrive any more, even if timeouts were reduced meanwhile', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      const shorter = await leaseLane(outbox, { ...WANT, uncertainMs: SECOND, now: T0 + SECOND });
      assert.ok(shorter);
      const open = await attempt(outbox, shorter, T0 + SECOND);
      await outbox.recordOutcomes(shorter, open.map(waits(T0 + 2 * SECOND, true)), T0 + SECOND);
      await outbox.releaseLease(shorter, IDLE);
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([edit('a', false)]));

      await round(outbox, T0 + 3 * SECOND, delivered);

      assert.equal(await outbox.nextDueAt(), T0 + WANT.uncertainMs);
    });

    test('resends the newest value if an older one could arrive after the portal applied it, though not after its response', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await round(outbox, T0 + SECOND, delivered);
      await outbox.accept(batch([edit('a', false)]));
      const held = await lease(outbox, T0 + 19 * SECOND);
      const open = await attempt(outbox, held, T0 + 19 * SECOND);
      await outbox.recordOutcomes(held, open.map(delivered), T0 + 28 * SECOND);
      await outbox.releaseLease(held, IDLE);

      const again = await round(outbox, T0 + 28 * SECOND, delivered);

      assert.deepEqual(
        again.map((one) => [one.available, one.isResend]),
        [[false, true]],
      );
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('resends no value if no older one can arrive any more', async (outbox) => {
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

    test('still resends a value when the newer one that was to replace it is discarded', async (outbox) => {
      const [older, newer, dropped] = [edit('a', true), edit('a', false), edit('a', true)];
      await outbox.accept(batch([older]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([newer]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([dropped]));

      await outbox.decide({ by: 'person-b', editId: dropped.edit_id, verdict: { kind: 'discard' }, now: T0 });

      assert.equal(await outbox.nextDueAt(), T0 + WANT.uncertainMs);
      const again = await round(outbox, T0 + WANT.uncertainMs, delivered);
      assert.deepEqual(
        again.map((one) => [one.available, one.isResend]),
        [[false, true]],
      );
    });

    test('resends it in time when the newer one is discarded after the clock was set back', async (outbox) => {
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

    test('resends it only once, however far the clock was set back since the attempt without a response', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      const setBack = T0 - 24 * 60 * MINUTE;
      await outbox.capDelays(setBack, 60 * MINUTE);
      await round(outbox, setBack, delivered);
      await round(outbox, setBack, delivered);
      // Whatever the timeout of a call is, now or when it was made.
      const landed = setBack + 20 * MINUTE;
      assert.equal(await outbox.nextDueAt(), landed);
      await outbox.capDelays(setBack + 5 * MINUTE, 60 * MINUTE);

      const again = await round(outbox, landed, delivered);

      assert.deepEqual(
        again.map((one) => [one.available, one.isResend]),
        [[false, true]],
      );
      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('resends no value that a newer one has replaced since it was offered', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      const held = await lease(outbox, T0 + WANT.uncertainMs);
      const due = await outbox.due(held, T0 + WANT.uncertainMs, 9);
      await outbox.accept(batch([edit('a', true)]));

      const open = await outbox.beginAttempt(held, due, T0 + WANT.uncertainMs);

      assert.deepEqual([due.length, open.length], [1, 0]);
    });

    test('still resends a value when the newer one is refused, even if all of them are old by then', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await round(outbox, T0 + SECOND, delivered);
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + 2 * SECOND, delivered);
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0 + 3 * SECOND, waits(T0 + 4 * SECOND));

      await outbox.prune({ settled: T0 + 10 * MINUTE, keys: T0 });
      await round(outbox, T0 + 4 * SECOND, refused);

      const again = await round(outbox, T0 + WANT.uncertainMs, delivered);
      assert.deepEqual(
        again.map((one) => [one.available, one.isResend]),
        [[false, true]],
      );
    });

    test('restores the delivered value with a new timestamp when an edit is discarded that the portal may have applied', async (outbox) => {
      const [resend, doubtful] = [edit('a', true), edit('a', false)];
      const decision = { by: 'person-b', editId: doubtful.edit_id, now: T0 + 9 * MINUTE };
      const restored = { newId: 'said-again' as EditId, portalOffset: 0, timestampUnit: 1 };
      await outbox.accept(batch([resend]));
      const [said] = await round(outbox, T0, delivered);
      await outbox.accept(batch([doubtful]));
      await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND, true));
      const [refusedOne] = await round(outbox, T0 + 2 * SECOND, refused);

      await outbox.decide({ ...decision, verdict: { kind: 'discard', resend: restored } });

      const [again] = await round(outbox, T0 + 9 * MINUTE, delivered);
      assert.deepEqual(
        [said?.available, refusedOne?.available, again?.available, again?.isResend],
        [true, false, true, false],
      );
      assert.ok(String(again?.updated_at) > String(refusedOne?.updated_at));
      assert.deepEqual(await statesOf(outbox, resend, doubtful), ['delivered', 'discarded']);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.edit_id, entry?.subject, entry?.retry_of], ['said-again', 'person-b', resend.edit_id]);
    });

    test('restores the delivered value also when an uncertain edit was retried by a person before it is discarded', async (outbox) => {
      const [retried, said] = ['sent-again' as EditId, 'said-again' as EditId];
      const word = { by: 'person-b', now: T0 + 9 * MINUTE };
      const restored = { portalOffset: 0, timestampUnit: 1 };
      const { resend, doubtful } = await refuseDoubtful(outbox);
      const retry = { kind: 'retry', newId: retried, ...restored } as const;
      await outbox.decide({ ...word, editId: doubtful.edit_id, verdict: retry });
      await round(outbox, T0 + 9 * MINUTE, refused);

      await outbox.decide({
        ...word,
        editId: retried,
        verdict: { kind: 'discard', resend: { newId: said, ...restored } },
      });

      const [again] = await round(outbox, T0 + 10 * MINUTE, delivered);
      assert.deepEqual([again?.available, again?.isResend], [true, false]);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.edit_id, entry?.retry_of, entry?.state], [said, resend.edit_id, 'delivered']);
    });

    test('restores the delivered value once, and not again when that edit is refused and discarded too', async (outbox) => {
      const { resend, doubtful } = await refuseDoubtful(outbox);
      await discardDoubtful(outbox, doubtful.edit_id, 'said-first', T0 + MINUTE);
      await round(outbox, T0 + MINUTE, refused);

      await discardDoubtful(outbox, 'said-first', 'said-second', T0 + MINUTE);

      assert.equal(await outbox.nextDueAt(), undefined);
      assert.deepEqual(await statesOf(outbox, resend, doubtful), ['delivered', 'discarded']);
    });

    test('restores the delivered value, however often that edit is discarded before it was tried', async (outbox) => {
      const { resend, doubtful } = await refuseDoubtful(outbox);
      await discardDoubtful(outbox, doubtful.edit_id, 'said-first', T0 + MINUTE);

      await discardDoubtful(outbox, 'said-first', 'said-second', T0 + MINUTE);

      const said = await round(outbox, T0 + MINUTE, delivered);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual(
        said.map((one) => [one.available, one.isResend]),
        [[true, false]],
      );
      assert.deepEqual([entry?.edit_id, entry?.retry_of], ['said-second', resend.edit_id]);
    });

    test('restores the delivered value when the portal may have applied a replaced one, even if that cannot arrive any more', async (outbox) => {
      const newest = edit('a', true);
      const { resend } = await refuseDoubtful(outbox);
      await outbox.accept(batch([newest]));
      await round(outbox, T0 + MINUTE, waits(T0 + MINUTE, true));
      await round(outbox, T0 + MINUTE, refused);

      await discardDoubtful(outbox, newest.edit_id, 'said-again', T0 + MINUTE);

      const said = await round(outbox, T0 + 2 * MINUTE, delivered);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual(
        said.map((one) => [one.available, one.isResend]),
        [[true, false]],
      );
      assert.deepEqual([entry?.edit_id, entry?.retry_of], ['said-again', resend.edit_id]);
    });

    test('resends a value no earlier than its time', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + 2 * SECOND, delivered);
      // As after a reload with a shorter timeout.
      await outbox.capDelays(T0 + 3 * SECOND, SECOND);

      const early = await round(outbox, T0 + 3 * SECOND, delivered);

      assert.deepEqual(
        early.map((one) => [one.available, one.isResend]),
        [[false, true]],
      );
      assert.equal(await outbox.nextDueAt(), T0 + WANT.uncertainMs);
      const inTime = await round(outbox, T0 + WANT.uncertainMs, delivered);
      assert.deepEqual([inTime.length, await outbox.nextDueAt()], [1, undefined]);
    });

    test('treats an unreadable response as a possible success, and expects no later arrival of that call', async (outbox) => {
      const { doubtful } = await refuseDoubtful(outbox, 'answered');

      await discardDoubtful(outbox, doubtful.edit_id, 'said-again', T0 + 3 * SECOND);

      const [said] = await round(outbox, T0 + 3 * SECOND, delivered);
      assert.deepEqual([said?.available, said?.isResend, await outbox.nextDueAt()], [true, false, undefined]);
    });

    test('restores the delivered value when an equal edit is discarded that was to replace one which the portal may have applied', async (outbox) => {
      const untried = edit('a', true);
      const { resend, doubtful } = await refuseDoubtful(outbox);
      await outbox.accept(batch([untried]));

      await discardDoubtful(outbox, untried.edit_id, 'said-again', T0 + 3 * SECOND);

      const said = await round(outbox, T0 + MINUTE, delivered);
      assert.deepEqual(
        said.map((one) => [one.available, one.isResend]),
        [[true, false]],
      );
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.edit_id, entry?.retry_of], ['said-again', resend.edit_id]);
      assert.deepEqual(await statesOf(outbox, resend, doubtful, untried), ['delivered', 'superseded', 'discarded']);
    });

    test('restores nothing when a discarded edit was rejected and nothing else', async (outbox) => {
      const clean = edit('a', false);
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, delivered);
      await outbox.accept(batch([clean]));
      await round(outbox, T0 + SECOND, waits(T0 + 2 * SECOND));
      await round(outbox, T0 + 2 * SECOND, refused);

      await discardDoubtful(outbox, clean.edit_id, 'said-again', T0 + MINUTE);

      assert.equal(await outbox.nextDueAt(), undefined);
    });

    test('marks a rejected edit as refused if the newer one was discarded in between', async (outbox) => {
      const [older, dropped] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.accept(batch([dropped]));
      await outbox.decide({ by: 'person-b', editId: dropped.edit_id, verdict: { kind: 'discard' }, now: T0 });

      await outbox.recordOutcomes(held, open.map(refused), T0);

      assert.deepEqual(await statesOf(outbox, older, dropped), ['refused', 'discarded']);
    });

    test('knows when a lane without its holder may be leased', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));

      await attempt(outbox, await lease(outbox, T0), T0);

      assert.equal(await outbox.nextDueAt(), T0 + WANT.leaseMs);
    });

    test('keeps a lane for one holder until the lease runs out', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await lease(outbox, T0);

      const early = await leaseLane(outbox, { ...WANT, now: T0 + WANT.leaseMs - 1 });
      const late = await leaseLane(outbox, { ...WANT, now: T0 + WANT.leaseMs });

      assert.equal(early, undefined);
      assert.ok(late);
    });

    test('lets a holder without the lease change nothing', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));
      const lost = await lease(outbox, T0);
      const open = await attempt(outbox, lost, T0);
      await lease(outbox, T0 + 2 * WANT.leaseMs);

      await assert.rejects(outbox.recordOutcomes(lost, open.map(delivered), T0), LeaseLost);
      await assert.rejects(outbox.beginAttempt(lost, open, T0), LeaseLost);
      await assert.rejects(outbox.due(lost, T0, 9), LeaseLost);
      await assert.rejects(outbox.releaseLease(lost, IDLE), LeaseLost);

      assert.deepEqual(await statesOf(outbox, newEdit), ['received']);
    });

    test('lets a holder without the lease reopen nothing', async (outbox) => {
      const [parked, waiting] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([parked, waiting]));
      const lost = await lease(outbox, T0);
      const open = await attempt(outbox, lost, T0);
      const endings = open.map((one) => (one.id === 'a' ? refused(one) : waits(T0)(one)));
      await outbox.recordOutcomes(lost, endings, T0);
      await lease(outbox, T0 + 2 * WANT.leaseMs);

      await assert.rejects(outbox.reopen(lost, open, 'portal_refuses', T0), LeaseLost);

      assert.deepEqual(await statesOf(outbox, parked, waiting), ['refused', 'received']);
    });

    test('keeps a lane longer for a holder that continues sending', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const sentAt = T0 + WANT.leaseMs / 2;
      await attempt(outbox, await lease(outbox, T0), sentAt);

      const early = await leaseLane(outbox, { ...WANT, now: sentAt + WANT.leaseMs - 1 });
      const late = await leaseLane(outbox, { ...WANT, now: sentAt + WANT.leaseMs });

      assert.equal(early, undefined);
      assert.ok(late);
    });

    test('settles an attempt once, whatever settlement follows', async (outbox) => {
      const [taken, other] = [edit('a', true), edit('b', true)];
      await outbox.accept(batch([taken, other]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.recordOutcomes(held, open.filter(({ id }) => id === 'a').map(delivered), T0);

      await outbox.recordOutcomes(held, open.map(refused), T0);

      assert.deepEqual(await statesOf(outbox, taken, other), ['delivered', 'refused']);
    });

    test('offers edits again that a lost holder left open, with an unknown outcome', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      await attempt(outbox, await lease(outbox, T0), T0);
      const later = T0 + 2 * WANT.leaseMs;
      await outbox.accept(batch([newer]));

      await round(outbox, later, delivered);
      await round(outbox, later, delivered);

      assert.equal(await outbox.nextDueAt(), later + WANT.uncertainMs, 'the newer value is resent');
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

    test('gives the state of a lane to its next holder, and does not lease a pausing lane', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const state: LaneState = {
        held: 'portal_credentials',
        failures: 3,
        notBefore: T0 + MINUTE,
        verifiedCredential: 'x',
      };
      await outbox.releaseLease(await lease(outbox, T0), state);

      const early = await leaseLane(outbox, { ...WANT, now: T0 + SECOND });
      const next = await lease(outbox, T0 + MINUTE);

      assert.equal(early, undefined);
      assert.deepEqual(next.state, state);
    });

    test('keeps a wait and a verified credential that are stored during a run, even if its holder is killed', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const rejections = { code: '422 "no"', edits: [], wronglyRejected: [] };
      const first = await lease(outbox, T0);
      await outbox.releaseLease(first, { ...IDLE, failures: 2, verifiedCredential: 'x', rejections });
      const killed = await lease(outbox, T0);
      const ends = T0 + WANT.leaseMs;

      await outbox.recordOutcomes(killed, [], T0, { notBefore: ends + SECOND });
      await outbox.recordOutcomes(killed, [], T0, { verifiedCredential: 'y' });

      assert.equal(await leaseLane(outbox, { ...WANT, now: ends }), undefined);
      const next = await lease(outbox, ends + SECOND);
      assert.deepEqual(next.state, { failures: 2, verifiedCredential: 'y', rejections, notBefore: ends + SECOND });
    });

    test('stores the rejections in a row with their settlement, for the next holder', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const killed = await lease(outbox, T0);
      const [open, other] = await attempt(outbox, killed, T0);
      assert.ok(open && other);
      const { seq, vendor, id } = open;
      const rejections = { code: '422 "no"', edits: [{ seq, vendor, id }], wronglyRejected: [] };
      await outbox.recordOutcomes(killed, [refused(open)], T0, { rejections });
      await outbox.recordOutcomes(killed, [waits(T0)(other)], T0);

      const next = await lease(outbox, T0 + WANT.leaseMs);
      const late = outbox.recordOutcomes(killed, [], T0, { rejections: { ...rejections, edits: [] } });
      await assert.rejects(late, LeaseLost);
      await outbox.releaseLease(next, { ...IDLE, rejections });
      const last = await lease(outbox, T0 + WANT.leaseMs);
      await outbox.releaseLease(last, IDLE);
      const none = await lease(outbox, T0 + WANT.leaseMs);

      assert.deepEqual(
        [next, last, none].map(({ state }) => state.rejections),
        [rejections, rejections, undefined],
      );
    });

    test('lets a lane be tried at once that is held for a credential which is not active', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const state: LaneState = {
        held: 'portal_credentials',
        failures: 0,
        notBefore: T0 + MINUTE,
        verifiedCredential: 'old',
      };
      await outbox.releaseLease(await lease(outbox, T0), state);

      await outbox.retryHeld(T0, { credentials: ['new', 'old'], baseUrl: 'https://portal.test' });
      const same = await leaseLane(outbox, { ...WANT, now: T0 });
      await outbox.retryHeld(T0, { credentials: ['new', 'newer'], baseUrl: 'https://portal.test' });
      const other = await lease(outbox, T0);

      assert.equal(same, undefined);
      assert.deepEqual(other.state, { ...state, notBefore: T0 });
    });

    test('keeps the pause of a lane that is not held, whatever credential it used at this portal', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const pausing = { failures: 1, notBefore: T0 + MINUTE, verifiedCredential: 'https://portal.test old' };
      await outbox.releaseLease(await lease(outbox, T0), pausing);

      await outbox.retryHeld(T0, { credentials: ['new'], baseUrl: 'https://portal.test' });

      assert.equal(await leaseLane(outbox, { ...WANT, now: T0 }), undefined);
    });

    test('lets a lane be tried at once that pauses for another portal', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const pausing = { failures: 7, notBefore: T0 + MINUTE, verifiedCredential: 'unproven https://portal.test old' };
      await outbox.releaseLease(await lease(outbox, T0), pausing);

      await outbox.retryHeld(T0, { credentials: ['new'], baseUrl: 'https://portal.tes' });
      const other = await lease(outbox, T0);

      assert.deepEqual(other.state, { ...pausing, notBefore: T0 });
    });

    test('has the wall-clock time of settlements in the history, and waits by the monotonic clock', async (outbox) => {
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
      assert.ok(said !== undefined && said <= T0 + WANT.uncertainMs);
    });

    test('leases no lane that rests after its release', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await outbox.releaseLease(await lease(outbox, T0), IDLE, { now: T0, forMs: 499.5 });

      const next = await outbox.nextDueAt();
      const early = await leaseLane(outbox, { ...WANT, now: T0 + 499 });

      assert.ok(next !== undefined && next > T0 + 499 && next <= T0 + 500);
      assert.equal(early, undefined);
      await lease(outbox, T0 + 500);
    });

    test('leaves edits out of an attempt that were superseded after they were offered', async (outbox) => {
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

    test('moves waiting edits, interactive and bulk, and leaves the lanes of other vendors alone', async (outbox) => {
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

    test('keeps the order of an item, its pause, and its uncertain outcome', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));

      await outbox.moveLanes(ofItsOwn, T0);

      assert.equal(await outbox.nextDueAt(), T0 + SECOND);
      const sent: (readonly [string, boolean, boolean])[] = [];
      for (const now of [T0 + SECOND, T0 + 2 * SECOND, T0 + WANT.uncertainMs]) {
        const held = await lease(outbox, now);
        const open = await attempt(outbox, held, now);
        await outbox.recordOutcomes(held, open.map(delivered), now);
        await outbox.releaseLease(held, IDLE);
        sent.push(...open.map((one) => [held.lane, one.available, one.isResend] as const));
      }
      assert.deepEqual(sent, [
        ['vendor-a', true, false],
        ['vendor-a', false, false],
        ['vendor-a', false, true],
      ]);
    });

    test('moves a value that is going to be resent', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await round(outbox, T0, waits(T0 + SECOND, true));
      await outbox.accept(batch([edit('a', false)]));
      await round(outbox, T0 + SECOND, delivered);
      await round(outbox, T0 + SECOND, delivered);

      await outbox.moveLanes(ofItsOwn, T0);

      const held = await lease(outbox, T0 + WANT.uncertainMs);
      const due = await outbox.due(held, T0 + WANT.uncertainMs, 9);
      assert.deepEqual([held.lane, due.map(({ isResend }) => isResend)], ['vendor-a', [true]]);
    });

    test('leaves an open attempt in its lane, and lets no newer edit of the item overtake it', async (outbox) => {
      const [older, newer] = [edit('a', true), edit('a', false)];
      await outbox.accept(batch([older]));
      const held = await lease(outbox, T0);
      const open = await attempt(outbox, held, T0);
      await outbox.accept(batch([newer], { lane: 'vendor-a' }));

      await outbox.moveLanes(ofItsOwn, T0);
      const early = await leaseLane(outbox, { ...WANT, now: T0 });
      await outbox.recordOutcomes(held, open.map(delivered), T0);
      await outbox.releaseLease(held, IDLE);

      assert.equal(early, undefined);
      const next = await lease(outbox, T0);
      assert.equal(next.lane, 'vendor-a');
      assert.deepEqual(
        (await outbox.due(next, T0, 9)).map(({ available }) => available),
        [false],
      );
    });

    test('moves edits that a lost holder left open as soon as the lane has another holder', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      await attempt(outbox, await lease(outbox, T0), T0);
      const later = T0 + WANT.leaseMs;
      const held = await lease(outbox, later);

      await outbox.moveLanes(ofItsOwn, T0);

      assert.deepEqual([held.lane, await outbox.due(held, later, 9)], ['', []]);
      assert.equal((await lease(outbox, later)).lane, 'vendor-a');
    });

    test('leaves edits out of an attempt that were moved after they were offered', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const held = await lease(outbox, T0);
      const due = await outbox.due(held, T0, 9);

      await outbox.moveLanes(ofItsOwn, T0);

      assert.deepEqual(await outbox.beginAttempt(held, due, T0), []);
    });

    test('counts no lane as held that has no work', async (outbox) => {
      await outbox.accept(batch([edit('a', true)]));
      const held = await lease(outbox, T0);
      await outbox.releaseLease(held, { ...IDLE, held: 'portal_credentials', notBefore: T0 + MINUTE });
      const before = await outbox.heldLanes();

      await outbox.moveLanes(ofItsOwn, T0);

      assert.deepEqual([before.size, (await outbox.heldLanes()).size], [1, 0]);
    });
  });

  describe(`${name}: decisions of people`, () => {
    test('retries a refused edit as a new one, after all others of its item', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));
      await round(outbox, T0, refused);
      const newId = 'edit-again' as EditId;

      const decided = await outbox.decide({
        vendor: 'vendor-a',
        by: 'person-b',
        editId: newEdit.edit_id,
        verdict: { kind: 'retry', newId, portalOffset: 0, timestampUnit: 1 },
        now: T0 + MINUTE,
      });

      assert.equal(decided.kind === 'decided' && decided.receipt.edit_id, newId);
      assert.deepEqual(await statesOf(outbox, newEdit, { ...newEdit, edit_id: newId }), ['superseded', 'received']);
      const [entry] = await outbox.history('vendor-a', { limit: 1 });
      assert.deepEqual([entry?.retry_of, entry?.subject, entry?.to], [newEdit.edit_id, 'person-b', true]);
    });

    test('retries no edit of an item that is assigned to another vendor by now', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));
      await round(outbox, T0, refused);

      const decided = await outbox.decide({
        by: 'operator',
        editId: newEdit.edit_id,
        verdict: { kind: 'retry', newId: 'edit-again' as EditId, portalOffset: 0, timestampUnit: 1 },
        hasOtherOwner: (vendor, id) => vendor === 'vendor-a' && id === 'a',
        now: T0 + MINUTE,
      });

      assert.equal(decided.kind, 'item_unknown');
      assert.deepEqual(await statesOf(outbox, newEdit), ['refused']);
    });

    test('discards until the first attempt or when refused, and records who did', async (outbox) => {
      const [untried, parked, gone] = [edit('a', true), edit('b', true), edit('c', true)];
      await outbox.accept(batch([parked]));
      await round(outbox, T0, refused);
      await outbox.accept(batch([gone]));
      await round(outbox, T0, waits(T0 + MINUTE));
      await outbox.accept(batch([untried]));
      const discard = (newEdit: AcceptedEdit) =>
        outbox.decide({
          vendor: 'vendor-a',
          by: 'person-b',
          editId: newEdit.edit_id,
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

    test('rejects a decision for another vendor, and allows an operator any', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));
      const decision = { by: 'someone', editId: newEdit.edit_id, verdict: { kind: 'discard' } as const, now: T0 };

      const foreign = await outbox.decide({ ...decision, vendor: 'vendor-b' });
      const operator = await outbox.decide(decision);

      assert.deepEqual([foreign.kind, operator.kind], ['edit_unknown', 'decided']);
    });
  });

  describe(`${name}: an edit id that two vendors have`, () => {
    test('is decided for the named vendor, and not at all without one', async (outbox) => {
      const newEdit = edit('a', true);
      await outbox.accept(batch([newEdit]));
      await outbox.accept(batch([{ ...newEdit, id: 'b' as ItemId }], { vendor: 'vendor-b' }));
      const decision = { by: 'operator', editId: newEdit.edit_id, verdict: { kind: 'discard' } as const, now: T0 };

      const unnamed = await outbox.decide(decision);
      const untouched = await statesOf(outbox, newEdit);
      const named = await outbox.decide({ ...decision, vendor: 'vendor-b' });

      assert.equal(unnamed.kind, 'edit_ambiguous');
      assert.deepEqual([...(unnamed.kind === 'edit_ambiguous' ? unnamed.vendors : [])].sort(), [
        'vendor-a',
        'vendor-b',
      ]);
      assert.deepEqual(
        [untouched, named.kind, await statesOf(outbox, newEdit)],
        [['received'], 'decided', ['received']],
      );
    });
  });

  describe(`${name}: reading`, () => {
    test('lists the items of one vendor page by page, with their current edit', async (outbox) => {
      await outbox.accept(batch(['d', 'b', 'a', 'c'].map((id) => edit(id, true, { label: `Label ${id}` }))));
      await outbox.accept(batch([edit('x', true)], { vendor: 'vendor-b' }));
      await outbox.accept(batch([edit('b', false)]));

      const first = await outbox.list(viewerOf('vendor-a'), { limit: 3 });
      const second = await outbox.list(viewerOf('vendor-a'), { limit: 3, after: first.at(-1)?.id });

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

    test('lists the changes since a revision, including settlements', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', true)]));
      const before = Math.max(...(await outbox.list(viewerOf('vendor-a'), { limit: 9 })).map((item) => item.revision));
      await outbox.accept(batch([edit('c', true)]));
      const held = await lease(outbox, T0);
      const open = await outbox.beginAttempt(
        held,
        (await outbox.due(held, T0, 9)).filter((one) => one.id === 'a'),
        T0,
      );
      await outbox.recordOutcomes(held, open.map(delivered), T0);

      const changed = await outbox.list(viewerOf('vendor-a'), { limit: 9, since: before });

      assert.deepEqual(
        changed.map(({ id, state }) => [id, state]),
        [
          ['c', 'received'],
          ['a', 'delivered'],
        ],
      );
    });

    test('has an item whose edits are all discarded among the changes, and in no other list', async (outbox) => {
      const [older, newer, kept] = [edit('a', true), edit('a', false), edit('b', true)];
      await outbox.accept(batch([kept]));
      await outbox.accept(batch([older]));
      await outbox.accept(batch([newer]));
      const before = await outbox.revision('vendor-a');
      await outbox.decide({ by: 'person-b', editId: newer.edit_id, verdict: { kind: 'discard' }, now: T0 });

      const changed = await outbox.list(viewerOf('vendor-a'), { limit: 9, since: before });
      const whole = await outbox.list(viewerOf('vendor-a'), { limit: 9 });

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
      const [again] = await outbox.list(viewerOf('vendor-a'), { limit: 9, since: before });
      assert.deepEqual([again?.id, again?.state], ['a', 'received']);
    });

    test('has the time of delivery for delivered edits only', async (outbox) => {
      const [late, refusedOne, waiting] = [edit('a', true), edit('b', true), edit('c', true)];
      await outbox.accept(batch([late, refusedOne, waiting]));
      await round(outbox, T0 + MINUTE, waits(T0 + 9 * MINUTE));
      const endings = { a: delivered, b: refused, c: waits(T0 + 20 * MINUTE) } as Record<string, typeof delivered>;
      await round(outbox, T0 + 10 * MINUTE, (open) => (endings[open.id] ?? delivered)(open));

      const items = await outbox.list(viewerOf('vendor-a'), { limit: 9 });
      const receipts = await outbox.receipts(
        viewerOf('vendor-a'),
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

    test('has a history of who changed what, from, to, and with which outcome, newest first', async (outbox) => {
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

    test('shows the operator the waiting edits of all vendors, and counts every accepted edit once', async (outbox) => {
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

    test('estimates the bytes of the waiting edits, including labels and excluding settled edits', async (outbox) => {
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
      // 300 for the numbers of an edit, and twice its texts: less than 200 bytes, and 400 more for one label in three.
      for (const told of [some ?? 0, again ?? 0]) {
        const each = told / 300 - (2 * 400) / 3;
        assert.ok(each > 350 && each < 500, `${String(each)} bytes each`);
      }
    });

    test('counts held lanes by reason', async (outbox) => {
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

    test('deletes old settled edits, but never the newest edit of an item or one that waits', async (outbox) => {
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

    test('stores the last offset of the portal’s clock, ahead or behind', async (outbox) => {
      const told = [await outbox.portalOffset(T0)];

      for (const offset of [-10 * MINUTE, 3 * 24 * 60 * MINUTE]) {
        await outbox.storePortalOffset(offset, T0);
        told.push(await outbox.portalOffset(T0));
      }

      // The database's clock advances between the two.
      const [none, behind, ahead] = told;
      assert.equal(none, undefined);
      assert.ok(Math.abs((behind ?? 0) + 10 * MINUTE) < SECOND, String(behind));
      assert.ok(Math.abs((ahead ?? 0) - 3 * 24 * 60 * MINUTE) < SECOND, String(ahead));
    });

    test('notifies its listeners of the vendor whose edits changed', async (outbox) => {
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
