import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { history } from '../../../src/contract/history.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const HOUR = 3_600_000;

interface Stand extends OpenProxy {
  post(subject: string, id: string): Promise<void>;
  /** Ids of the items of the edits that match. */
  read(query: string): Promise<string[]>;
}

function open(t: TestContext): Stand {
  const stand = openProxy(t);
  return {
    ...stand,
    async post(subject, id) {
      const updated_at = new Date(stand.clock.wall()).toISOString();
      const body = { inventory: [{ id, available: true, updated_at }] };
      const answer = await stand.ask('POST', '/v1/inventory', { token: await embedToken({ subject }), body });
      assert.equal(answer.status, 202);
    },
    async read(query) {
      const token = await embedToken({ permissions: ['view', 'history'] });
      const answer = await stand.ask('GET', `/v1/history?${query}`, { token });
      return history.parse(await answer.json()).history.map(({ id }) => id);
    },
  };
}

describe('the history', () => {
  it('is filtered by person, item, state and time', async (t) => {
    const stand = open(t);
    await stand.post('ada', 'kayak');
    await stand.post('ben', 'boat');
    await stand.post('ben', 'kayak');
    const [now, soon] = [0, HOUR].map((more) => new Date(stand.clock.wall() + more).toISOString());

    assert.deepEqual(await stand.read(''), ['kayak', 'boat', 'kayak']);
    assert.deepEqual(await stand.read('subject=ben'), ['kayak', 'boat']);
    assert.deepEqual(await stand.read('subject=ben&item=kayak'), ['kayak']);
    assert.deepEqual(await stand.read('state=superseded'), ['kayak']);
    assert.deepEqual(await stand.read('state=delivered'), []);
    assert.deepEqual(await stand.read(`from=${String(now)}&until=${String(soon)}`), ['kayak', 'boat', 'kayak']);
    assert.deepEqual(await stand.read(`until=${String(now)}`), []);
    assert.deepEqual(await stand.read(`from=${String(soon)}`), []);
  });

  it('refuses filters that it cannot read', async (t) => {
    const { ask } = open(t);
    const token = await embedToken({ permissions: ['view', 'history'] });

    for (const query of ['state=lost', 'from=yesterday', 'until=2026-11-21', 'cursor=x', 'item=', 'colour=red'])
      await expectProblem(await ask('GET', `/v1/history?${query}`, { token }), 'invalid_query');
  });
});
