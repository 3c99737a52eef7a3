import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ItemId } from '../../../src/domain/item.js';
import type { AcceptedEdit, OpenEdit, Outbox, AttemptOutcome } from '../../../src/proxy/outbox/outbox.js';
import { viewerOf } from '../../support/viewer.js';
import { leaseLane } from '../../support/lease-lane.js';
import { batch, edit, type OpenedOutbox, testOn } from './outbox-contract.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ASKER = viewerOf('vendor-a', 'person-a');

const delivered = (open: OpenEdit): AttemptOutcome => ({ edit: open, kind: 'delivered' });
const refused = (open: OpenEdit): AttemptOutcome => ({ edit: open, kind: 'refused', reason: 'item_refused' });
const waits = (uncertain: boolean) => {
  return (open: OpenEdit): AttemptOutcome => ({
    edit: open,
    kind: 'waiting',
    reason: 'portal_error',
    dueAt: T0 + MINUTE,
    uncertain,
  });
};

/** What every store tells of the value on the portal while another one is wanted. */
export function describePortalValues(name: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`${name}: the value on the portal`, () => {
    for (const { what, settle, expected } of [
      { what: 'was refused', settle: refused, expected: true },
      { what: 'has failed for certain and waits', settle: waits(false), expected: true },
      { what: 'has ended without a clear answer', settle: waits(true), expected: undefined },
      { what: 'has arrived', settle: delivered, expected: undefined },
    ]) {
      test(`is ${expected === undefined ? 'absent from' : 'in'} the receipt and the list for an edit that ${what}`, async (outbox) => {
        const later = await closeAfterOpening(outbox);
        await round(outbox, T0 + SECOND, settle);

        assert.deepEqual(await told(outbox, later), [expected, expected]);
      });
    }

    test('is in the receipt and the list until the new edit is sent', async (outbox) => {
      const later = await closeAfterOpening(outbox);
      const before = await told(outbox, later);
      await begin(outbox, T0 + SECOND);

      assert.deepEqual(
        [before, await told(outbox, later)],
        [
          [true, true],
          [undefined, undefined],
        ],
      );
    });

    test('is absent if no edit was delivered', async (outbox) => {
      const only = edit('a', true);
      await outbox.accept(batch([only]));
      await round(outbox, T0, refused);

      assert.deepEqual(await told(outbox, only), [undefined, undefined]);
    });

    test('is in the list for each item of a page', async (outbox) => {
      await outbox.accept(batch([edit('a', true), edit('b', false)]));
      await round(outbox, T0, delivered);
      await outbox.accept(batch([edit('a', false), edit('b', true), edit('c', true)], { now: T0 + SECOND }));

      const items = await outbox.list(ASKER, { limit: 9, after: '' as ItemId });

      assert.deepEqual(
        items.map(({ id, portal_available }) => [id, portal_available]),
        [
          ['a', true],
          ['b', false],
          ['c', undefined],
        ],
      );
    });
  });
}

/** The portal has the item as available, and it was made unavailable since. */
async function closeAfterOpening(outbox: Outbox): Promise<AcceptedEdit> {
  await outbox.accept(batch([edit('a', true)]));
  await round(outbox, T0, delivered);
  const later = edit('a', false);
  await outbox.accept(batch([later], { now: T0 + SECOND }));
  return later;
}

/** By the receipt and by the listing. */
async function told(outbox: Outbox, { edit_id }: AcceptedEdit): Promise<(boolean | undefined)[]> {
  const [receipt] = await outbox.receipts(ASKER, [edit_id]);
  const [item] = await outbox.list(ASKER, { limit: 9, after: '' as ItemId });
  return [receipt?.portal_available, item?.portal_available];
}

async function begin(outbox: Outbox, now: number) {
  const lease = await leaseLane(outbox, { now, leaseMs: MINUTE, uncertainMs: 20 * SECOND });
  assert.ok(lease);
  return { lease, open: await outbox.beginAttempt(lease, await outbox.due(lease, now, 9), now) };
}

async function round(outbox: Outbox, now: number, settle: (edit: OpenEdit) => AttemptOutcome): Promise<void> {
  const { lease, open } = await begin(outbox, now);
  await outbox.recordOutcomes(lease, open.map(settle), now);
  await outbox.releaseLease(lease, { failures: 0, notBefore: 0 });
}
