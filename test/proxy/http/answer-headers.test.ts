import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PERMISSIONS } from '../../../src/contract/widget.js';
import { ROUTES } from '../../../src/proxy/app.js';
import { expectApiHeaders } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const PUBLIC = ['/', '/livez', '/readyz', '/widget.js', '/widget-1.2.3.js', '/assets/chunk.js', '/nowhere'];

describe('the security headers are set on', () => {
  for (const { method, path } of [...ROUTES, { method: 'GET', path: '/v1' }, { method: 'PUT', path: '/v1/session' }]) {
    it(`responses to ${method} ${path}, with and without a session`, async (t) => {
      const { ask } = openProxy(t);
      const token = await embedToken({ permissions: [...PERMISSIONS] });
      const body = method === 'GET' ? undefined : '{}';

      const answers = [await ask(method, path, { token, body }), await ask(method, path, { body })];

      for (const answer of answers) {
        expectApiHeaders(answer);
        await answer.body?.cancel();
      }
    });
  }

  for (const path of PUBLIC) {
    it(`the response to GET ${path}`, async (t) => {
      const file = { body: new TextEncoder().encode('export {};'), contentType: 'text/javascript; charset=utf-8' };
      const { ask } = openProxy(t, { files: () => Promise.resolve(file) });

      const answer = await ask('GET', path);

      const shown = (name: string): string | null => answer.headers.get(name);
      assert.match(shown('Content-Security-Policy') ?? '', /frame-ancestors 'none'/);
      assert.equal(shown('X-Content-Type-Options'), 'nosniff');
      assert.equal(shown('Referrer-Policy'), 'no-referrer');
      assert.match(shown('Strict-Transport-Security') ?? '', /^max-age=/);
      assert.equal(shown('Server') ?? shown('X-Powered-By') ?? shown('Set-Cookie'), null);
    });
  }
});

describe('the headers of a response', () => {
  it('are the same for a success as for a problem', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/v1/session', { token: await embedToken() });

    assert.equal(answer.headers.get('Content-Type'), 'application/json');
    assert.match(answer.headers.get('X-Request-Id') ?? '', /^[0-9a-f-]{36}$/);
    expectApiHeaders(answer);
  });

  it('have another request id for each request', async (t) => {
    const { ask } = openProxy(t);

    const answers = [await ask('GET', '/v1/session'), await ask('GET', '/v1/session')];

    assert.equal(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size, 2);
  });

  it('have no Strict-Transport-Security if the public URL is not HTTPS', async (t) => {
    const { ask } = openProxy(t, { publicUrl: 'http://localhost:8080' });

    const answer = await ask('GET', '/livez');

    assert.equal(answer.headers.get('Strict-Transport-Security'), null);
  });
});
