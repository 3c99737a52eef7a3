import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Schedule } from '../../../src/contract/schedules.js';
import type { ItemId } from '../../../src/domain/item.js';
import {
  CLAIM_MS,
  MAX_FEEDS,
  PARSE_EVERY_MS,
  READ_EVERY_MS,
  type FeedClaim,
  type FeedReading,
} from '../../../src/proxy/outbox/calendar-feeds.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import type { PutResult } from '../../../src/proxy/outbox/schedules.js';
import { viewerOf } from '../../support/viewer.js';
import { testOn, type OpenedOutbox } from './outbox-contract.js';
import { command, HOUR, newId, putSchedule, runDue, setByHand, T0, VENDOR } from './schedule-setup.js';

const MINUTE = 60_000;
const KAYAK = 'kayak' as ItemId;

type Read = Extract<FeedReading, { kind: 'read' }>;

/** @param hours pairs of a beginning and an end, in hours from the start */
function reading(...hours: readonly (readonly [begin: number, end: number])[]): Read {
  return {
    kind: 'read',
    busy: hours.map(([begin, end]) => ({ begin: T0 + begin * HOUR, end: T0 + end * HOUR })),
    etag: '"1"',
  };
}

function put(outbox: Outbox, first: Read, now = T0, more: { id?: string; url?: string } = {}): Promise<PutResult> {
  const { id = 'feed', url = 'https://calendar.example.com/secret.ics' } = more;
  return putSchedule(outbox, id, { items: [KAYAK], feed: url }, { now, reading: first });
}

/** Reads the calendar as the runner of feeds does. @returns how many items changed */
async function readAgain(outbox: Outbox, result: FeedReading, now: number): Promise<number | undefined> {
  const claim = await claimOne(outbox, now);
  return outbox.calendarFeeds.record(claim, result, command(now));
}

async function claimOne(outbox: Outbox, now: number): Promise<FeedClaim> {
  const [claim, ...more] = await outbox.calendarFeeds.claimDue(now, 10, newId);
  assert.ok(claim !== undefined && more.length === 0, 'one feed is due');
  return claim;
}

async function isAvailable(outbox: Outbox): Promise<boolean | undefined> {
  return (await outbox.list(viewerOf(VENDOR), { limit: 10 }))[0]?.available;
}

async function backAt(outbox: Outbox): Promise<string | undefined> {
  return (await outbox.list(viewerOf(VENDOR), { limit: 10 }))[0]?.back_at;
}

async function stored(outbox: Outbox): Promise<Schedule> {
  const schedule = await outbox.schedules.get(VENDOR, 'feed');
  assert.ok(schedule);
  return schedule;
}

async function changes(outbox: Outbox): Promise<(boolean | undefined)[]> {
  const entries = await outbox.history(VENDOR, { limit: 50 });
  return entries
    .filter(({ by }) => by === 'schedule')
    .map(({ to }) => to)
    .reverse();
}

/** Ben sets the item by hand. */
function set(outbox: Outbox, available: boolean, now: number): Promise<void> {
  return setByHand(outbox, KAYAK, available, now, 'ben');
}

export function describeCalendarFeeds(engine: string, open: () => Promise<OpenedOutbox>): void {
  const test = testOn(open);

  describe(`calendars in ${engine}`, () => {
    test('close their item while they are busy and open it afterwards, once each', async (outbox) => {
      await set(outbox, true, T0);
      await put(outbox, reading([1, 2], [24, 25]));

      for (const hours of [0.5, 1, 1, 1.5]) await runDue(outbox, T0 + hours * HOUR);
      assert.equal(await isAvailable(outbox), false);
      assert.equal(await backAt(outbox), '2026-06-01T10:00:00.000Z');
      for (const hours of [2, 2, 3]) await runDue(outbox, T0 + hours * HOUR);

      assert.equal(await isAvailable(outbox), true);
      assert.deepEqual(await changes(outbox), [false, true]);
      assert.equal(await outbox.schedules.nextAt(), T0 + 24 * HOUR);
    });

    test('show the host of their URL, and never the URL', async (outbox) => {
      await put(outbox, reading());

      const schedule = await stored(outbox);

      assert.deepEqual(schedule.feed, { host: 'calendar.example.com', read_at: '2026-06-01T08:00:00.000Z' });
      assert.deepEqual([schedule.state, schedule.next_at], ['waiting', undefined]);
      assert.ok(!JSON.stringify(schedule).includes('secret'));
    });

    test('are read every quarter of an hour by one reader at a time', async (outbox) => {
      await put(outbox, reading());
      assert.deepEqual(await outbox.calendarFeeds.claimDue(T0 + READ_EVERY_MS - 1, 10, newId), []);
      const now = T0 + READ_EVERY_MS;

      const claims = await Promise.all([1, 2, 3].map(() => outbox.calendarFeeds.claimDue(now, 10, newId)));

      const [claim, ...others] = claims.flat();
      assert.ok(claim !== undefined && others.length === 0);
      assert.deepEqual(
        [claim.url, claim.timeZone, claim.etag],
        ['https://calendar.example.com/secret.ics', 'UTC', '"1"'],
      );
      await outbox.calendarFeeds.record(claim, { kind: 'unchanged' }, command(now + MINUTE));
      assert.equal(await outbox.calendarFeeds.nextAt(), now + MINUTE + READ_EVERY_MS);
      assert.equal((await stored(outbox)).feed?.read_at, '2026-06-01T08:16:00.000Z');
    });

    test('are claimed by another reader after the first was killed, whose result is then ignored', async (outbox) => {
      await put(outbox, reading());
      const killed = await claimOne(outbox, T0 + READ_EVERY_MS);
      const second = await claimOne(outbox, T0 + READ_EVERY_MS + CLAIM_MS);
      const now = T0 + READ_EVERY_MS + CLAIM_MS + 1;

      assert.equal(await outbox.calendarFeeds.record(killed, reading([0, 5]), command(now)), undefined);
      assert.equal(await outbox.calendarFeeds.record(second, reading([0, 3]), command(now)), 1);
      assert.equal(await backAt(outbox), '2026-06-01T11:00:00.000Z');
    });

    test('are requested without an ETag once a day, so that they are parsed again', async (outbox) => {
      await put(outbox, reading());

      const claim = await claimOne(outbox, T0 + PARSE_EVERY_MS);

      assert.equal(claim.etag, undefined);
    });

    test('close the item at once for a new busy event, and open it at once when the event is deleted', async (outbox) => {
      await set(outbox, true, T0);
      await put(outbox, reading());

      assert.equal(await readAgain(outbox, reading([0, 3]), T0 + HOUR), 1);
      assert.equal(await isAvailable(outbox), false);
      assert.equal(await readAgain(outbox, reading(), T0 + 2 * HOUR), 1);

      assert.equal(await isAvailable(outbox), true);
      assert.deepEqual(await changes(outbox), [false, true]);
    });

    test('move the end of a closing without another edit, and list the item as changed', async (outbox) => {
      await put(outbox, reading([0, 2]));
      await runDue(outbox, T0);
      const revision = await outbox.revision(VENDOR);

      assert.equal(await readAgain(outbox, reading([0, 4]), T0 + HOUR), 0);

      assert.equal(await backAt(outbox), '2026-06-01T12:00:00.000Z');
      assert.equal((await outbox.list(viewerOf(VENDOR), { since: revision, limit: 10 })).length, 1);
      await runDue(outbox, T0 + 2 * HOUR);
      assert.deepEqual(await changes(outbox), [false]);
      await runDue(outbox, T0 + 4 * HOUR);
      assert.deepEqual(await changes(outbox), [false, true]);
    });

    test('leave an item that a person has opened alone until the next busy event, even if the present one becomes longer', async (outbox) => {
      await put(outbox, reading([0, 2], [24, 25]));
      await runDue(outbox, T0);
      await set(outbox, true, T0 + HOUR);
      assert.deepEqual(
        (await stored(outbox)).items.map(({ state }) => state),
        ['changed'],
      );

      await readAgain(outbox, reading([0, 3], [24, 25]), T0 + 1.5 * HOUR);
      for (const hours of [2, 3]) await runDue(outbox, T0 + hours * HOUR);
      assert.equal(await isAvailable(outbox), true);

      await runDue(outbox, T0 + 24 * HOUR);
      assert.equal(await isAvailable(outbox), false);
    });

    test('do not open an item that a person has closed', async (outbox) => {
      await set(outbox, false, T0);
      await put(outbox, reading([1, 2]));

      for (const hours of [1, 2]) await runDue(outbox, T0 + hours * HOUR);

      assert.equal(await isAvailable(outbox), false);
      assert.deepEqual(await changes(outbox), []);
    });

    test('keep their last events while they cannot be read, and show since when and why', async (outbox) => {
      await set(outbox, true, T0);
      await put(outbox, reading([1, 2]));

      await readAgain(outbox, { kind: 'failed', problem: 'unreachable' }, T0 + 0.5 * HOUR);
      await readAgain(outbox, { kind: 'failed', problem: 'unreadable' }, T0 + 0.9 * HOUR);

      assert.deepEqual((await stored(outbox)).feed, {
        host: 'calendar.example.com',
        read_at: '2026-06-01T08:00:00.000Z',
        failed_since: '2026-06-01T08:30:00.000Z',
        problem: 'unreadable',
      });
      await runDue(outbox, T0 + HOUR);
      assert.equal(await isAvailable(outbox), false);
      await readAgain(outbox, { kind: 'failed', problem: 'unreadable' }, T0 + 1.5 * HOUR);
      assert.equal(await isAvailable(outbox), false);
      await runDue(outbox, T0 + 2 * HOUR);
      assert.equal(await isAvailable(outbox), true);
      await readAgain(outbox, { kind: 'unchanged' }, T0 + 3 * HOUR);
      assert.equal((await stored(outbox)).feed?.failed_since, undefined);
    });

    test('are applied late and once after an outage, without the events that have passed', async (outbox) => {
      await put(outbox, reading([1, 2], [3, 4], [5, 9]));
      await set(outbox, true, T0);

      await runDue(outbox, T0 + 6 * HOUR);
      await runDue(outbox, T0 + 6 * HOUR);

      assert.deepEqual(await changes(outbox), [false]);
      assert.equal(await backAt(outbox), '2026-06-01T17:00:00.000Z');
    });

    test('repeat no edit after the clock was set back', async (outbox) => {
      await set(outbox, true, T0);
      await put(outbox, reading([1, 2], [24, 25]));
      for (const hours of [1, 2]) await runDue(outbox, T0 + hours * HOUR);
      await readAgain(outbox, reading([1, 2], [24, 25]), T0 + 3 * HOUR);

      for (const hours of [0.5, 1, 1.5, 2]) {
        await readAgain(outbox, reading([1, 2], [24, 25]), T0 + hours * HOUR);
        await runDue(outbox, T0 + hours * HOUR);
      }

      assert.deepEqual(await changes(outbox), [false, true]);
    });

    test('end with their schedule: the item stays closed, and a late result is ignored', async (outbox) => {
      await put(outbox, reading([0, 2]));
      await runDue(outbox, T0);
      const late = await claimOne(outbox, T0 + HOUR);

      await outbox.schedules.remove(VENDOR, 'feed');

      assert.equal(await outbox.calendarFeeds.record(late, reading(), command(T0 + HOUR)), undefined);
      await runDue(outbox, T0 + 2 * HOUR);
      assert.deepEqual([await isAvailable(outbox), await backAt(outbox)], [false, undefined]);
      assert.equal(await outbox.calendarFeeds.nextAt(), undefined);
    });

    test('end when the schedule is replaced by one with another URL or without a calendar', async (outbox) => {
      await put(outbox, reading([1, 2]));
      const late = await claimOne(outbox, T0 + READ_EVERY_MS);

      await put(outbox, reading([24, 25]), T0, { url: 'https://other.example.com/' });
      assert.equal(await outbox.calendarFeeds.record(late, reading([1, 2]), command(T0)), undefined);
      assert.equal(await outbox.schedules.nextAt(), T0 + 24 * HOUR);

      await putSchedule(outbox, 'feed', { items: [KAYAK], until: '2026-06-01T12:00' });
      assert.equal(await outbox.calendarFeeds.nextAt(), undefined);
    });

    test('are limited to a maximum number per vendor', async (outbox) => {
      for (let at = 0; at < MAX_FEEDS; at += 1) await put(outbox, reading(), T0, { id: `feed-${String(at)}` });

      assert.deepEqual(await put(outbox, reading(), T0, { id: 'one-more' }), { kind: 'too_many_feeds' });
      const replaced = await put(outbox, reading(), T0, { id: 'feed-1', url: 'https://other.example.com/' });
      assert.equal(replaced.kind, 'stored');
    });
  });
}
