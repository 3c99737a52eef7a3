import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import type { ProxySession } from '../../../src/proxy/access/session.js';
import { openProxy, type LogLine, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ADA: ProxySession = {
  vendor: 'boat-tours',
  subject: 'ada',
  permissions: new Set(['view', 'edit']),
  expiresAt: Date.UTC(9999, 0),
};

describe('the log', () => {
  it('warns once an hour while edits have waited for more than 15 minutes, and reports the end', async (t) => {
    const fixture = openProxy(t);
    await fixture.portal.misbehave({ down: true });
    fixture.proxy.start();
    await post(fixture);

    await fixture.clock.pass(14 * MINUTE);
    const early = linesOf(fixture, 'edits have waited for long');
    await fixture.clock.pass(2 * MINUTE);
    const late = linesOf(fixture, 'edits have waited for long');
    await fixture.clock.pass(50 * MINUTE);
    const stillOne = linesOf(fixture, 'edits have waited for long').length;
    await fixture.clock.pass(15 * MINUTE);
    const repeated = linesOf(fixture, 'edits have waited for long').length;
    await fixture.portal.misbehave({ down: false });
    await fixture.clock.pass(10 * MINUTE);

    assert.deepEqual(early, []);
    assert.equal(late.length, 1);
    assert.equal(late[0]?.items, 1);
    assert.ok((late[0]?.milliseconds ?? 0) >= 15 * MINUTE);
    assert.equal(stillOne, 1);
    assert.equal(repeated, 2);
    assert.equal(linesOf(fixture, 'edits no longer wait for long').length, 1);
  });

  it('reports that delivery is held, with the reason, and that it goes on', async (t) => {
    const fixture = openProxy(t);
    await fixture.portal.misbehave({ refuse_items: ['kayak'] });
    fixture.proxy.start();

    await post(fixture);
    await fixture.clock.pass(1000);
    const held = await fixture.outbox.heldLanes();
    await fixture.portal.misbehave({ refuse_items: [] });
    await fixture.clock.pass(6 * MINUTE);

    assert.deepEqual([...held], [['portal_refuses', 1]]);
    assert.deepEqual(
      linesOf(fixture, 'delivery is held').map(({ reason }) => reason),
      ['portal_refuses'],
    );
    assert.equal(linesOf(fixture, 'delivery goes on').length, 1);
    assert.deepEqual([...(await fixture.outbox.heldLanes())], []);
  });

  it('warns about timestamps ahead of the portal after the clock was set back', async (t) => {
    const counted: number[] = [];
    const fixture = openProxy(t, {
      metrics: { ...noMetrics, timestampsAhead: (edits) => void counted.push(edits) },
      // An embed token would not stay valid over such a step.
      authenticate: () => Promise.resolve(ADA),
    });
    fixture.clock.setWallBy(DAY);
    await post(fixture, true);
    fixture.clock.setWallBy(-DAY);
    fixture.proxy.start();

    await fixture.clock.pass(1000);
    await post(fixture, false);
    await fixture.clock.pass(1000);

    const lines = linesOf(fixture, 'stamps are ahead of the portal');
    assert.equal(lines.length, 2);
    for (const { items, milliseconds } of lines) {
      assert.equal(items, 1);
      assert.ok((milliseconds ?? 0) > DAY - 6 * MINUTE);
    }
    assert.deepEqual(counted, [1, 1]);
  });

  it('has no warning about timestamps while all clocks agree', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();

    await post(fixture);
    await fixture.clock.pass(1000);

    assert.deepEqual(linesOf(fixture, 'stamps are ahead of the portal'), []);
    assert.equal((await fixture.outbox.count()).delivered, 1);
  });
});

describe('a request', () => {
  it('has one id in its response and in every log line about it', async (t) => {
    const fixture = openProxy(t);

    const answer = await fixture.ask('GET', '/v1/session', { token: `${await embedToken()}x` });

    const id = answer.headers.get('X-Request-Id');
    assert.deepEqual(
      fixture.log.map(({ event, request_id, route }) => [event, request_id, route]),
      [
        ['embed token refused', id, undefined],
        ['problem response', id, undefined],
        ['request', id, '/v1/session'],
      ],
    );
  });
});

async function post({ ask }: OpenProxy, available = true): Promise<void> {
  const body = { inventory: [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z' }] };
  const token = await embedToken();
  const answer = await ask('POST', '/v1/inventory', { token, body });
  assert.equal(answer.status, 202);
}

function linesOf({ log }: OpenProxy, event: string): LogLine[] {
  return log.filter((line) => line.event === event);
}
