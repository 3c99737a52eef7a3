import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ScheduleRequest } from '../../../src/contract/schedules.js';
import type { ItemId } from '../../../src/domain/item.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import type { PutResult } from '../../../src/proxy/outbox/schedules.js';
import { viewerOf } from '../../support/viewer.js';
import { batch, edit, testOn, type OpenedOutbox } from './outbox-contract.js';
import { command, HOUR, putSchedule, runDue, setByHand, T0, VENDOR } from './schedule-setup.js';

/** Stores a schedule of two items, unless the request names others. */
function put(outbox: Outbox, id: string, request: Partial<ScheduleRequest>, now = T0): Promise<PutResult> {
  return putSchedule(outbox, id, { items: ['a', 'b'] as ItemId[], ...request }, { now });
}

async function valuesOf(outbox: Outbox): Promise<Record<string, boolean | undefined>> {
  const rows = await outbox.list(viewerOf(VENDOR), { limit: 100 });
  return Object.fromEntries(rows.map(({ id, available }) => [id, available]));
}

async function itemStates(outbox: Outbox, id: string): Promise<string[] | undefined> {
  return (await outbox.schedules.get(VENDOR, id))?.items.map(({ state }) => state);
}

export function describeSchedules(engine: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`schedules in ${engine}`, () => {
    test('close at once, and open again once at their time', async (outbox) => {
      await setByHand(outbox, 'b', true, T0 - HOUR);

      const stored = await put(outbox, 's', { until: '2026-06-01T10:00' });

      assert.ok(stored.kind === 'stored' && stored.isNew);
      assert.equal(stored.schedule.next_at, '2026-06-01T10:00:00.000Z');
      assert.deepEqual(await valuesOf(outbox), { a: false, b: false });
      assert.equal(await outbox.schedules.nextAt(), T0 + 2 * HOUR);
      assert.equal(await runDue(outbox, T0 + 2 * HOUR - 1), 0);
      assert.equal(await runDue(outbox, T0 + 2 * HOUR), 2);
      assert.equal(await runDue(outbox, T0 + 2 * HOUR), 0);
      assert.deepEqual(await valuesOf(outbox), { a: true, b: true });
      assert.deepEqual(await itemStates(outbox, 's'), ['done', 'done']);
      assert.equal(await outbox.schedules.nextAt(), undefined);
    });

    test('make edits of the person that the history marks as scheduled', async (outbox) => {
      await put(outbox, 's', { items: ['a'] as ItemId[], until: '2026-06-01T10:00' });
      await runDue(outbox, T0 + 2 * HOUR);

      const entries = await outbox.history(VENDOR, { limit: 10 });

      assert.deepEqual(
        entries.map(({ subject, name, from, to, by, schedule }) => ({ subject, name, from, to, by, schedule })),
        [
          { subject: 'ada', name: 'Ada', from: false, to: true, by: 'schedule', schedule: 's' },
          { subject: 'ada', name: 'Ada', from: undefined, to: false, by: 'schedule', schedule: 's' },
        ],
      );
    });

    test('show in the list when an item opens again, as long as that is true', async (outbox) => {
      const backAt = async (): Promise<unknown[]> =>
        (await outbox.list(viewerOf(VENDOR), { limit: 10 })).map(({ back_at }) => back_at);
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      const before = await outbox.revision(VENDOR);
      assert.deepEqual(await backAt(), ['2026-06-01T10:00:00.000Z', '2026-06-01T10:00:00.000Z']);

      await put(outbox, 's', { until: '2026-06-01T12:00' });
      assert.deepEqual(await backAt(), ['2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z']);
      assert.equal((await outbox.list(viewerOf(VENDOR), { since: before, limit: 10 })).length, 2);
      assert.equal((await outbox.history(VENDOR, { limit: 10 })).length, 2, 'nothing was closed twice');

      await setByHand(outbox, 'a', true, T0 + HOUR);
      assert.deepEqual(await backAt(), [undefined, '2026-06-01T12:00:00.000Z']);
      assert.equal(await outbox.schedules.remove(VENDOR, 's'), true);
      assert.deepEqual(await backAt(), [undefined, undefined]);
      assert.equal(await outbox.schedules.remove(VENDOR, 's'), false);
    });

    test('leave items that they no longer name unavailable, and show no time for them', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });

      await put(outbox, 's', { items: ['b'] as ItemId[], until: '2026-06-01T10:00' }, T0 + 1);

      const listed = await outbox.list(viewerOf(VENDOR), { limit: 10 });
      assert.deepEqual(
        listed.map(({ id, back_at }) => [id, back_at]),
        [
          ['a', undefined],
          ['b', '2026-06-01T10:00:00.000Z'],
        ],
      );
      assert.equal(await runDue(outbox, T0 + 2 * HOUR), 1);
      assert.deepEqual(await valuesOf(outbox), { a: false, b: true });
    });

    test('do not open items that a person has changed since, and mark them as changed', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      await setByHand(outbox, 'a', true, T0 + HOUR);
      await setByHand(outbox, 'a', false, T0 + HOUR + 1);

      assert.deepEqual(await itemStates(outbox, 's'), ['changed', 'closed']);
      assert.equal(await runDue(outbox, T0 + 2 * HOUR), 1);
      assert.deepEqual(await valuesOf(outbox), { a: false, b: true });
    });

    test('are executed late and once after an outage, and not at all if their end has passed', async (outbox) => {
      await put(outbox, 'running', { items: ['a'] as ItemId[], until: '2026-06-01T10:00' });
      await put(outbox, 'begun', { items: ['b'] as ItemId[], from: '2026-06-01T09:00', until: '2026-06-09T10:00' });
      await put(outbox, 'missed', { items: ['c'] as ItemId[], from: '2026-06-01T09:00', until: '2026-06-01T10:00' });
      const later = T0 + 72 * HOUR;

      assert.equal(await runDue(outbox, later), 2);

      assert.deepEqual(await valuesOf(outbox), { a: true, b: false });
      assert.deepEqual(await itemStates(outbox, 'missed'), ['done']);
      assert.equal(await runDue(outbox, later + 1), 0);
    });

    test('are not repeated by a clock that is set back', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      await runDue(outbox, T0 + 3 * HOUR);

      assert.equal(await runDue(outbox, T0), 0);
      assert.equal(await runDue(outbox, T0 + 2 * HOUR), 0);
      assert.equal((await outbox.history(VENDOR, { limit: 10 })).length, 4);
    });

    test('run a step once with two concurrent runners', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      const now = T0 + 2 * HOUR;
      const [due] = await outbox.schedules.due(now, 10);
      assert.ok(due);

      const taken = await Promise.all([1, 2, 3].map(() => outbox.schedules.run(due, command(now))));

      assert.deepEqual(
        taken.filter((count) => count !== undefined),
        [2],
      );
      assert.equal((await outbox.history(VENDOR, { limit: 10 })).length, 4);
    });

    test('close the items that are available at that time each week, and open exactly those', async (outbox) => {
      await setByHand(outbox, 'a', true, T0);
      await setByHand(outbox, 'b', false, T0);
      const tuesdays = { days: ['tue' as const], from: '00:00', until: '00:00' };
      await put(outbox, 's', { repeat: tuesdays });

      assert.equal(await runDue(outbox, Date.parse('2026-06-02T00:00Z')), 1);
      assert.deepEqual(await valuesOf(outbox), { a: false, b: false });
      assert.deepEqual(await itemStates(outbox, 's'), ['closed', 'changed']);
      assert.equal(await runDue(outbox, Date.parse('2026-06-03T00:00Z')), 1);
      assert.deepEqual(await valuesOf(outbox), { a: true, b: false });
      assert.equal(await outbox.schedules.nextAt(), Date.parse('2026-06-09T00:00Z'));
      assert.deepEqual(await itemStates(outbox, 's'), ['waiting', 'waiting']);
    });

    test('change nothing if they are stored again unchanged', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      await setByHand(outbox, 'a', true, T0 + 1);

      const again = await put(outbox, 's', { until: '2026-06-01T10:00' }, T0 + 2);

      assert.ok(again.kind === 'stored' && !again.isNew);
      assert.deepEqual(await valuesOf(outbox), { a: true, b: false });
      assert.equal((await outbox.schedules.list(VENDOR, { limit: 10 })).length, 1);
    });

    test('are rejected if they lie in the past, and for an item of another vendor', async (outbox) => {
      await outbox.accept(batch([edit('b', true)], { vendor: 'vendor-b' }));

      assert.deepEqual(await put(outbox, 's', { items: ['a'] as ItemId[], until: '2026-06-01T08:00' }), {
        kind: 'past',
      });
      assert.deepEqual(await put(outbox, 's', { until: '2026-06-01T10:00' }), { kind: 'item_unknown', indices: [1] });
      assert.deepEqual(await outbox.schedules.list(VENDOR, { limit: 10 }), []);
      assert.deepEqual(await valuesOf(outbox), {});
    });

    test('change no item that belongs to another vendor when they are due', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      const now = T0 + 2 * HOUR;
      const [due] = await outbox.schedules.due(now, 10);
      assert.ok(due);

      const changed = await outbox.schedules.run(due, command(now, { hasOtherOwner: (id) => id === 'a' }));

      assert.equal(changed, 1);
      assert.deepEqual(await valuesOf(outbox), { a: false, b: true });
    });

    test('are deleted some time after their end', async (outbox) => {
      await put(outbox, 's', { until: '2026-06-01T10:00' });
      await put(outbox, 'lasting', { until: '2027-06-01T10:00' });
      await runDue(outbox, T0 + 2 * HOUR);

      assert.equal(await outbox.schedules.prune(T0 + 2 * HOUR), 0);
      assert.equal(await outbox.schedules.prune(T0 + 2 * HOUR + 1), 1);
      assert.deepEqual(
        (await outbox.schedules.list(VENDOR, { limit: 10 })).map(({ id }) => id),
        ['lasting'],
      );
    });
  });
}
