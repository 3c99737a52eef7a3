import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectApiHeaders } from '../support/expect-problem.js';
import { openProxy } from '../support/open-proxy.js';
import { embedToken } from '../support/page-request.js';

describe('the headers of an answer', () => {
  it('are those of a refusal on a good answer too', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/v1/session', { token: await embedToken() });

    assert.equal(answer.headers.get('Content-Type'), 'application/json');
    assert.match(answer.headers.get('X-Request-Id') ?? '', /^[0-9a-f-]{36}$/);
    expectApiHeaders(answer);
  });

  it('name each request differently', async (t) => {
    const { ask } = openProxy(t);

    const answers = [await ask('GET', '/v1/session'), await ask('GET', '/v1/session')];

    assert.equal(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size, 2);
  });

  it('say nothing of https where the proxy is reached without it', async (t) => {
    const { ask } = openProxy(t, { publicUrl: 'http://localhost:8080' });

    const answer = await ask('GET', '/livez');

    assert.equal(answer.headers.get('Strict-Transport-Security'), null);
  });
});
