import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Problem } from '../../../src/contract/problem.js';
import { ROUTES } from '../../../src/proxy/app.js';
import { OPERATIONS } from '../../documents/http-operations.js';
import { openProxy } from '../../support/open-proxy.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const paths = [...new Set(OPERATIONS.map(({ path }) => path))].filter((path) => path.startsWith('/v1/'));

describe('the documented HTTP interface', () => {
  it('has each path that the proxy serves', () => {
    const served = ROUTES.map(({ path }) => path);

    assert.ok(served.length >= 5);
    assert.deepEqual(
      served.filter((path) => !paths.includes(path)),
      [],
      'describe it in test/documents/http-operations.ts',
    );
  });

  for (const path of paths) {
    it(`has the methods of ${path}, each of which needs a session`, async (t) => {
      const { ask } = openProxy(t);
      const address = path.replace(/\{\w+\}/, 'some-1');
      const documented = OPERATIONS.filter((operation) => operation.path === path).map(({ method }) =>
        method.toUpperCase(),
      );

      for (const method of METHODS) {
        const response = await ask(method, address);
        const { code } = (await response.json()) as Problem;

        const expected = documented.includes(method) ? 'session_required' : 'method_not_allowed';
        assert.ok(code === expected || code === 'session_required', `${method} ${path}: ${code}`);
        if (expected === 'session_required') assert.equal(code, expected, `${method} ${path}`);
      }
    });
  }

  it('has the health checks, which need no session', async (t) => {
    const { ask } = openProxy(t);

    for (const path of ['/livez', '/readyz']) {
      const response = await ask('GET', path);

      assert.notEqual(response.status, 401);
      assert.notEqual(response.status, 404);
    }
  });
});
