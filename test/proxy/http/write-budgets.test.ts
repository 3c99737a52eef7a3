import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Permission, receipts } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, pageRequest } from '../../support/page-request.js';

const TIME = '2026-11-21T08:30:00.000Z';
const LIMITS = { edits: 10, bulkEdits: 40, vendorEdits: 60, refusedRequests: 5 };

function open(t: TestContext) {
  const { ask, clock, outbox, proxy } = openProxy(t, { writeLimits: LIMITS });
  let made = 0;
  /** Posts so many edits, each of an item of its own. */
  const post = async (
    count: number,
    subject = 'ada',
    permissions: Permission[] = ['view', 'edit'],
    vendor = 'boats',
  ) => {
    const inventory = Array.from({ length: count }, () => ({
      id: `${vendor}-${String((made += 1))}`,
      available: true,
      updated_at: TIME,
    }));
    return ask('POST', '/v1/inventory', {
      token: await embedToken({ subject, permissions, vendor }),
      body: { inventory },
    });
  };
  return { ask, post, clock, outbox, proxy };
}

describe('the write budget', () => {
  it('of a person is a number of edits per minute, beyond which they get 429 with Retry-After', async (t) => {
    const { post, outbox } = open(t);
    assert.equal((await post(10)).status, 202);

    const answer = await post(2);

    const problem = await expectProblem(answer, 'budget_spent');
    assert.equal(answer.headers.get('Retry-After'), '12');
    assert.equal(problem.retryable, true);
    assert.equal((await outbox.count()).accepted, 10);
  });

  it('is separate for a person of another vendor with the same subject', async (t) => {
    const { post } = open(t);
    await post(10);

    const answer = await post(10, 'ada', ['view', 'edit'], 'cabins');

    assert.equal(answer.status, 202);
  });

  it('is spent by a retry as by a new edit', async (t) => {
    const { ask, post } = open(t);
    const [edit] = receipts.parse(await (await post(10)).json()).receipts;

    const answer = await ask('POST', `/v1/edits/${String(edit?.edit_id)}/retry`, {
      token: await embedToken({ subject: 'ada', permissions: ['edit'], vendor: 'boats' }),
      body: {},
    });

    await expectProblem(answer, 'budget_spent');
  });

  it('is refilled over time', async (t) => {
    const { post, clock } = open(t);
    await post(10);

    await clock.pass(12_000);

    assert.equal((await post(2)).status, 202);
  });

  it('is sufficient after the time in Retry-After', async (t) => {
    const { post, clock } = open(t);
    await post(10);
    await clock.pass(500);
    const answer = await post(2);

    await clock.pass(Number(answer.headers.get('Retry-After')) * 1000);

    assert.deepEqual([answer.status, (await post(2)).status], [429, 202]);
  });

  it('is larger with the permission bulk', async (t) => {
    const { post } = open(t);

    const answers = [await post(40, 'ada', ['edit', 'bulk']), await post(1, 'ada', ['edit', 'bulk'])];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 429],
    );
  });

  it('is separate for each person, within that of their vendor', async (t) => {
    const { post } = open(t);

    const answers = [
      await post(40, 'ada', ['edit', 'bulk']),
      await post(20, 'ben', ['edit', 'bulk']),
      await post(1, 'cleo'),
      await post(1, 'dora', ['edit'], 'cabins'),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 429, 202],
    );
  });
});

describe('a person who waits for the budget of their vendor', () => {
  it('spends no budget of their own with rejected requests', async (t) => {
    const { post, clock } = open(t);
    await post(40, 'ada', ['edit', 'bulk']);
    await post(20, 'ben', ['edit', 'bulk']);
    const refused = [(await post(10, 'cleo')).status, (await post(10, 'cleo')).status];

    await clock.pass(10_000);

    assert.deepEqual([...refused, (await post(10, 'cleo')).status], [429, 429, 202]);
  });
});

describe('a script that continues after its person’s budget is spent', () => {
  it('spends nothing of the vendor’s budget', async (t) => {
    const { post } = open(t);
    await post(10, 'ada');
    for (let at = 0; at < 5; at += 1) assert.equal((await post(10, 'ada')).status, 429);

    const others = [await post(40, 'ben', ['edit', 'bulk']), await post(10, 'cleo')];

    assert.deepEqual(
      others.map(({ status }) => status),
      [202, 202],
    );
  });
});

describe('an address with many invalid sessions', () => {
  const knock = (proxy: ReturnType<typeof open>['proxy'], address: string, token?: string) =>
    proxy.fetch(pageRequest('GET', '/v1/session', { token: token ?? 'bad' }), { address });

  it('is rejected, with valid sessions too, until its budget is refilled', async (t) => {
    const { proxy, clock } = open(t);
    const token = await embedToken({ lifetimeSeconds: 900 });
    for (let at = 0; at < LIMITS.refusedRequests; at += 1) {
      await expectProblem(await knock(proxy, '203.0.113.9'), 'session_required');
    }

    await expectProblem(await knock(proxy, '203.0.113.9', token), 'budget_spent');
    await clock.pass(12_000);

    assert.equal((await knock(proxy, '203.0.113.9', token)).status, 200);
  });

  it('does not delay another address', async (t) => {
    const { proxy } = open(t);
    for (let at = 0; at < LIMITS.refusedRequests; at += 1) await knock(proxy, '203.0.113.9');

    const answer = await knock(proxy, '203.0.113.10', await embedToken());

    assert.equal(answer.status, 200);
  });

  it('is rejected if the sessions were revoked by a sign-out', async (t) => {
    const { ask, proxy } = open(t);
    const token = await embedToken();
    await ask('DELETE', '/v1/session', { token, body: '{}' });
    for (let at = 0; at < LIMITS.refusedRequests; at += 1) {
      await expectProblem(await knock(proxy, '203.0.113.9', token), 'session_required');
    }

    await expectProblem(await knock(proxy, '203.0.113.9', token), 'budget_spent');
  });

  it('does not cause calls of the host’s authenticate hook while it is rejected', async (t) => {
    let asked = 0;
    const authenticate = () => Promise.resolve(void (asked += 1));
    const { proxy } = openProxy(t, { writeLimits: LIMITS, authenticate });
    for (let at = 0; at < 3 * LIMITS.refusedRequests; at += 1) await knock(proxy, '203.0.113.9');

    assert.equal(asked, LIMITS.refusedRequests);
  });

  it('is not rejected if the server does not know addresses', async (t) => {
    const { ask } = open(t);
    for (let at = 0; at < 2 * LIMITS.refusedRequests; at += 1) await ask('GET', '/v1/session', { token: 'bad' });

    const answer = await ask('GET', '/v1/session', { token: await embedToken() });

    assert.equal(answer.status, 200);
  });
});
