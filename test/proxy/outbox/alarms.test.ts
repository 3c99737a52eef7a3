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

describe('an operator is told', () => {
  it('that edits wait for long, once an hour, and that they no longer do', async (t) => {
    const stand = openProxy(t);
    await stand.portal.misbehave({ down: true });
    stand.proxy.start();
    await post(stand);

    await stand.clock.pass(14 * MINUTE);
    const early = linesOf(stand, 'edits have waited for long');
    await stand.clock.pass(2 * MINUTE);
    const late = linesOf(stand, 'edits have waited for long');
    await stand.clock.pass(50 * MINUTE);
    const stillOne = linesOf(stand, 'edits have waited for long').length;
    await stand.clock.pass(15 * MINUTE);
    const repeated = linesOf(stand, 'edits have waited for long').length;
    await stand.portal.misbehave({ down: false });
    await stand.clock.pass(10 * MINUTE);

    assert.deepEqual(early, []);
    assert.equal(late.length, 1);
    assert.equal(late[0]?.items, 1);
    assert.ok((late[0]?.milliseconds ?? 0) >= 15 * MINUTE);
    assert.equal(stillOne, 1);
    assert.equal(repeated, 2);
    assert.equal(linesOf(stand, 'edits no longer wait for long').length, 1);
  });

  it('that delivery is held, why, and that it goes on', async (t) => {
    const stand = openProxy(t);
    await stand.portal.misbehave({ refuse_items: ['kayak'] });
    stand.proxy.start();

    await post(stand);
    await stand.clock.pass(1000);
    const held = await stand.outbox.heldLanes();
    await stand.portal.misbehave({ refuse_items: [] });
    await stand.clock.pass(6 * MINUTE);

    assert.deepEqual([...held], [['portal_refuses', 1]]);
    assert.deepEqual(
      linesOf(stand, 'delivery is held').map(({ reason }) => reason),
      ['portal_refuses'],
    );
    assert.equal(linesOf(stand, 'delivery goes on').length, 1);
    assert.deepEqual([...(await stand.outbox.heldLanes())], []);
  });

  it('that stamps are ahead of the portal, after a clock that was set back', async (t) => {
    const counted: number[] = [];
    const stand = openProxy(t, {
      metrics: { ...noMetrics, timestampsAhead: (edits) => void counted.push(edits) },
      // An embed token would not outlive such a step.
      authenticate: () => Promise.resolve(ADA),
    });
    stand.clock.setWallBy(DAY);
    await post(stand, true);
    stand.clock.setWallBy(-DAY);
    stand.proxy.start();

    await stand.clock.pass(1000);
    await post(stand, false);
    await stand.clock.pass(1000);

    const lines = linesOf(stand, 'stamps are ahead of the portal');
    assert.equal(lines.length, 2);
    for (const { items, milliseconds } of lines) {
      assert.equal(items, 1);
      assert.ok((milliseconds ?? 0) > DAY - 6 * MINUTE);
    }
    assert.deepEqual(counted, [1, 1]);
  });

  it('nothing of stamps while all clocks agree', async (t) => {
    const stand = openProxy(t);
    stand.proxy.start();

    await post(stand);
    await stand.clock.pass(1000);

    assert.deepEqual(linesOf(stand, 'stamps are ahead of the portal'), []);
    assert.equal((await stand.outbox.count()).delivered, 1);
  });
});

describe('a request', () => {
  it('has one id in its answer and in every line about it', async (t) => {
    const stand = openProxy(t);

    const answer = await stand.ask('GET', '/v1/session', { token: `${await embedToken()}x` });

    const id = answer.headers.get('X-Request-Id');
    assert.deepEqual(
      stand.log.map(({ event, request_id, route }) => [event, request_id, route]),
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
