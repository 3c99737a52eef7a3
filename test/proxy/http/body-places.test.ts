import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BODY_LIMITS } from '../../../src/proxy/http/concurrency-limit.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const LONGEST = 256 * 1024;
const BATCH = { inventory: [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };

describe('the limit of bodies that are still arriving', () => {
  for (const [whose, bodies, code] of [
    ['one person', BODY_LIMITS.perUser / LONGEST, 'budget_spent'],
    ['all', BODY_LIMITS.total / LONGEST, 'overloaded'],
  ] as const) {
    it(`rejects further bodies of ${whose}, and accepts them once the others have ended`, async (t) => {
      const { ask } = openProxy(t, { maxConcurrentBatches: bodies });
      const tokenOf = (at: number): Promise<string> =>
        embedToken({ subject: whose === 'all' ? `person-${String(at % 10)}` : 'ada' });
      const ends: (() => void)[] = [];
      const dripped = (): ReadableStream<Uint8Array> =>
        new ReadableStream({
          start: (controller) => {
            ends.push(() => {
              controller.close();
            });
          },
        });
      const tokens = await Promise.all(Array.from({ length: bodies }, (_, at) => tokenOf(at)));
      const slow = tokens.map((token) => ask('POST', '/v1/inventory', { token, body: dripped() }));

      const refused = await ask('POST', '/v1/inventory', { token: await tokenOf(0), body: dripped() });
      const other = await ask('POST', '/v1/inventory', { token: await embedToken({ subject: 'bea' }), body: BATCH });
      for (const end of ends) end();
      const statuses = (await Promise.all(slow)).map(({ status }) => status);
      const again = await ask('POST', '/v1/inventory', { token: await tokenOf(0), body: BATCH });

      await expectProblem(refused, code);
      assert.equal(refused.headers.get('Retry-After'), '1');
      assert.equal(other.status, whose === 'all' ? 503 : 202);
      assert.deepEqual([...new Set(statuses)], [400]);
      assert.equal(again.status, 202);
    });
  }
});
