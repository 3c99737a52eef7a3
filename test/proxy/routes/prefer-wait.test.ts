import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, mock } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { parsePreferWait, waitForReceipts } from '../../../src/proxy/routes/read-receipts.js';
import { askerOf } from '../../support/asker.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const BODY = { inventory: [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };

async function post({ ask, clock }: OpenProxy, prefer: string): Promise<Response> {
  const token = await clock.during(embedToken());
  return ask('POST', '/v1/inventory', { token, body: BODY, headers: { Prefer: prefer } });
}

describe('a page that prefers to wait', () => {
  it('hears at once that all is on the portal', async (t) => {
    const stand = openProxy(t);
    stand.proxy.start();

    const answer = await stand.clock.passUntil(post(stand, 'wait=5'), 4000);

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Preference-Applied'), 'wait=5');
    assert.equal(receipts.parse(await answer.json()).receipts[0]?.state, 'delivered');
  });

  it('hears at the deadline that the proxy has it, where the portal is down', async (t) => {
    const stand = openProxy(t);
    stand.portal.weather = 'unreachable';
    stand.proxy.start();

    const answer = await stand.clock.passUntil(post(stand, 'respond-async, wait=1'), 4000);

    assert.equal(answer.status, 202);
    assert.equal(answer.headers.get('Preference-Applied'), 'wait=1');
    assert.equal(receipts.parse(await answer.json()).receipts[0]?.state, 'received');
  });

  it('hears at once that the proxy has it when the proxy stops: nothing is delivered any more', async (t) => {
    const stand = openProxy(t);
    stand.portal.weather = 'unreachable';
    stand.proxy.start();
    const asked = post(stand, 'wait=10');
    await stand.clock.pass(1000);

    await stand.clock.during(stand.proxy.stop());

    const answer = await stand.clock.passUntil(asked, 100);
    assert.equal(answer.status, 202);
    assert.equal(receipts.parse(await answer.json()).receipts[0]?.state, 'received');
  });

  it('hears at once what is delivered while the proxy looks whether it is', async (t) => {
    const outbox = openMemoryOutbox();
    const stand = openProxy(t, { outbox });
    const delivered = new Promise<void>((resolve) => {
      outbox.subscribe(() => void outbox.count().then((count) => count.delivered === 1 && resolve()));
    });
    const look = outbox.receipts.bind(outbox);
    mock.method(outbox, 'receipts', async (...asked: Parameters<typeof look>) => {
      const found = await look(...asked);
      stand.proxy.start();
      await delivered;
      return found;
    });

    const answer = await stand.clock.passUntil(post(stand, 'wait=5'), 4000);

    assert.equal(answer.status, 200);
  });

  it('leaves nothing behind in the proxy', async (t) => {
    const outbox = openMemoryOutbox();
    const stand = openProxy(t, { outbox });
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

    const answer = post(stand, 'wait=1');
    await joined;
    await stand.clock.passUntil(answer, 4000);

    assert.equal(waiting, 0);
  });

  it('leaves nothing behind with what tells it that the proxy stops, which may be in a year', async (t) => {
    const { outbox, clock } = openProxy(t);
    const ending = new AbortController();
    const asked = waitForReceipts(outbox, askerOf('boat-tours'), [], { seconds: 1, clock, ending: ending.signal });
    const during = getEventListeners(ending.signal, 'abort').length;

    await asked;

    assert.deepEqual([during, getEventListeners(ending.signal, 'abort').length], [1, 0]);
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
    it(`means ${String(seconds)} by ${header}`, () => {
      const request = new Request('https://proxy.test/', { headers: { Prefer: header } });

      assert.equal(parsePreferWait(request), seconds);
    });
  }
});
