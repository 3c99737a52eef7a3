import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProblemCode } from '../../../src/contract/problem.js';
import { PERMISSIONS } from '../../../src/contract/widget.js';
import { ROUTES } from '../../../src/proxy/app.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, PROXY_URL } from '../../support/page-request.js';

interface Defence {
  readonly what: string;
  readonly code: ProblemCode;
  /** Only where a request could change something. */
  readonly unsafeOnly?: true;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const FOREIGN = 'https://evil.example.com';

const NO_ORIGIN = 'The request has no Origin header. Send one, as browsers do: the origin of the page that asks.';

const DEFENCES: readonly Defence[] = [
  { what: 'without a session', code: 'session_required', headers: { Authorization: undefined } },
  { what: 'with another scheme', code: 'session_required', headers: { Authorization: 'Basic YWRhOmFkYQ==' } },
  { what: 'with a token that is none', code: 'session_required', headers: { Authorization: 'Bearer token' } },
  { what: 'from an origin that is not listed', code: 'origin_refused', headers: { Origin: FOREIGN } },
  {
    what: 'from an origin that is not listed, and a browser without Fetch Metadata',
    code: 'origin_refused',
    headers: { Origin: FOREIGN, 'Sec-Fetch-Site': undefined },
  },
  { what: 'from a sandboxed frame', code: 'origin_refused', headers: { Origin: 'null' } },
  { what: 'from a sibling of the host', code: 'origin_refused', headers: { Origin: 'https://x.admin.example.com' } },
  { what: 'from the host by plain http', code: 'origin_refused', headers: { Origin: 'http://admin.example.com' } },
  { what: 'from another port of the host', code: 'origin_refused', headers: { Origin: `${HOST_ORIGIN}:8443` } },
  { what: 'from two origins', code: 'origin_refused', headers: { Origin: `${HOST_ORIGIN}, ${HOST_ORIGIN}` } },
  {
    what: 'by a link, a frame or an image of another site',
    code: 'origin_refused',
    headers: { 'Sec-Fetch-Site': 'cross-site', Origin: undefined },
  },
  {
    what: 'by a link, a frame or an image of a sibling',
    code: 'origin_refused',
    headers: { 'Sec-Fetch-Site': 'same-site', Origin: undefined },
  },
  {
    what: 'without an origin',
    code: 'origin_refused',
    unsafeOnly: true,
    headers: { Origin: undefined, 'Sec-Fetch-Site': undefined },
  },
  {
    what: 'typed into the address bar',
    code: 'origin_refused',
    unsafeOnly: true,
    headers: { 'Sec-Fetch-Site': 'none' },
  },
  {
    what: 'from elsewhere in the name of the proxy’s own pages',
    code: 'origin_refused',
    unsafeOnly: true,
    headers: { 'Sec-Fetch-Site': 'cross-site', Origin: PROXY_URL },
  },
  {
    what: 'without the header that a form cannot send',
    code: 'header_required',
    unsafeOnly: true,
    headers: { 'X-Requested-With': undefined },
  },
  {
    what: 'with another value of that header',
    code: 'header_required',
    unsafeOnly: true,
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
  },
  { what: 'as a form', code: 'json_required', unsafeOnly: true, headers: { 'Content-Type': 'text/plain' } },
];

const UNKNOWN = [
  { method: 'GET', path: '/v1/not-a-route' },
  { method: 'POST', path: '/v1/not-a-route' },
  { method: 'DELETE', path: '/v1/inventory' },
  { method: 'GET', path: '/v1' },
];

describe('before routing, a request is rejected', () => {
  for (const { method, path } of [...ROUTES, ...UNKNOWN]) {
    for (const { what, code, unsafeOnly, headers } of DEFENCES) {
      if (unsafeOnly && method === 'GET') continue;

      it(`${what}: ${method} ${path} answers ${code}`, async (t) => {
        const { ask } = openProxy(t);

        const answer = await ask(method, path, {
          token: await embedToken(),
          headers,
          ...(method !== 'GET' && { body: '{}' }),
        });

        const origin = 'Origin' in headers ? headers['Origin'] : HOST_ORIGIN;
        await expectProblem(answer, code, origin === undefined ? NO_ORIGIN : undefined);
        assert.equal(answer.headers.get('WWW-Authenticate'), code === 'session_required' ? 'Bearer' : null);
        const granted = origin === HOST_ORIGIN || origin === PROXY_URL ? origin : null;
        assert.equal(answer.headers.get('Access-Control-Allow-Origin'), granted);
      });
    }
  }
});

describe('a request that passes the checks before routing', () => {
  for (const { method, path } of ROUTES) {
    it(`is answered by its route: ${method} ${path}`, async (t) => {
      const { ask } = openProxy(t);

      const answer = await ask(method, path, {
        token: await embedToken({ permissions: [...PERMISSIONS] }),
        ...(method !== 'GET' && { body: '{}' }),
      });
      await answer.body?.cancel();

      assert.ok([200, 202, 204, 400, 404, 422].includes(answer.status), `got ${answer.status}`);
    });
  }

  it('may come from a browser without Fetch Metadata if its origin is allowed', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('POST', '/v1/inventory', {
      token: await embedToken(),
      headers: { 'Sec-Fetch-Site': undefined },
      body: '{}',
    });

    await expectProblem(answer, 'invalid_body');
  });

  it('may come from the proxy’s own pages', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('POST', '/v1/inventory', {
      token: await embedToken({ origin: PROXY_URL }),
      headers: { 'Sec-Fetch-Site': 'same-origin', Origin: PROXY_URL },
      body: '{}',
    });

    await expectProblem(answer, 'invalid_body');
  });

  for (const { method, path } of UNKNOWN) {
    const code = path === '/v1/inventory' ? 'method_not_allowed' : 'route_unknown';

    it(`gets ${code} for ${method} ${path}`, async (t) => {
      const { ask } = openProxy(t);

      const answer = await ask(method, path, { token: await embedToken(), ...(method !== 'GET' && { body: '{}' }) });

      await expectProblem(answer, code);
      assert.equal(answer.headers.get('Allow'), code === 'method_not_allowed' ? 'GET, POST' : null);
    });
  }
});
