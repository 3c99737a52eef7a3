import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSandboxPortal, type SandboxOptions, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import { ask, CLIENT, getToken, GRANT, JSON_TYPE, KAYAK, lastEntry } from './ask-portal.js';

const open = (options: Partial<SandboxOptions> = {}) => createSandboxPortal({ ...CLIENT, ...options });

const askToken = (portal: SandboxPortal, body: unknown = GRANT) =>
  ask(portal, 'POST', '/v1/oauth/token', JSON.stringify(body));

const update = (portal: SandboxPortal, token: string, body: unknown) =>
  ask(portal, 'POST', '/v1/inventory', JSON.stringify(body), { ...JSON_TYPE, authorization: `Bearer ${token}` });

const read = async (portal: SandboxPortal, path: string) =>
  (await ask(portal, 'GET', path)).json() as Promise<Record<string, unknown>>;

const itemsOf = async (portal: SandboxPortal) => (await read(portal, '/sandbox/items'))['items'] as unknown[];

describe('token request', () => {
  test('valid credentials get an opaque bearer token with Cache-Control: no-store', async () => {
    const answer = await askToken(open({ tokenLifetimeSeconds: 90 }));

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const body = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'token_type']);
    assert.match(String(body['access_token']), /^sandbox-token-[0-9a-f]{64}$/);
    assert.equal(body['token_type'], 'Bearer');
    assert.equal(body['expires_in'], 90);
  });

  test('each request gets another token, and earlier ones stay valid', async () => {
    const portal = open();

    const tokens = [await getToken(portal), await getToken(portal)];

    assert.equal(new Set(tokens).size, 2);
    for (const token of tokens) assert.equal((await update(portal, token, { inventory: [KAYAK] })).status, 200);
  });

  const rejections = [
    ['another secret', { ...GRANT, client_secret: 'guess' }, 401, 'invalid_client'],
    ['the secret with a suffix', { ...GRANT, client_secret: `${CLIENT.clientSecret}!` }, 401, 'invalid_client'],
    ['the secret twice', { ...GRANT, client_secret: CLIENT.clientSecret.repeat(2) }, 401, 'invalid_client'],
    ['the first half of the secret', { ...GRANT, client_secret: 'a-secret-tha' }, 401, 'invalid_client'],
    ['another client', { ...GRANT, client_id: 'boat-tour' }, 401, 'invalid_client'],
    ['another grant', { ...GRANT, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['another grant and no client', { grant_type: 'password' }, 400, 'invalid_request'],
    ['no grant', { ...GRANT, grant_type: undefined }, 400, 'invalid_request'],
    ['a secret that is a number', { ...GRANT, client_secret: 1 }, 400, 'invalid_request'],
    ['an empty object', {}, 400, 'invalid_request'],
    ['null', null, 400, 'invalid_request'],
    ['an array', [GRANT], 400, 'invalid_request'],
  ] as const;

  for (const [name, body, status, error] of rejections) {
    test(`${name} gets no token but ${status} ${error}`, async () => {
      const answer = await askToken(open(), body);

      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const shown = (await answer.json()) as Record<string, unknown>;
      assert.deepEqual(Object.keys(shown), ['error', 'error_description']);
      assert.equal(shown['error'], error);
    });
  }

  const GRANT_TEXT = JSON.stringify(GRANT);
  const LATIN_1 = Uint8Array.from(Buffer.from(JSON.stringify({ ...GRANT, note: 'Gästehaus' }), 'latin1'));
  const unreadable: [string, BodyInit, string, number][] = [
    ['a form', GRANT_TEXT, 'application/x-www-form-urlencoded', 415],
    ['a type that only mentions JSON', GRANT_TEXT, 'text/plain;application/json', 415],
    ['half a body', GRANT_TEXT.slice(0, -2), 'application/json', 400],
    ['an empty body', '', 'application/json', 400],
    ['a body in Latin-1', LATIN_1, 'application/json', 400],
    ['a body over 256 KiB', GRANT_TEXT + ' '.repeat(256 * 1024), 'application/json', 413],
  ];

  for (const [name, body, type, status] of unreadable) {
    test(`${name} gets no token but ${status}`, async () => {
      const answer = await ask(open(), 'POST', '/v1/oauth/token', body, { 'content-type': type });

      assert.equal(answer.status, status);
      assert.equal(((await answer.json()) as { error: string }).error, 'invalid_request');
    });
  }

  test('the content type is case-insensitive and may have a charset', async () => {
    const type = { 'content-type': 'Application/JSON ; charset=utf-8' };

    const answer = await ask(open(), 'POST', '/v1/oauth/token', JSON.stringify(GRANT), type);

    assert.equal(answer.status, 200);
  });
});

describe('inventory update', () => {
  test('an update with a valid token is applied and answered with 200', async () => {
    const portal = open();

    const answer = await update(portal, await getToken(portal), { inventory: [KAYAK] });

    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { status: 'ok' });
    const value = { available: true, updated_at: KAYAK.updated_at };
    assert.deepEqual(await itemsOf(portal), [{ id: 'kayak', by_arrival: value, by_updated_at: value, updates: 1 }]);
  });

  test('a hundred items fit in one update', async () => {
    const portal = open();
    const inventory = Array.from({ length: 100 }, (_, index) => ({ ...KAYAK, id: `item ${index}` }));

    const answer = await update(portal, await getToken(portal), { inventory });

    assert.equal(answer.status, 200);
    assert.equal((await itemsOf(portal)).length, 100);
  });

  const BAD = { ...KAYAK, id: 'bad' };
  const rejections: [string, unknown, string][] = [
    ['a field that is not documented in an item', { inventory: [KAYAK, { ...BAD, label: 'B' }] }, '/inventory/1/label'],
    ['the proxy\u2019s own edit_id', { inventory: [KAYAK, { ...BAD, edit_id: 'e1' }] }, '/inventory/1/edit_id'],
    ['a field that is not documented beside inventory', { inventory: [KAYAK], sent_at: 'now' }, '/sent_at'],
    ['a field name that needs escaping', { inventory: [KAYAK], 'a/b~c': 1 }, '/a~1b~0c'],
    ['an empty id', { inventory: [KAYAK, { ...BAD, id: '' }] }, '/inventory/1/id'],
    ['an id with a control character', { inventory: [KAYAK, { ...BAD, id: 'a\nb' }] }, '/inventory/1/id'],
    ['an id of 201 characters', { inventory: [KAYAK, { ...BAD, id: 'x'.repeat(201) }] }, '/inventory/1/id'],
    ['available as a text', { inventory: [KAYAK, { ...BAD, available: 'yes' }] }, '/inventory/1/available'],
    ['no available', { inventory: [KAYAK, { id: 'bad', updated_at: BAD.updated_at }] }, '/inventory/1/available'],
    ['a local time', { inventory: [KAYAK, { ...BAD, updated_at: '2026-11-21T08:30' }] }, '/inventory/1/updated_at'],
    [
      'a day that does not exist',
      { inventory: [{ ...BAD, updated_at: '2026-02-30T00:00:00Z' }] },
      '/inventory/0/updated_at',
    ],
    ['an offset', { inventory: [{ ...BAD, updated_at: '2026-11-21T08:30:00+01:00' }] }, '/inventory/0/updated_at'],
    ['no items', { inventory: [] }, '/inventory'],
    ['101 items', { inventory: Array.from({ length: 101 }, () => KAYAK) }, '/inventory'],
    ['an object in place of the array', { inventory: { 0: KAYAK } }, '/inventory'],
    ['a bare array', [KAYAK], ''],
    ['null', null, ''],
  ];

  for (const [name, body, pointer] of rejections) {
    test(`${name} is refused with 422, and nothing of the update is applied`, async () => {
      const portal = open();

      const answer = await update(portal, await getToken(portal), body);

      assert.equal(answer.status, 422);
      assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      const problem = (await answer.json()) as { title: string; status: number; errors: { pointer: string }[] };
      assert.equal(problem.title, 'Unprocessable Content');
      assert.equal(problem.status, 422);
      assert.equal(problem.errors[0]?.pointer, pointer);
      assert.deepEqual(await itemsOf(portal), []);
      assert.equal((await lastEntry(portal))?.applied, false);
    });
  }

  test('a body with thousands of errors gets at most 20 of them', async () => {
    const portal = open();

    const answer = await update(portal, await getToken(portal), { inventory: Array.from({ length: 5000 }, () => 0) });

    assert.equal(((await answer.json()) as { errors: unknown[] }).errors.length, 20);
  });

  const unreadable: [string, BodyInit, string, number][] = [
    ['another content type', JSON.stringify({ inventory: [KAYAK] }), 'text/plain', 415],
    ['half a body', '{"inventory":[', 'application/json', 400],
    ['a body over 256 KiB', JSON.stringify({ inventory: [KAYAK] }) + ' '.repeat(256 * 1024), 'application/json', 413],
  ];

  for (const [name, body, type, status] of unreadable) {
    test(`${name} is refused with ${status}`, async () => {
      const portal = open();
      const headers = { 'content-type': type, authorization: `Bearer ${await getToken(portal)}` };

      const answer = await ask(portal, 'POST', '/v1/inventory', body, headers);

      assert.equal(answer.status, status);
      assert.equal(((await answer.json()) as { status: number }).status, status);
      assert.deepEqual(await itemsOf(portal), []);
    });
  }

  test('a body of exactly 256 KiB is accepted', async () => {
    const portal = open();
    const headers = { ...JSON_TYPE, authorization: `Bearer ${await getToken(portal)}` };
    const body = JSON.stringify({ inventory: [KAYAK] }).padEnd(256 * 1024);

    assert.equal((await ask(portal, 'POST', '/v1/inventory', body, headers)).status, 200);
  });
});

describe('bearer token', () => {
  const shown: [string, string | undefined, RegExp][] = [
    ['no Authorization header', undefined, /^Bearer realm="[^"]+"$/],
    ['basic credentials', 'Basic Z3Vlc3Q6c2VjcmV0', /^Bearer realm="[^"]+"$/],
    ['the scheme alone', 'Bearer', /^Bearer realm="[^"]+"$/],
    ['a token that was never issued', 'Bearer sandbox-token-00', /^Bearer realm="[^"]+", error="invalid_token"$/],
  ];

  for (const [name, authorization, challenge] of shown) {
    test(`${name} is answered with 401 and a challenge, and nothing is applied`, async () => {
      const portal = open();
      const headers = { ...JSON_TYPE, ...(authorization === undefined ? {} : { authorization }) };

      const answer = await ask(portal, 'POST', '/v1/inventory', JSON.stringify({ inventory: [KAYAK] }), headers);

      assert.equal(answer.status, 401);
      assert.match(answer.headers.get('www-authenticate') ?? '', challenge);
      assert.equal((await lastEntry(portal))?.token, null);
      assert.deepEqual(await itemsOf(portal), []);
    });
  }

  test('without a token a malformed body gets 401, too', async () => {
    assert.equal((await ask(open(), 'POST', '/v1/inventory', 'not json', {})).status, 401);
  });

  test('a token is valid until the last millisecond of its lifetime', async () => {
    let now = Date.UTC(2026, 10, 21);
    const portal = open({ tokenLifetimeSeconds: 60, now: () => now });
    const token = await getToken(portal);

    now += 59_999;
    assert.equal((await update(portal, token, { inventory: [KAYAK] })).status, 200);
    now += 1;
    assert.equal((await update(portal, token, { inventory: [KAYAK] })).status, 401);
    const entry = await lastEntry(portal);
    assert.equal(entry?.token, 1);
    assert.equal(entry?.fault, null);
  });

  test('the scheme is case-insensitive', async () => {
    const portal = open();
    const headers = { ...JSON_TYPE, authorization: `bearer ${await getToken(portal)}` };

    const answer = await ask(portal, 'POST', '/v1/inventory', JSON.stringify({ inventory: [KAYAK] }), headers);

    assert.equal(answer.status, 200);
  });
});

describe('paths', () => {
  const unknown: [string, string, number, string | null][] = [
    ['GET', '/v1/oauth/token', 405, 'POST'],
    ['GET', '/v1/inventory', 405, 'POST'],
    ['PUT', '/v1/inventory', 405, 'POST'],
    ['DELETE', '/', 405, 'GET'],
    ['POST', '/v1/inventory/', 404, null],
    ['POST', '/v2/inventory', 404, null],
    ['GET', '/favicon.ico', 404, null],
    ['GET', '/sandboxes', 404, null],
  ];

  for (const [method, path, status, allow] of unknown) {
    test(`${method} ${path} is answered with ${status} and recorded`, async () => {
      const portal = open();

      const answer = await ask(portal, method, path);

      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('allow'), allow);
      const entry = await lastEntry(portal);
      assert.deepEqual([entry?.kind, entry?.method, entry?.path, entry?.status], ['other', method, path, status]);
    });
  }

  test('the index page describes the sandbox and lists its paths', async () => {
    const answer = await ask(open(), 'GET', '/');

    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
    const page = await answer.text();
    for (const path of ['/v1/oauth/token', '/v1/inventory', '/sandbox/journal', '/sandbox/faults']) {
      assert.ok(page.includes(path), path);
    }
  });
});

describe('options', () => {
  const wrong: [string, Partial<SandboxOptions>][] = [
    ['an empty client id', { clientId: '' }],
    ['an empty secret', { clientSecret: '' }],
    ['a token lifetime of 0 seconds', { tokenLifetimeSeconds: 0 }],
    ['a token lifetime of half a second', { tokenLifetimeSeconds: 0.5 }],
  ];

  for (const [name, options] of wrong) {
    test(`${name} is refused at the start`, () => {
      assert.throws(() => open(options), TypeError);
    });
  }
});
