import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ItemId } from '../../../src/domain/item.js';
import type { Outbox, AttemptOutcome } from '../../../src/proxy/outbox/outbox.js';
import type { ListedPage, ListedValue, ListEffect, Reading } from '../../../src/proxy/outbox/portal-lists.js';
import { viewerOf } from '../../support/viewer.js';
import { leaseLane } from '../../support/lease-lane.js';
import { batch, edit, type OpenedOutbox } from './outbox-contract.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const VENDOR = 'vendor-a';
const NOTHING: ListEffect = { confirmed: 0, drifted: 0, changed: 0 };

type Ending = 'delivered' | 'accepted' | 'refused';

/** Accepts one edit of the vendor at that time, and sends it: the portal responds a second later. */
async function send(outbox: Outbox, id: string, available: boolean, now: number, ending: Ending): Promise<void> {
  await outbox.accept(batch([edit(id, available)], { vendor: VENDOR, now }));
  const lease = await leaseLane(outbox, { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND, now });
  assert.ok(lease);
  const edits = await outbox.beginAttempt(lease, await outbox.due(lease, now, 10), now);
  const attemptOutcomes = edits.map((sent): AttemptOutcome => {
    if (ending === 'refused') return { edit: sent, kind: 'refused', reason: 'portal_refused' };
    return ending === 'accepted'
      ? { edit: sent, kind: 'accepted', confirmAt: Infinity }
      : { edit: sent, kind: 'delivered' };
  });
  await outbox.recordOutcomes(lease, attemptOutcomes, now + SECOND);
  await outbox.releaseLease(lease, { failures: 0, notBefore: 0 });
}

async function claim({ portalLists }: Outbox, now: number, everyMs = MINUTE): Promise<Reading> {
  const reading = await portalLists.claim({ name: '', now, everyMs, forMs: 10 * MINUTE });
  return typeof reading === 'number' ? assert.fail(`it is due in ${reading} ms`) : reading;
}

function value(id: string, available: boolean, updatedAt?: number): ListedValue {
  return {
    id: id as ItemId,
    available,
    ...(updatedAt !== undefined && { updated_at: new Date(updatedAt).toISOString() }),
  };
}

/** Stores a whole reading that began at that time. */
async function read(outbox: Outbox, now: number, ...values: readonly ListedValue[]): Promise<ListEffect> {
  const reading = await claim(outbox, now);
  const effect = await outbox.portalLists.store(reading, { lane: '', values }, now + SECOND);
  return effect ?? assert.fail('another process reads');
}

async function rowOf(outbox: Outbox, id: string): Promise<object> {
  const rows = await outbox.list(viewerOf(VENDOR), { limit: 100 });
  const { available, state, reason, on_portal } = rows.find((row) => row.id === id) ?? assert.fail(id);
  return {
    available,
    ...(state !== undefined && { state }),
    ...(reason !== undefined && { reason }),
    ...(on_portal !== undefined && { on_portal }),
  };
}

const DELIVERED = { available: true, state: 'delivered' };
const CHANGED = { available: false, on_portal: 'changed' };

function page(more: Partial<ListedPage> = {}): ListedPage {
  return { name: '', lane: '', vendor: VENDOR, isWhole: true, limit: 100, ...more };
}

async function idsOf({ portalLists }: Outbox, more: Partial<ListedPage> = {}): Promise<readonly string[]> {
  return (await portalLists.items(page(more))).map(({ id }) => id);
}

/** The contract of every store for the portal's own lists. */
export function describePortalLists(name: string, open: () => Promise<OpenedOutbox>): void {
  const test = (title: string, body: (outbox: Outbox) => Promise<void>): void => {
    it(title, async () => {
      const { outbox, close } = await open();
      try {
        await body(outbox);
      } finally {
        await close();
      }
    });
  };

  describe(`a reading of the portal's list, on ${name}`, () => {
    test('is claimed by one of several concurrent callers', async (outbox) => {
      const claims = await Promise.all(
        [1, 2, 3].map(() => outbox.portalLists.claim({ name: '', now: T0, everyMs: MINUTE, forMs: HOUR })),
      );

      assert.equal(claims.filter((reading) => typeof reading !== 'number').length, 1);
    });

    test('is due again after its time, or later while a reader still has it', async (outbox) => {
      const wanted = { name: '', everyMs: MINUTE, forMs: 10 * MINUTE };
      const reading = await claim(outbox, T0);

      const held = await outbox.portalLists.claim({ ...wanted, now: T0 + MINUTE });
      await outbox.portalLists.release(reading);
      const early = await outbox.portalLists.claim({ ...wanted, now: T0 + 50 * SECOND });
      const again = await outbox.portalLists.claim({ ...wanted, now: T0 + MINUTE });

      assert.deepEqual([held, early, typeof again], [9 * MINUTE, 10 * SECOND, 'object']);
    });

    test('of a reader that was killed may be claimed once its time is over', async (outbox) => {
      await claim(outbox, T0);

      assert.equal(typeof (await claim(outbox, T0 + 10 * MINUTE)), 'object');
    });

    test('is due if the clock was set back since', async (outbox) => {
      await claim(outbox, T0 + DAY);

      assert.equal((await claim(outbox, T0)).begunAt, T0);
    });

    test('is not stored once another process has claimed the list', async (outbox) => {
      const slow = await claim(outbox, T0);
      await claim(outbox, T0 + 10 * MINUTE);

      const stored = await outbox.portalLists.store(slow, { lane: '', values: [value('kayak', true)] }, T0);

      assert.equal(stored, undefined);
      assert.deepEqual(await idsOf(outbox), []);
      assert.equal(await outbox.portalLists.isRead(''), false);
    });

    test('is due once a day for vendors with items', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      const unread = (now: number): Promise<readonly string[]> => outbox.portalLists.unreadVendors(now, DAY, () => '');

      const before = await unread(T0);
      await read(outbox, T0 + MINUTE);

      assert.deepEqual([before, await unread(T0 + HOUR), await unread(T0 + 25 * HOUR)], [[VENDOR], [], [VENDOR]]);
      assert.deepEqual(await outbox.portalLists.unreadVendors(T0, DAY, () => undefined), []);
    });
  });

  describe(`the items of the portal's list, on ${name}`, () => {
    test('are those of the last whole reading, page by page', async (outbox) => {
      await read(outbox, T0, value('b', true), value('a', false, T0), value('gone', true));
      const effect = await read(outbox, T0 + MINUTE, value('b', true), value('a', true, T0), value('c', true));

      const first = await outbox.portalLists.items(page({ limit: 2 }));

      assert.deepEqual(effect, { ...NOTHING, changed: 3 });
      assert.deepEqual(first, [
        { id: 'a', available: true, updated_at: '2026-06-01T08:00:00.000Z', on_portal: 'listed' },
        { id: 'b', available: true, on_portal: 'listed' },
      ]);
      assert.deepEqual(await idsOf(outbox, { after: 'b' as ItemId }), ['c']);
      assert.deepEqual(await idsOf(outbox, { within: { from: 'b', to: 'z' } }), ['b', 'c']);
      assert.deepEqual(await idsOf(outbox, { within: { from: 'a', to: 'z', ids: ['a', 'z'] } }), ['a']);
    });

    test('exclude items with a current edit, and items of another vendor in the lane', async (outbox) => {
      await send(outbox, 'mine', true, T0, 'delivered');
      await outbox.accept(batch([edit('theirs', true)], { vendor: 'vendor-b', now: T0 }));
      await read(outbox, T0 + MINUTE, value('mine', true), value('theirs', true), value('free', true));

      assert.deepEqual(await idsOf(outbox), ['free']);
      assert.deepEqual(await idsOf(outbox, { lane: VENDOR }), ['free', 'theirs']);
    });

    test('are only those of the operator’s list if several vendors share the list', async (outbox) => {
      await outbox.recordList('vendor-b', ['theirs'] as ItemId[]);
      await outbox.recordList(VENDOR, ['mine', 'theirs'] as ItemId[]);
      await read(outbox, T0, value('mine', true), value('theirs', true), value('free', true));

      assert.deepEqual(await idsOf(outbox, { isWhole: false }), ['mine']);
    });

    test('are deleted with all marks', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      for (const minutes of [1, 2])
        await read(outbox, T0 + minutes * MINUTE, value('kayak', false), value('sauna', true));
      const before = await rowOf(outbox, 'kayak');
      const revision = await outbox.revision(VENDOR);

      await outbox.portalLists.forget();

      assert.deepEqual([before, await rowOf(outbox, 'kayak')], [CHANGED, DELIVERED]);
      assert.equal(await outbox.revision(VENDOR), revision + 1);
      assert.deepEqual(await idsOf(outbox), []);
    });
  });

  describe(`an edit that the portal has only accepted, on ${name}`, () => {
    const received = { available: true, state: 'received', reason: 'portal_confirms' };

    test('is delivered when a later reading shows its value', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'accepted');
      const before = await outbox.portalLists.awaitingVendors(T0 + MINUTE, HOUR);

      const other = await read(outbox, T0 + MINUTE, value('kayak', false, T0 - DAY));
      const effect = await read(outbox, T0 + 2 * MINUTE, value('kayak', true, T0));

      assert.deepEqual([other.confirmed, effect.confirmed], [0, 1]);
      assert.deepEqual(await rowOf(outbox, 'kayak'), DELIVERED);
      const { received: open, delivered } = await outbox.count();
      assert.deepEqual([open, delivered], [0, 1]);
      assert.deepEqual([before, await outbox.portalLists.awaitingVendors(T0 + MINUTE, HOUR)], [[VENDOR], []]);
    });

    test('does not keep the reading interval short for ever', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'accepted');

      assert.deepEqual(await outbox.portalLists.awaitingVendors(T0 + 2 * HOUR, HOUR), []);
    });

    const proofs: readonly (readonly [what: string, now: number, updatedAt: number | undefined, state: object])[] = [
      ['began before the portal had answered', T0 + SECOND, T0, received],
      ['shows a time from before it', T0 + MINUTE, T0 - 2 * SECOND, received],
      ['shows its time in whole seconds', T0 + MINUTE, T0, DELIVERED],
      ['shows the time at which the portal applied it', T0 + MINUTE, T0 + 30 * SECOND, DELIVERED],
      ['shows no time', T0 + MINUTE, undefined, DELIVERED],
    ];
    for (const [what, now, updatedAt, state] of proofs) {
      test(`is ${state === DELIVERED ? '' : 'not '}confirmed by a reading that ${what}`, async (outbox) => {
        await send(outbox, 'kayak', true, T0 + 400, 'accepted');

        await read(outbox, now, value('kayak', true, updatedAt));

        assert.deepEqual(await rowOf(outbox, 'kayak'), state);
      });
    }

    test('stays received if the list does not have it, or shows another value, however often', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'accepted');

      for (const minutes of [1, 2, 3]) await read(outbox, T0 + minutes * MINUTE, value('kayak', false, T0 + minutes));
      await read(outbox, T0 + 4 * MINUTE);

      assert.deepEqual(await rowOf(outbox, 'kayak'), received);
    });
  });

  describe(`a delivered value that the portal has changed, on ${name}`, () => {
    test('is marked at the second reading, counted once, and shown among the changes', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      const since = await outbox.revision(VENDOR);

      const first = await read(outbox, T0 + MINUTE, value('kayak', false, T0 + 30 * SECOND));
      const once = await rowOf(outbox, 'kayak');
      const second = await read(outbox, T0 + 2 * MINUTE, value('kayak', false, T0 + 30 * SECOND));
      const third = await read(outbox, T0 + 3 * MINUTE, value('kayak', false, T0 + 30 * SECOND));

      assert.deepEqual([first.drifted, second.drifted, third.drifted], [0, 1, 0]);
      assert.deepEqual([once, await rowOf(outbox, 'kayak')], [DELIVERED, CHANGED]);
      const [changed, ...others] = await outbox.list(viewerOf(VENDOR), { since, limit: 10 });
      assert.deepEqual(changed, {
        id: 'kayak',
        revision: since + 1,
        available: false,
        updated_at: '2026-06-01T08:00:30.000Z',
        on_portal: 'changed',
      });
      assert.deepEqual(others, []);
    });

    test('has the time of the reading if the portal has none, or an older one', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      for (const minutes of [1, 2]) await read(outbox, T0 + minutes * MINUTE, value('kayak', false, T0 - DAY));

      const [row] = await outbox.list(viewerOf(VENDOR), { limit: 10 });

      assert.equal(row?.updated_at, '2026-06-01T08:02:01.000Z');
    });

    test('is not marked because of the portal’s previous or momentary value', async (outbox) => {
      await read(outbox, T0 - MINUTE, value('kayak', false));
      await send(outbox, 'kayak', true, T0, 'delivered');

      await read(outbox, T0 + MINUTE, value('kayak', false));
      const lagging = await rowOf(outbox, 'kayak');
      await read(outbox, T0 + 2 * MINUTE, value('kayak', true));
      await read(outbox, T0 + 3 * MINUTE, value('kayak', false));

      assert.deepEqual([lagging, await rowOf(outbox, 'kayak')], [DELIVERED, DELIVERED]);
    });

    test('is not marked because of readings that began before the portal’s response', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');

      await read(outbox, T0 - MINUTE, value('kayak', false));
      await read(outbox, T0 + SECOND, value('kayak', false));
      await read(outbox, T0 + 2 * MINUTE, value('kayak', false));

      assert.deepEqual(await rowOf(outbox, 'kayak'), DELIVERED);
    });

    test('loses its mark as soon as the portal has the delivered value', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      for (const minutes of [1, 2]) await read(outbox, T0 + minutes * MINUTE, value('kayak', false));

      await read(outbox, T0 + 3 * MINUTE, value('kayak', true));

      assert.deepEqual(await rowOf(outbox, 'kayak'), DELIVERED);
    });

    test('is replaced by an edit in flight, and by the value that this delivers', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      for (const minutes of [1, 2]) await read(outbox, T0 + minutes * MINUTE, value('kayak', false));
      await outbox.accept(batch([edit('kayak', true)], { vendor: VENDOR, now: T0 + 3 * MINUTE }));
      const onItsWay = await rowOf(outbox, 'kayak');
      const meanwhile = await read(outbox, T0 + 3 * MINUTE, value('kayak', false));

      assert.deepEqual([onItsWay, meanwhile.drifted], [{ available: true, state: 'received' }, 0]);
    });

    test('is shown again once a later edit is refused and discarded', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      for (const minutes of [1, 2]) await read(outbox, T0 + minutes * MINUTE, value('kayak', false));
      await send(outbox, 'kayak', true, T0 + 3 * MINUTE, 'refused');
      const [refused] = await outbox.list(viewerOf(VENDOR), { limit: 10 });
      assert.ok(refused?.edit_id);

      const verdict = { kind: 'discard' } as const;
      await outbox.decide({ vendor: VENDOR, by: 'ada', editId: refused.edit_id, verdict, now: T0 + 4 * MINUTE });

      assert.equal(refused.state, 'refused');
      assert.deepEqual(await rowOf(outbox, 'kayak'), CHANGED);
    });

    test('is shown to its vendor only', async (outbox) => {
      await send(outbox, 'kayak', true, T0, 'delivered');
      const heard: string[] = [];
      outbox.subscribe((vendor) => heard.push(vendor));

      for (const minutes of [1, 2])
        await read(outbox, T0 + minutes * MINUTE, value('kayak', false), value('other', true));

      assert.deepEqual(heard, [VENDOR]);
    });
  });
}
