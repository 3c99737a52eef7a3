import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receipts } from '../../src/contract/widget.js';
import { preferredWait } from '../../src/proxy/settled-receipts.js';
import { openProxy, type OpenProxy } from '../support/open-proxy.js';
import { embedToken } from '../support/page-request.js';

const BODY = { inventory: [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };

async function post({ ask }: OpenProxy, prefer: string): Promise<Response> {
  return ask('POST', '/v1/inventory', { token: await embedToken(), body: BODY, headers: { Prefer: prefer } });
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

      assert.equal(preferredWait(request), seconds);
    });
  }
});
