import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { schedule } from '../../../src/contract/schedules.js';
import { history } from '../../../src/contract/history.js';
import { listing, type Permission } from '../../../src/contract/widget.js';
import type { ProxySession } from '../../../src/proxy/access/session.js';
import { busyTimes, UnreadableCalendar } from '../../../src/proxy/node/calendar/busy-times.js';
import type { CalendarSource } from '../../../src/proxy/outbox/calendar-feeds.js';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const HOUR = 3_600_000;
const URL_OF_KAYAK = 'https://calendar.example.com/kayak-secret.ics';
const PERMISSIONS: readonly Permission[] = ['view', 'edit', 'schedule', 'history'];

/** For as long as the test goes on: hours pass, and a token lasts minutes. */
const ADA: ProxySession = {
  vendor: 'boat-tours',
  subject: 'ada',
  name: 'Ada',
  permissions: new Set(PERMISSIONS),
  expiresAt: Date.UTC(2100, 0, 1),
};

/** The servers of calendars, by address: what each answers now. */
class Calendars implements CalendarSource {
  readonly texts = new Map<string, string>();
  reads = 0;

  async read(
    { url, timeZone }: { readonly url: string; readonly timeZone: string },
    now: number,
  ): ReturnType<CalendarSource['read']> {
    this.reads += 1;
    const text = this.texts.get(url);
    if (text === undefined) return { kind: 'failed', problem: 'unreachable' };
    try {
      return await Promise.resolve({ kind: 'read', busy: busyTimes(text, timeZone, now) });
    } catch (error) {
      if (error instanceof UnreadableCalendar) return { kind: 'failed', problem: 'unreadable' };
      throw error;
    }
  }
}

interface Fixture extends OpenProxy {
  readonly calendars: Calendars;
  readonly counts: string[];
  /** Makes the calendar of the kayak busy for these hours from now on. */
  setBusy(from: number, until: number): void;
  put(body?: object, claims?: Parameters<typeof embedToken>[0], id?: string): Promise<Response>;
  get(path: string): Promise<Response>;
  kayak(): Promise<readonly [available: unknown, backAt: unknown]>;
}

async function open(t: TestContext, options: Parameters<typeof openProxy>[1] = {}): Promise<Fixture> {
  const calendars = new Calendars();
  const counts: string[] = [];
  const clock = new VirtualClock(Math.floor(Date.now() / 1_000) * 1_000);
  const metrics = { ...noMetrics, calendarRead: (outcome: string) => void counts.push(outcome) };
  const proxy = openProxy(t, { clock, calendars, metrics, ...options });
  const token = (claims = {}): Promise<string> => embedToken({ permissions: PERMISSIONS, name: 'Ada', ...claims });
  const get = async (path: string): Promise<Response> => proxy.ask('GET', path, { token: await token() });
  proxy.proxy.start();
  return {
    ...proxy,
    calendars,
    counts,
    setBusy: (from, until) => {
      const at = (hours: number): string =>
        new Date(proxy.clock.wall() + hours * HOUR).toISOString().replace(/[-:]|\.000/g, '');
      const event = ['BEGIN:VEVENT', 'UID:1', `DTSTART:${at(from)}`, `DTEND:${at(until)}`, 'END:VEVENT'];
      calendars.texts.set(URL_OF_KAYAK, ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR', ''].join('\r\n'));
    },
    get,
    put: async (body = {}, claims = {}, id = 'feed') =>
      proxy.ask('PUT', `/v1/schedules/${id}`, {
        token: await token(claims),
        body: { items: ['kayak'], feed: URL_OF_KAYAK, time_zone: 'UTC', ...body },
      }),
    kayak: async () => {
      const { inventory } = listing.parse(await (await get('/v1/inventory')).json());
      const found = inventory.find(({ id }) => id === 'kayak');
      return [found?.available, found?.back_at];
    },
  };
}

describe('the calendar of an item', () => {
  it('closes the item while it is busy and opens it again, at the portal and in the history', async (t) => {
    const fixture = await open(t, { authenticate: () => Promise.resolve(ADA) });
    fixture.setBusy(1, 3);

    const answer = await fixture.put();

    assert.equal(answer.status, 201);
    const made = schedule.parse(await answer.json());
    assert.equal(made.feed?.host, 'calendar.example.com');
    assert.ok(!JSON.stringify(made).includes('secret'));
    await fixture.clock.pass(1.5 * HOUR);
    const backAt = new Date(fixture.clock.wall() + 1.5 * HOUR).toISOString();
    assert.deepEqual(await fixture.kayak(), [false, backAt]);
    await fixture.clock.pass(2 * HOUR);
    assert.deepEqual(await fixture.kayak(), [true, undefined]);
    const entries = history.parse(await (await fixture.get('/v1/history')).json()).history;
    assert.deepEqual(
      entries.map(({ by, to, name, state }) => [by, to, name, state]),
      [
        ['schedule', true, 'Ada', 'delivered'],
        ['schedule', false, 'Ada', 'delivered'],
      ],
    );
  });

  it('is read again every quarter of an hour, and new events are applied', async (t) => {
    const fixture = await open(t, { authenticate: () => Promise.resolve(ADA) });
    fixture.setBusy(24, 25);
    await fixture.put();

    fixture.setBusy(0, 2);
    await fixture.clock.pass(HOUR / 2);

    assert.equal((await fixture.kayak())[0], false);
    assert.ok(fixture.calendars.reads >= 2);
    assert.deepEqual([...new Set(fixture.counts)], ['read']);
  });

  it('that becomes unreadable leaves the item as it was, and the schedule shows since when', async (t) => {
    const fixture = await open(t, { authenticate: () => Promise.resolve(ADA) });
    fixture.setBusy(0, 3);
    await fixture.put();
    await fixture.clock.pass(1_000);

    fixture.calendars.texts.set(URL_OF_KAYAK, '<html>Sign in</html>');
    await fixture.clock.pass(HOUR);

    assert.equal((await fixture.kayak())[0], false);
    const { feed } = schedule.parse(await (await fixture.get('/v1/schedules/feed')).json());
    assert.equal(feed?.problem, 'unreadable');
    assert.ok(feed?.failed_since !== undefined);
    assert.ok(fixture.counts.includes('failed'));
    assert.ok(
      fixture.log.some(({ event, reason }) => event === 'a calendar could not be read' && reason === 'unreadable'),
    );
    assert.ok(!JSON.stringify(fixture.log).includes('secret'));
  });

  it('that is removed changes no item any more', async (t) => {
    const fixture = await open(t);
    fixture.setBusy(1, 2);
    await fixture.put();

    const gone = await fixture.ask('DELETE', '/v1/schedules/feed', {
      token: await embedToken({ permissions: PERMISSIONS }),
    });
    await fixture.clock.pass(5 * 60_000);

    assert.equal(gone.status, 204);
    assert.equal(await fixture.outbox.calendarFeeds.nextAt(), undefined);
    assert.equal(await fixture.outbox.schedules.nextAt(), undefined);
  });

  it('that cannot be read is rejected with the cause, and not stored', async (t) => {
    const fixture = await open(t);

    const unreachable = await expectProblem(await fixture.put(), 'feed_unreadable');
    fixture.calendars.texts.set(URL_OF_KAYAK, 'BEGIN:VCALENDAR\r\n');
    const unreadable = await expectProblem(await fixture.put(), 'feed_unreadable');

    assert.deepEqual(unreachable.errors, [{ pointer: '/feed', message: 'unreachable' }]);
    assert.deepEqual(unreadable.errors, [{ pointer: '/feed', message: 'unreadable' }]);
    await expectProblem(await fixture.get('/v1/schedules/feed'), 'schedule_unknown');
  });

  for (const [what, body, pointer] of [
    ['plain http', { feed: 'http://calendar.example.com/' }, '/feed'],
    ['an address with a user', { feed: 'https://ada:secret@calendar.example.com/' }, '/feed'],
    ['no address', { feed: 'kayak' }, '/feed'],
    ['times beside it', { until: '2031-01-01T10:00' }, ''],
    ['several items', { items: ['kayak', 'boat'] }, '/items'],
  ] as const) {
    it(`with ${what} is rejected, and nothing is fetched`, async (t) => {
      const fixture = await open(t);
      fixture.setBusy(1, 2);

      const problem = await expectProblem(await fixture.put(body), 'invalid_body');

      assert.equal(problem.errors?.[0]?.pointer, pointer);
      assert.equal(fixture.calendars.reads, 0);
    });
  }

  it('is not fetched for a person without the permission, the item or the budget', async (t) => {
    const fixture = await open(t);
    fixture.setBusy(1, 2);

    await expectProblem(await fixture.put({}, { permissions: ['view', 'edit'] }), 'permission_missing');
    await expectProblem(await fixture.put({}, { items: ['boat'] }), 'item_unknown');
    assert.equal(fixture.calendars.reads, 0);
    for (let at = 0; at < 30; at += 1) await fixture.put({}, {}, `feed-${String(at)}`);
    await expectProblem(await fixture.put(), 'budget_spent');
    assert.equal(fixture.calendars.reads, 30);
  });

  it('is rejected by a proxy that reads no calendars', async (t) => {
    const proxy = openProxy(t);
    const token = await embedToken({ permissions: PERMISSIONS });
    const body = { items: ['kayak'], feed: URL_OF_KAYAK, time_zone: 'UTC' };

    const problem = await expectProblem(await proxy.ask('PUT', '/v1/schedules/feed', { token, body }), 'invalid_body');

    assert.equal(problem.errors?.[0]?.pointer, '/feed');
  });
});
