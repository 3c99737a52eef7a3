import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { schedule, schedules, type Schedule } from '../../../src/contract/schedules.js';
import { history } from '../../../src/contract/history.js';
import { listing, type Permission } from '../../../src/contract/widget.js';
import type { ProxySession } from '../../../src/proxy/access/session.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const HOUR = 3_600_000;
const PERMISSIONS: readonly Permission[] = ['view', 'edit', 'schedule', 'history'];

interface Fixture extends OpenProxy {
  put(id: string, body: object, claims?: Parameters<typeof embedToken>[0]): Promise<Response>;
  get(path: string): Promise<Response>;
  values(): Promise<Record<string, unknown>>;
}

/** Ada, for as long as the test goes on: hours pass, and a token lasts minutes. */
const ADA: ProxySession = {
  vendor: 'boat-tours',
  subject: 'ada',
  name: 'Ada',
  permissions: new Set(PERMISSIONS),
  expiresAt: Date.UTC(2100, 0, 1),
};

async function open(t: TestContext, options: Parameters<typeof openProxy>[1] = {}): Promise<Fixture> {
  const proxy = openProxy(t, options);
  const token = (claims = {}): Promise<string> => embedToken({ permissions: PERMISSIONS, name: 'Ada', ...claims });
  const get = async (path: string): Promise<Response> => proxy.ask('GET', path, { token: await token() });
  proxy.proxy.start();
  return {
    ...proxy,
    get,
    put: async (id, body, claims) => proxy.ask('PUT', `/v1/schedules/${id}`, { token: await token(claims), body }),
    values: async () => {
      const { inventory } = listing.parse(await (await get('/v1/inventory')).json());
      return Object.fromEntries(inventory.map(({ id, available, back_at }) => [id, [available, back_at]]));
    },
  };
}

/** In UTC, as many hours from now on, to the minute. */
function local({ clock }: OpenProxy, hours: number): string {
  return new Date(clock.wall() + hours * HOUR).toISOString().slice(0, 16);
}

describe('a schedule', () => {
  it('closes its items at once, shows their end in the list, and opens them at the portal then', async (t) => {
    const fixture = await open(t, { authenticate: () => Promise.resolve(ADA) });
    const until = local(fixture, 2);

    const answer = await fixture.put('s1', { items: ['kayak', 'boat'], until, time_zone: 'UTC' });

    assert.equal(answer.status, 201);
    const made: Schedule = schedule.parse(await answer.json());
    assert.deepEqual(made.items, [
      { id: 'kayak', state: 'closed' },
      { id: 'boat', state: 'closed' },
    ]);
    assert.deepEqual([made.subject, made.name, made.next_at], ['ada', 'Ada', `${until}:00.000Z`]);
    await fixture.clock.pass(1_000);
    assert.deepEqual(await fixture.values(), { boat: [false, `${until}:00.000Z`], kayak: [false, `${until}:00.000Z`] });
    await fixture.clock.pass(3 * HOUR);
    assert.deepEqual(await fixture.values(), { boat: [true, undefined], kayak: [true, undefined] });
    const told = history.parse(await (await fixture.get('/v1/history')).json()).history;
    assert.deepEqual(
      told.map(({ by, state }) => [by, state]),
      Array(4).fill(['schedule', 'delivered']),
    );
  });

  it('that was due while the proxy was down is carried out once, after the start', async (t) => {
    const clock = new VirtualClock(Date.now());
    const first = await open(t, { clock, authenticate: () => Promise.resolve(ADA) });
    await first.put('s1', { items: ['kayak'], until: local(first, 1), time_zone: 'UTC' });
    await clock.pass(1_000);
    await first.proxy.stop();
    clock.sleep(5 * HOUR);

    const second = await open(t, { clock, outbox: first.outbox, authenticate: () => Promise.resolve(ADA) });
    await clock.pass(1_000);
    await clock.pass(HOUR);

    assert.deepEqual(await second.values(), { kayak: [true, undefined] });
    assert.equal(history.parse(await (await second.get('/v1/history')).json()).history.length, 2);
  });

  it('is listed, read, replaced and removed', async (t) => {
    const fixture = await open(t);
    const [body, token] = [
      { items: ['kayak'], from: local(fixture, 24), until: local(fixture, 48), time_zone: 'UTC' },
      await embedToken({ permissions: PERMISSIONS }),
    ];
    await fixture.put('s1', body);

    const again = await fixture.put('s1', { ...body, items: ['kayak', 'boat'] });

    assert.equal(again.status, 200);
    const listed = schedules.parse(await (await fixture.get('/v1/schedules')).json());
    assert.deepEqual(
      listed.schedules.map(({ id, state, items }) => [id, state, items.length]),
      [['s1', 'waiting', 2]],
    );
    assert.equal((await fixture.get('/v1/schedules/s1')).status, 200);
    assert.equal((await fixture.ask('DELETE', '/v1/schedules/s1', { token })).status, 204);
    await expectProblem(await fixture.get('/v1/schedules/s1'), 'schedule_unknown');
    await expectProblem(await fixture.ask('DELETE', '/v1/schedules/s1', { token }), 'schedule_unknown');
  });

  for (const [what, body, pointer] of [
    ['a zone that is none', { time_zone: 'Berlin' }, '/time_zone'],
    ['an offset as a zone', { time_zone: '+02:00' }, '/time_zone'],
    ['a day that the calendar has not', { until: '2031-02-30T10:00' }, '/until'],
    ['a time in the past', { until: '2001-01-01T10:00' }, '/until'],
    ['a moment with an offset', { until: '2031-01-01T10:00Z' }, '/until'],
    ['no items', { items: [] }, '/items'],
    ['neither a beginning nor an end', { until: undefined }, ''],
    ['a field that is unknown', { colour: 'red' }, '/colour'],
  ] as const) {
    it(`is rejected with ${what}`, async (t) => {
      const fixture = await open(t);

      const answer = await fixture.put('s1', {
        items: ['kayak'],
        until: '2031-01-01T10:00',
        time_zone: 'UTC',
        ...body,
      });

      const problem = await expectProblem(answer, 'invalid_body');
      assert.equal(problem.errors?.[0]?.pointer, pointer);
      assert.deepEqual(await fixture.values(), {});
    });
  }

  it('needs the permission and items of the session', async (t) => {
    const fixture = await open(t);
    const body = { items: ['kayak', 'boat'], until: local(fixture, 2), time_zone: 'UTC' };

    await expectProblem(await fixture.put('s1', body, { permissions: ['view', 'edit'] }), 'permission_missing');
    const foreign = await expectProblem(await fixture.put('s1', body, { items: ['kayak'] }), 'item_unknown');
    assert.deepEqual(foreign.errors, [{ pointer: '/items/1', message: 'item_unknown' }]);

    await fixture.put('s1', body);
    const confined = await embedToken({ permissions: PERMISSIONS, items: ['kayak'] });
    const seen = schedule.parse(await (await fixture.ask('GET', '/v1/schedules/s1', { token: confined })).json());
    assert.deepEqual(
      seen.items.map(({ id }) => id),
      ['kayak'],
    );
    await expectProblem(await fixture.ask('DELETE', '/v1/schedules/s1', { token: confined }), 'schedule_unknown');
    const other = await embedToken({ permissions: PERMISSIONS, vendor: 'pottery' });
    await expectProblem(await fixture.ask('GET', '/v1/schedules/s1', { token: other }), 'schedule_unknown');
  });
});
