import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { history } from '../../../src/contract/history.js';
import { listing, receipts } from '../../../src/contract/widget.js';
import { PortalClock } from '../../../src/proxy/portal/clock-offset.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const CLOCKS = [
  '0000-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '1999-12-31T23:59:59.999Z',
  '2038-01-19T03:14:08.000Z',
  '9999-12-31T23:59:59.999999999Z',
];

describe('a page with a wrong clock', () => {
  for (const wrong of CLOCKS) {
    it(`has its edit of ${wrong} stamped by the proxy, and a later edit of a correct clock wins`, async (t) => {
      const { ask, clock, proxy, portal } = openProxy(t);
      const token = await embedToken({ permissions: ['view', 'edit', 'history'] });
      const post = async (available: boolean, time: string): Promise<string | undefined> => {
        const edit = { id: 'kayak', available, updated_at: time, base: time };
        const answer = await ask('POST', '/v1/inventory', { token, body: { inventory: [edit], sent_at: time } });
        assert.equal(answer.status, 202);
        return receipts.parse(await answer.json()).receipts[0]?.updated_at;
      };
      const now = clock.wall();
      proxy.start();

      const first = await post(true, wrong);
      await clock.pass(60_000);
      const second = await post(false, new Date(clock.wall()).toISOString());
      await clock.pass(60_000);

      const told = [Date.parse(first ?? ''), Date.parse(second ?? '')].map((stamp) => stamp - now);
      assert.deepEqual(told, [0, 60_000]);
      const sent = (await portal.updates()).flatMap(({ inventory }) => inventory ?? []);
      assert.deepEqual(
        sent.map(({ available, updated_at }) => [available, updated_at]),
        [
          [true, first],
          [false, second],
        ],
      );
      const rows = history.parse(await (await ask('GET', '/v1/history', { token })).json()).history;
      const { inventory } = listing.parse(await (await ask('GET', '/v1/inventory', { token })).json());
      assert.equal(JSON.stringify([rows, inventory]).includes(wrong.slice(0, 10)), false);
    });
  }
});

describe('the clock of the portal', () => {
  for (const date of [
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Mon, 01 Jan 0001 00:00:00 GMT',
  ]) {
    it(`is ignored if its Date header is ${date}, whose timestamps would make all later edits older`, () => {
      const clock = new PortalClock();
      const now = Date.parse('2026-11-21T08:30:00Z');

      // A second response that agrees confirms any date that is possible.
      clock.observe(date, now, now + 10);
      clock.observe(date, now, now + 10);

      assert.equal(clock.offset, 0);
    });
  }

  it('is used if it is right, however wrong the clock of the proxy is', () => {
    const clock = new PortalClock();

    clock.observe('Sat, 21 Nov 2026 08:30:00 GMT', 0, 0);
    clock.observe('Sat, 21 Nov 2026 08:30:00 GMT', 0, 0);

    assert.equal(clock.offset, Date.parse('2026-11-21T08:30:00.500Z'));
  });
});
