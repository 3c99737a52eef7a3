import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PROBLEMS, problem } from '../../../src/contract/problem.js';
import { readWidgetFiles } from '../../../src/proxy/node/server/widget-files.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const SCRIPT = 'export const widget = 1;\n';
const LONG_SCRIPT = SCRIPT.repeat(100);
const UNPACKED = { br: brotliDecompressSync, gzip: gunzipSync };
const ANYBODY = { headers: { Origin: 'https://shop.example.net' } };
const PUBLIC = [
  '/livez',
  '/readyz',
  '/widget.js',
  '/widget.classic.js',
  '/widget-1.2.3.js',
  '/assets/chunk-a1.js',
  '/v10/session',
];

describe('the widget script', () => {
  for (const path of ['/widget.js', '/widget.classic.js', '/widget-1.2.3.js', '/assets/chunk-a1.js']) {
    it(`${path} may be loaded by any page, with an integrity check`, async (t) => {
      const { ask } = await serveFiles(t);

      const answer = await ask('GET', path, ANYBODY);

      assert.equal(answer.status, 200);
      assert.equal(await answer.text(), SCRIPT);
      assert.equal(answer.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
      assert.equal(answer.headers.get('Content-Length'), String(SCRIPT.length));
      assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
      assert.equal(answer.headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
    });
  }

  it('is cached for a year under a name with a version, and for five minutes otherwise', async (t) => {
    const { ask } = await serveFiles(t);

    const named = await ask('GET', '/widget-1.2.3.js');
    const newest = await ask('GET', '/widget.js');
    const classic = await ask('GET', '/widget.classic.js');

    assert.equal(named.headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
    assert.equal(newest.headers.get('Cache-Control'), 'public, max-age=300');
    assert.equal(classic.headers.get('Cache-Control'), 'public, max-age=300');
  });

  const codings: readonly (readonly [accepted: string | undefined, coding: keyof typeof UNPACKED | undefined])[] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['deflate, *;q=0.1', undefined],
    [undefined, undefined],
  ];

  for (const [accepted, coding] of codings) {
    it(`is sent with the encoding ${coding ?? 'identity'} for Accept-Encoding: ${accepted ?? 'none'}`, async (t) => {
      const { ask } = await serveFiles(t);
      const headers = { 'Accept-Encoding': accepted };

      const answer = await ask('GET', '/assets/long.js', { headers });
      const head = await ask('HEAD', '/assets/long.js', { headers });

      const sent = new Uint8Array(await answer.arrayBuffer());
      assert.equal(answer.headers.get('Content-Encoding'), coding ?? null);
      assert.equal(answer.headers.get('Vary'), 'Accept-Encoding');
      assert.equal(answer.headers.get('Content-Length'), String(sent.length));
      assert.equal(String(coding ? UNPACKED[coding](sent) : Buffer.from(sent)), LONG_SCRIPT);
      assert.ok(coding === undefined || sent.length < LONG_SCRIPT.length / 10);
      assert.deepEqual([...head.headers.keys()], [...answer.headers.keys()]);
      assert.equal(head.headers.get('Content-Length'), String(sent.length));
    });
  }

  it('is not compressed if that would make it longer', async (t) => {
    const { ask } = await serveFiles(t);

    const answer = await ask('GET', '/widget.js', { headers: { 'Accept-Encoding': 'gzip, br' } });

    assert.equal(answer.headers.get('Content-Encoding'), null);
    assert.equal(await answer.text(), SCRIPT);
  });

  it('has the same headers and no body for HEAD', async (t) => {
    const { ask } = await serveFiles(t);

    const answer = await ask('HEAD', '/widget.js');

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Content-Length'), String(SCRIPT.length));
    assert.equal(await answer.text(), '');
  });

  const elsewhere = [
    '/',
    '/index.html',
    '/package.json',
    '/widget.js/',
    '/WIDGET.JS',
    '/widget-9.9.9.js',
    '/assets/',
    '/assets/missing.js',
    '/assets/../secret.json',
    '/assets/%2e%2e/secret.json',
    '/assets/..%2fsecret.json',
    '/assets/..%5csecret.json',
    '/assets/%00.js',
    '/assets/.hidden.js',
    '/assets//secret.json',
    '/secret.json',
    '/..%2fsecret.json',
    '//v1/session',
    '/V1/session',
    '/v1%2fsession',
    '/v10/session',
  ];

  for (const path of elsewhere) {
    it(`has no other files: ${path} is not found`, async (t) => {
      const { ask } = await serveFiles(t);

      const answer = await ask('GET', path);

      await expectPublicProblem(answer, 'route_unknown');
    });
  }

  it('is not found if the proxy was given no files', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/widget.js');

    await expectPublicProblem(answer, 'route_unknown');
  });
});

describe('a public route', () => {
  for (const path of PUBLIC) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      it(`allows GET and HEAD only: ${method} ${path}`, async (t) => {
        const { ask } = await serveFiles(t);

        const answer = await ask(method, path, { body: method === 'OPTIONS' ? undefined : '{}' });

        await expectPublicProblem(answer, 'method_not_allowed');
        assert.equal(answer.headers.get('Allow'), 'GET, HEAD');
      });
    }
  }

  it('needs no session and no Origin header', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/livez', { headers: { Origin: undefined } });

    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { status: 'ok' });
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null);
  });
});

async function serveFiles(t: TestContext): Promise<OpenProxy> {
  const folder = scratchFolder();
  const widget = join(folder, 'widget');
  mkdirSync(join(widget, 'assets'), { recursive: true });
  for (const name of [
    'widget.js',
    'widget.classic.js',
    'widget-1.2.3.js',
    'assets/chunk-a1.js',
    'assets/.hidden.js',
    'index.html',
  ]) {
    writeFileSync(join(widget, name), SCRIPT);
  }
  writeFileSync(join(widget, 'assets/long.js'), LONG_SCRIPT);
  writeFileSync(join(widget, 'secret.json'), '"secret"');
  writeFileSync(join(folder, 'secret.json'), '"secret"');
  return openProxy(t, { files: await readWidgetFiles(widget) });
}

async function expectPublicProblem(answer: Response, code: keyof typeof PROBLEMS): Promise<void> {
  assert.equal(answer.status, PROBLEMS[code].status);
  const body = problem.parse(await answer.json());
  assert.equal(body.code, code);
  assert.equal(body.request_id, answer.headers.get('X-Request-Id'));
  assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*', 'a browser would speak of CORS');
  assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null);
}
