import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const batch = (id: string) => ({ inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }] });

describe('the limit of concurrent batches', () => {
  it('rejects further batches with overloaded and Retry-After', async (t) => {
    const { ask, outbox } = openProxy(t, { maxConcurrentBatches: 2 });
    const token = await embedToken();

    const answers = await Promise.all(
      ['kayak', 'tent', 'boat'].map((id) => ask('POST', '/v1/inventory', { token, body: batch(id) })),
    );

    const refused = answers.filter(({ status }) => status !== 202);
    assert.equal(refused.length, 1);
    await expectProblem(refused[0]!, 'overloaded');
    assert.equal(refused[0]?.headers.get('Retry-After'), '1');
    assert.equal((await outbox.count()).accepted, 2);
  });

  it('accepts the next batch as soon as the previous one is stored', async (t) => {
    const { ask } = openProxy(t, { maxConcurrentBatches: 1 });
    const token = await embedToken();

    const statuses: number[] = [];
    for (const id of ['kayak', 'tent']) {
      statuses.push((await ask('POST', '/v1/inventory', { token, body: batch(id) })).status);
    }

    assert.deepEqual(statuses, [202, 202]);
  });

  it('accepts the next batch after a rejected one', async (t) => {
    const { ask } = openProxy(t, { maxConcurrentBatches: 1 });
    const token = await embedToken();
    const [twice] = batch('kayak').inventory;
    await expectProblem(
      await ask('POST', '/v1/inventory', { token, body: { inventory: [twice, twice] } }),
      'duplicate_item',
    );

    const next = await ask('POST', '/v1/inventory', { token, body: batch('tent') });

    assert.equal(next.status, 202);
  });

  it('does not count a batch whose body is still arriving', async (t) => {
    const { ask } = openProxy(t, { maxConcurrentBatches: 1 });
    const token = await embedToken();
    let finish: () => void = () => undefined;
    const dripping = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => controller.close();
      },
    });

    const slow = ask('POST', '/v1/inventory', { token, body: dripping });
    const quick = await ask('POST', '/v1/inventory', { token, body: batch('kayak') });
    finish();

    assert.equal(quick.status, 202);
    await expectProblem(await slow, 'invalid_json');
  });
});
