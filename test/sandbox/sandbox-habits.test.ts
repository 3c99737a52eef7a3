import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { variantsSchema } from '../../src/sandbox/variants.js';
import { createSandboxPortal, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import { ask, CLIENT, getToken, GRANT, JSON_TYPE, KAYAK, lastEntry } from './ask-portal.js';

const CANOE = { ...KAYAK, id: 'canoe' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

async function withHabits(wanted: object, faults: object = {}): Promise<SandboxPortal> {
  const portal = createSandboxPortal(CLIENT);
  assert.equal((await ask(portal, 'PUT', '/sandbox/habits', JSON.stringify(wanted))).status, 200);
  assert.equal((await ask(portal, 'PUT', '/sandbox/faults', JSON.stringify(faults))).status, 200);
  return portal;
}

async function update(
  portal: SandboxPortal,
  path: string,
  items: readonly object[] = [KAYAK],
  method = 'POST',
): Promise<Response> {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${await getToken(portal)}` };
  return ask(portal, method, path, JSON.stringify({ inventory: items }), headers);
}

describe('the variants of the sandbox portal', () => {
  test('have defaults, and PUT replaces all of them', async () => {
    const portal = createSandboxPortal(CLIENT);
    const usual: unknown = await (await ask(portal, 'GET', '/sandbox/habits')).json();
    await ask(portal, 'PUT', '/sandbox/habits', '{"results":"each"}');

    const after: unknown = await (await ask(portal, 'PUT', '/sandbox/habits', '{"errors":"error_message"}')).json();

    assert.deepEqual(usual, {
      token_body: 'json',
      token_fields: {},
      tells_lifetime: true,
      token_header: 'Authorization',
      token_prefix: 'Bearer ',
      bad_token_status: 401,
      update_method: 'POST',
      update_path: '/v1/inventory',
      update_headers: {},
      stamps: 'any',
      most_items: 100,
      most_bytes: 256 * 1024,
      too_many_status: 429,
      says_when: 'retry_after',
      taken_status: 200,
      refused_status: 422,
      results: 'all',
      applied_after: 0,
      list: 'none',
      list_path: '/v1/inventory',
      list_page: 100,
      errors: 'problem',
    });
    assert.deepEqual(after, { ...(usual as object), errors: 'error_message' });
  });

  test('are all listed on the index page', async () => {
    const portal = createSandboxPortal(CLIENT);

    const page = await (await ask(portal, 'GET', '/')).text();

    assert.deepEqual(
      Object.keys(variantsSchema.shape).filter((name) => !page.includes(`"${name}": `)),
      [],
    );
  });

  for (const wrong of [
    { token_body: 'xml' },
    { token_header: 'X: Y' },
    { update_path: '/sandbox/items' },
    { update_path: '/v1?x' },
    { token_fields: { scope: 1 } },
    { most_items: 0 },
    { token_fields: { client_id: 'another' } },
    { most_bytes: 1023 },
    { calls_per_second: 0 },
    { update_path: '/v1/oauth/token' },
    { update_path: '/v1/%2e%2E/inventory' },
    { update_path: '/v1/{item}' },
    { update_headers: { 'Content-Length': '1' } },
    { update_headers: { authorization: 'Basic' } },
    { idempotency_header: 'Content-Type' },
    { taken_status: 207 },
    { refused_status: 401 },
    { habit: true },
  ]) {
    test(`do not change if the request has ${JSON.stringify(wrong)}`, async () => {
      const portal = createSandboxPortal(CLIENT);
      const before = await (await ask(portal, 'GET', '/sandbox/habits')).text();

      const answer = await ask(portal, 'PUT', '/sandbox/habits', JSON.stringify(wrong));

      assert.equal(answer.status, 422);
      assert.equal(await (await ask(portal, 'GET', '/sandbox/habits')).text(), before);
    });
  }
});

describe('a portal that expects token requests as forms', () => {
  test('grants a token for a form, and none for JSON or a repeated parameter', async () => {
    const portal = await withHabits({ token_body: 'form' });
    const form = new URLSearchParams(GRANT).toString();

    const answers = [
      await ask(portal, 'POST', '/v1/oauth/token', form, FORM_TYPE),
      await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify(GRANT)),
      await ask(portal, 'POST', '/v1/oauth/token', `${form}&client_id=x`, FORM_TYPE),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 415, 400],
    );
  });
});

describe('a portal that requires further fields in a token request', () => {
  test('grants a token only with all of them', async () => {
    const portal = await withHabits({ token_fields: { scope: 'inventory', audience: 'portal' } });
    const asked = [
      {},
      { scope: 'inventory' },
      { scope: 'all', audience: 'portal' },
      { scope: 'inventory', audience: 'portal' },
    ];

    const answers: unknown[] = [];
    for (const more of asked) {
      const answer = await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify({ ...GRANT, ...more }));
      answers.push([answer.status, ((await answer.json()) as { error?: string }).error]);
    }

    assert.deepEqual(answers, [
      [400, 'invalid_scope'],
      [400, 'invalid_request'],
      [400, 'invalid_scope'],
      [200, undefined],
    ]);
  });
});

describe('a portal with a token lifetime', () => {
  test('sends it as expires_in, and refuses tokens after it', async () => {
    let now = 0;
    const portal = createSandboxPortal({ ...CLIENT, now: () => now });
    await ask(portal, 'PUT', '/sandbox/habits', '{"token_lifetime":2,"bad_token_status":403}');
    const token = (await (await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify(GRANT))).json()) as {
      access_token: string;
      expires_in: number;
    };
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token.access_token}` };

    const statuses: number[] = [];
    for (now of [1999, 2000]) {
      statuses.push(
        (await ask(portal, 'POST', '/v1/inventory', JSON.stringify({ inventory: [KAYAK] }), headers)).status,
      );
    }

    assert.equal(token.expires_in, 2);
    assert.deepEqual(statuses, [200, 403]);
  });
});

describe('a portal that does not send a token lifetime', () => {
  test('answers without expires_in', async () => {
    const portal = await withHabits({ tells_lifetime: false });

    const answer = await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify(GRANT));

    assert.deepEqual(Object.keys((await answer.json()) as object), ['access_token', 'token_type']);
  });
});

describe('a portal that expects the token in another header', () => {
  test('accepts it only there', async () => {
    const portal = await withHabits({ token_header: 'X-Portal-Token', token_prefix: '' });
    const token = await getToken(portal);
    const body = JSON.stringify({ inventory: [KAYAK] });

    const answers = [
      await ask(portal, 'POST', '/v1/inventory', body, { ...JSON_TYPE, 'x-portal-token': token }),
      await ask(portal, 'POST', '/v1/inventory', body, { ...JSON_TYPE, authorization: `Bearer ${token}` }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 401],
    );
  });
});

describe('a portal with the vendor in its path', () => {
  test('accepts updates with one segment for the vendor, and at no other path', async () => {
    const portal = await withHabits({ update_path: '/v1/vendors/{vendor}/inventory', update_method: 'PATCH' });
    const asked = [
      ['PATCH', '/v1/vendors/boat-tours/inventory'],
      ['PATCH', '/v1/vendors/..%2Fadmin/inventory'],
      ['POST', '/v1/vendors/boat-tours/inventory'],
      ['PATCH', '/v1/vendors/a/b/inventory'],
      ['PATCH', '/v1/vendors//inventory'],
      ['POST', '/v1/inventory'],
    ] as const;

    const statuses: number[] = [];
    for (const [method, path] of asked) statuses.push((await update(portal, path, [KAYAK], method)).status);

    assert.deepEqual(statuses, [200, 200, 405, 404, 404, 404]);
  });

  test('conceals a secret in the segment of the vendor', async () => {
    const portal = await withHabits({ update_path: '/v1/vendors/{vendor}/inventory' });

    await update(portal, `/v1/vendors/${CLIENT.clientSecret}/inventory`);

    assert.equal((await lastEntry(portal))?.path, '/v1/vendors/[concealed]/inventory');
  });
});

describe('a portal with a result for each item', () => {
  test('applies the accepted items, and names the refused ones', async () => {
    const portal = await withHabits({ results: 'each' }, { refuse_items: ['canoe'] });

    const answer = await update(portal, '/v1/inventory', [KAYAK, CANOE]);

    assert.equal(answer.status, 207);
    const { results } = (await answer.json()) as { results: { id: string; status: number }[] };
    assert.deepEqual(
      results.map(({ id, status }) => [id, status]),
      [
        ['kayak', 200],
        ['canoe', 422],
      ],
    );
    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.applied, entry?.refused, entry?.fault], [true, ['canoe'], 'refuse_items']);
    const { items } = (await (await ask(portal, 'GET', '/sandbox/items')).json()) as { items: { id: string }[] };
    assert.deepEqual(
      items.map(({ id }) => id),
      ['kayak'],
    );
  });
});

describe('a portal with error and errorMessage', () => {
  test('uses them for token requests, for updates and while it is down', async () => {
    const portal = await withHabits({ errors: 'error_message' }, { refuse_items: ['kayak'] });
    const wrong = await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify({ ...GRANT, client_secret: 'x' }));
    const refused = await update(portal, '/v1/inventory');
    await ask(portal, 'PUT', '/sandbox/faults', '{"down":true}');
    const down = await ask(portal, 'POST', '/v1/inventory', '{}');

    const said: unknown[] = [];
    for (const answer of [wrong, refused, down]) said.push([answer.status, await answer.json()]);

    assert.deepEqual(said, [
      [401, { error: 'invalid_client', errorMessage: 'The client_id or the client_secret is wrong.' }],
      [422, { error: 'UNPROCESSABLE_CONTENT', errorMessage: 'Nothing of this update was applied.' }],
      [503, { error: 'SERVICE_UNAVAILABLE', errorMessage: 'The portal is down. Nothing was applied.' }],
    ]);
  });
});

describe('a portal that answers 200 even to failures', () => {
  test('reports in the body the result of a token request or an update, and that it is down', async () => {
    const portal = await withHabits({ errors: 'in_success' }, { refuse_items: ['canoe'] });
    const wrong = await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify({ ...GRANT, client_secret: 'x' }));
    const taken = await update(portal, '/v1/inventory');
    const refused = await update(portal, '/v1/inventory', [CANOE]);
    const { status } = (await lastEntry(portal)) ?? {};
    await ask(portal, 'PUT', '/sandbox/faults', '{"down":true}');
    const down = await ask(portal, 'POST', '/v1/inventory', '{}');

    const said: unknown[] = [];
    for (const answer of [wrong, taken, refused, down]) said.push([answer.status, await answer.json()]);

    assert.deepEqual(said, [
      [200, { success: false, code: 401, message: 'The client_id or the client_secret is wrong.' }],
      [200, { success: true, code: 200, status: 'ok' }],
      [200, { success: false, code: 422, message: 'Nothing of this update was applied.' }],
      [200, { success: false, code: 503, message: 'The portal is down. Nothing was applied.' }],
    ]);
    assert.equal(status, 200);
  });
});
