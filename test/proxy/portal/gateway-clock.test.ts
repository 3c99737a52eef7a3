import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { PersistedPortalClock } from '../../../src/proxy/portal/clock-offset.js';
import { PortalClock } from '../../../src/proxy/portal/clock-offset.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;

const json = { 'Content-Type': 'application/json' };

/** Responses of a gateway in front of the portal to one update. */
const GATEWAYS: readonly (readonly [what: string, answer: (date: (aheadMs: number) => string) => Response])[] = [
  [
    'an error with a date of years ago',
    (date) => new Response(null, { status: 503, headers: { Date: date(-5 * YEAR) } }),
  ],
  [
    'an error with a date of years ahead',
    (date) => new Response(null, { status: 503, headers: { Date: date(10 * YEAR) } }),
  ],
  [
    'an error with a date of ten seconds ago',
    (date) => new Response(null, { status: 502, headers: { Date: date(-10 * SECOND) } }),
  ],
  [
    'a success that a cache kept for ten seconds',
    (date) => new Response('{}', { headers: { ...json, Date: date(-10 * SECOND), Age: '10' } }),
  ],
  [
    'a web page with a date of yesterday',
    (date) => new Response('<h1>Hello</h1>', { headers: { 'Content-Type': 'text/html', Date: date(-DAY) } }),
  ],
  [
    'one success with a date of years ahead',
    (date) => new Response('{}', { headers: { ...json, Date: date(10 * YEAR) } }),
  ],
];

describe('the clock of a gateway in front of the portal', () => {
  for (const [what, answer] of GATEWAYS) {
    it(`changes no timestamp if it answers one update with ${what}`, async (t) => {
      let hasAnswered = false;
      const clock = new VirtualClock(Date.now());
      const fixture: OpenProxy = openProxy(t, {
        clock,
        fetch: async (input, init) => {
          const { pathname } = new URL(input instanceof Request ? input.url : input);
          if (pathname !== '/v1/inventory' || hasAnswered) return fixture.portal.fetch(input, init);
          hasAnswered = true;
          return answer((aheadMs) => new Date(clock.wall() + aheadMs).toUTCString());
        },
      });
      fixture.portal.aheadMs = 0;
      fixture.proxy.start();
      await post(fixture, 'kayak');
      await clock.pass(SECOND);

      const stamp = await post(fixture, 'sauna');

      assert.equal(hasAnswered, true);
      assert.ok(Math.abs(stamp - clock.wall()) < 5 * SECOND, `${stamp - clock.wall()} ms`);
    });
  }
});

describe('a jump of the portal’s clock by more than a minute', () => {
  const at = (milliseconds: number): string => new Date(milliseconds).toUTCString();

  for (const by of [-DAY, -2 * MINUTE, 2 * MINUTE, DAY]) {
    it(`is believed when a second response agrees: ${by / MINUTE} minutes`, () => {
      const clock = new PortalClock();
      const now = Date.parse('2026-11-21T08:30:00Z');
      clock.observe(at(now + by), now, now);
      const afterOne = clock.offset;

      clock.observe(at(now + by + SECOND), now + SECOND, now + SECOND);

      assert.equal(afterOne, 0);
      assert.ok(Math.abs(clock.offset - by) <= SECOND, `${clock.offset} ms`);
    });
  }

  it('is not believed if two responses disagree', () => {
    const clock = new PortalClock();
    const now = Date.parse('2026-11-21T08:30:00Z');

    for (const by of [-DAY, DAY, 0, -DAY]) clock.observe(at(now + by), now, now);

    assert.equal(clock.offset, 0);
  });

  for (const [by, reason] of [
    [DAY, 'the portal is ahead of this machine'],
    [-DAY, 'the portal is behind this machine'],
  ] as const) {
    it(`is logged as a warning: ${reason}`, async () => {
      const clock = new VirtualClock();
      const lines: (string | undefined)[] = [];
      const outbox = { portalOffset: () => Promise.resolve(0), storePortalOffset: () => Promise.resolve() };
      const kept = new PersistedPortalClock({
        outbox,
        clock,
        log: (level, event, fields) => void lines.push(level, event, fields?.reason),
      });
      await kept.offset();

      for (let times = 0; times < 3; times += 1) kept.clock.observe(at(clock.wall() + by), clock.wall(), clock.wall());

      assert.deepEqual(lines, ['warn', 'the clocks of portal and proxy differ', reason]);
    });
  }
});

/** @returns the timestamp that the proxy made for the portal */
async function post({ ask, clock }: OpenProxy, id: string): Promise<number> {
  const inventory = [{ id, available: true, updated_at: new Date(clock.wall()).toISOString() }];
  const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
  return Date.parse(receipts.parse(await answer.json()).receipts[0]?.updated_at ?? '');
}
