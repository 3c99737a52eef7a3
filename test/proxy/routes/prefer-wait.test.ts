import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, mock } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { parsePreferWait, waitForReceipts } from '../../../src/proxy/routes/read-receipts.js';
import { viewerOf } from '../../support/viewer.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const BODY = { inventory: [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };

async function post({ ask, clock }: OpenProxy, prefer: string): Promise<Response> {
  const token = await clock.during(embedToken());
  return ask('POST', '/v1/inventory', { token, body: BODY, headers: { Prefer: prefer } });
}

describe('a batch with Prefer: wait', () => {
  it('is answered as soon as all edits are delivered', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();

    const answer = await fixture.clock.passUntil(post(fixture, 'wait=5'), 4000);

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Preference-Applied'), 'wait=5');
    assert.equal(receipts.parse(await answer.json()).receipts[0]?.state, 'delivered');
  });

  it('is answered with the state received at the deadline while the portal is down', async (t) => {
    const fixture = openProxy(t);
    fixture.portal.networkFault = 'unreachable';
    fixture.proxy.start();

    const answer = await fixture.clock.passUntil(post(fixture, 'respond-async, wait=1'), 4000);

    assert.equal(answer.status, 202);
    assert.equal(answer.headers.get('Preference-Applied'), 'wait=1');
    assert.equal(receipts.parse(await answer.json()).receipts[0]?.state, 'received');
  });

  it('is answered with the state received at once when the proxy stops', async (t) => {
    const fixture = openProxy(t);
    fixture.portal.networkFault = 'unreachable';
    fixture.proxy.start();
    const asked = post(fixture, 'wait=10');
    await fixture.clock.pass(1000);

    await fixture.clock.during(fixture.proxy.stop());

    const answer = await fixture.clock.passUntil(asked, 100);
    assert.equal(answer.status, 202);
    assert.equal(receipts.parse(await answer.json()).receipts[0]?.state, 'received');
  });

  it('is answered at once when the edit is delivered while its receipt is read', async (t) => {
    const outbox = openMemoryOutbox();
    const fixture = openProxy(t, { outbox });
    const delivered = new Promise<void>((resolve) => {
      outbox.subscribe(() => void outbox.count().then((count) => count.delivered === 1 && resolve()));
    });
    const look = outbox.receipts.bind(outbox);
    mock.method(outbox, 'receipts', async (...asked: Parameters<typeof look>) => {
      const found = await look(...asked);
      fixture.proxy.start();
      await delivered;
      return found;
    });

    const answer = await fixture.clock.passUntil(post(fixture, 'wait=5'), 4000);

    assert.equal(answer.status, 200);
  });

  it('leaves no listener on the outbox', async (t) => {
    const outbox = openMemoryOutbox();
    const fixture = openProxy(t, { outbox });
    let waiting = 0;
    let join = (): void => undefined;
    const joined = new Promise<void>((resolve) => (join = resolve));
    const subscribe = outbox.subscribe.bind(outbox);
    mock.method(outbox, 'subscribe', (listener: Parameters<typeof subscribe>[0]) => {
      const leave = subscribe(listener);
      waiting += 1;
      join();
      return () => {
        waiting -= 1;
        leave();
      };
    });

    const answer = post(fixture, 'wait=1');
    await joined;
    await fixture.clock.passUntil(answer, 4000);

    assert.equal(waiting, 0);
  });

  it('leaves no listener on the stop signal of the proxy', async (t) => {
    const { outbox, clock } = openProxy(t);
    const stopSignal = new AbortController();
    const asked = waitForReceipts(outbox, viewerOf('boat-tours'), [], {
      seconds: 1,
      clock,
      stopSignal: stopSignal.signal,
    });
    const during = getEventListeners(stopSignal.signal, 'abort').length;

    await asked;

    assert.deepEqual([during, getEventListeners(stopSignal.signal, 'abort').length], [1, 0]);
  });

  const headers: readonly (readonly [header: string, seconds: number | undefined])[] = [
    ['wait=3', 3],
    ['Wait = "3"', 3],
    ['respond-async, wait=3; foo', 3],
    ['wait=99', 10],
    ['wait=0', 0],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['await=3', undefined],
    ['return=minimal', undefined],
  ];
  for (const [header, seconds] of headers) {
    it(`waits ${String(seconds)} seconds for the header ${header}`, () => {
      const request = new Request('https://proxy.test/', { headers: { Prefer: header } });

      assert.equal(parsePreferWait(request), seconds);
    });
  }
});
