import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openProxy } from '../support/open-proxy.js';
import { embedToken, PROXY_URL } from '../support/page-request.js';

describe('a proxy that is mounted below a path', () => {
  for (const basePath of ['/inventory', '/inventory/', '/a/b']) {
    const base = basePath.replace(/\/$/, '');

    it(`answers below ${basePath}`, async (t) => {
      const { ask } = openProxy(t, { basePath, publicUrl: PROXY_URL + basePath });

      const alive = await ask('GET', `${base}/livez`);
      const session = await ask('GET', `${base}/v1/session`, { token: await embedToken() });

      assert.equal(alive.status, 200);
      assert.equal(session.status, 200);
    });

    it(`does not answer beside ${basePath}`, async (t) => {
      const { ask } = openProxy(t, { basePath, publicUrl: PROXY_URL + basePath });
      const token = await embedToken();

      const beside = [`${base}x/v1/session`, '/v1/session', base, '/livez', `/x${base}/v1/session`];

      for (const path of beside) assert.equal((await ask('GET', path, { token })).status, 404, path);
    });
  }

  it('asks for a session there as it does anywhere', async (t) => {
    const { ask } = openProxy(t, { basePath: '/inventory' });

    const answer = await ask('GET', '/inventory/v1/not-a-route');

    assert.equal(answer.status, 401);
  });
});
