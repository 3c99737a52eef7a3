import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JournalEntry } from '../../src/sandbox/journal.js';
import { createSandboxPortal, type SandboxOptions, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import { getToken as getTokenBy, grantOf, JSON_TYPE, KAYAK, lastEntry } from './ask-portal.js';

/** The secret has characters that are escaped in a URL and in a regular expression. */
const CLIENT = { clientId: 'guest-house', clientSecret: 'a-secret/that is+not.one' };
const GRANT = grantOf(CLIENT);
const NO_FAULTS = { down: false, delay_ms: 0, refuse_items: [] };

const open = (options: Partial<SandboxOptions> = {}) =>
  createSandboxPortal({ ...CLIENT, now: () => Date.UTC(2026, 10, 21), ...options });

const send = (portal: SandboxPortal, method: string, path: string, body?: unknown, init: RequestInit = {}) =>
  portal.fetch(
    new Request(`http://portal.test${path}`, {
      method,
      headers: JSON_TYPE,
      body: body === undefined ? null : JSON.stringify(body),
      ...init,
    }),
  );

const read = async <T>(portal: SandboxPortal, path: string) => (await (await send(portal, 'GET', path)).json()) as T;

interface Page {
  readonly entries: JournalEntry[];
  readonly last: number;
  readonly dropped: number;
}
const journalOf = (portal: SandboxPortal, after = 0) => read<Page>(portal, `/sandbox/journal?after=${after}`);
const itemsOf = async (portal: SandboxPortal) => (await read<{ items: unknown[] }>(portal, '/sandbox/items')).items;

const getToken = (portal: SandboxPortal) => getTokenBy(portal, GRANT);

const update = (portal: SandboxPortal, token: string, inventory: readonly unknown[], init: RequestInit = {}) =>
  send(
    portal,
    'POST',
    '/v1/inventory',
    { inventory },
    {
      headers: { ...JSON_TYPE, authorization: `Bearer ${token}`, 'user-agent': 'vendor-inventory/0.1' },
      ...init,
    },
  );

const setFaults = async (portal: SandboxPortal, faults: unknown) => {
  assert.equal((await send(portal, 'PUT', '/sandbox/faults', faults)).status, 200);
};

describe('journal', () => {
  test('records every portal request in order, with its details and without secrets', async () => {
    const portal = open();

    await update(portal, await getToken(portal), [KAYAK]);

    const at = '2026-11-21T00:00:00.000Z';
    const rest = { at, method: 'POST', content_type: 'application/json', fault: null, status: 200 };
    assert.deepEqual(await journalOf(portal), {
      entries: [
        {
          ...rest,
          seq: 1,
          kind: 'token',
          path: '/v1/oauth/token',
          headers: ['content-type'],
          user_agent: null,
          fields: ['client_id', 'client_secret', 'grant_type'],
          token: 1,
          inventory: null,
          applied: false,
        },
        {
          ...rest,
          seq: 2,
          kind: 'update',
          path: '/v1/inventory',
          headers: ['authorization', 'content-type', 'user-agent'],
          user_agent: 'vendor-inventory/0.1',
          fields: null,
          token: 1,
          inventory: [KAYAK],
          applied: true,
        },
      ],
      last: 2,
      dropped: 0,
    });
  });

  test('returns the entries after a given one', async () => {
    const portal = open();
    for (let count = 0; count < 3; count += 1) await send(portal, 'GET', `/v1/page-${count}`);

    const page = await journalOf(portal, 2);

    assert.deepEqual(
      page.entries.map(({ seq, path }) => [seq, path]),
      [[3, '/v1/page-2']],
    );
    assert.deepEqual((await journalOf(portal, 3)).entries, []);
    assert.equal((await journalOf(portal, 99)).last, 3);
  });

  for (const query of ['-1', '1.5', 'x', '', '1e3', '%201', '9999999999999999', '1&after=2']) {
    test(`answers 400 to the invalid cursor after=${query}`, async () => {
      assert.equal((await send(open(), 'GET', `/sandbox/journal?after=${query}`)).status, 400);
    });
  }

  test('does not record requests to the control routes', async () => {
    const portal = open();

    for (const path of ['/', '/sandbox', '/sandbox/journal', '/sandbox/items', '/sandbox/faults', '/sandbox/x']) {
      await send(portal, 'GET', path);
    }

    assert.equal((await journalOf(portal)).last, 0);
  });

  test('records the items of an update whose token was refused', async () => {
    const portal = open();

    await update(portal, 'sandbox-token-0', [KAYAK]);

    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.status, entry?.applied, entry?.token], [401, false, null]);
    assert.deepEqual(entry?.inventory, [KAYAK]);
  });

  test('records a request whose body was cut off as unanswered', async () => {
    const portal = open();
    const token = await getToken(portal);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"inventory":['));
        controller.error(new Error('connection reset'));
      },
    });

    await assert.rejects(update(portal, token, [], { body, duplex: 'half' } as RequestInit));

    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.kind, entry?.status, entry?.applied, entry?.inventory], ['update', null, false, null]);
  });

  test('answers 405 to DELETE, and keeps its entries', async () => {
    const portal = open();
    await getToken(portal);

    assert.equal((await send(portal, 'DELETE', '/sandbox/journal')).status, 405);
    assert.equal((await journalOf(portal)).entries.length, 1);
  });

  test('records at most 20 field names of a token request', async () => {
    const portal = open();
    const fields = Array.from({ length: 5000 }, (_, index) => [`field-${index}-${'x'.repeat(20)}`, index]);

    await send(portal, 'POST', '/v1/oauth/token', Object.fromEntries(fields));

    assert.equal((await lastEntry(portal))?.fields?.length, 20);
  });

  test('truncates a long path', async () => {
    const portal = open();

    await send(portal, 'GET', `/${'x'.repeat(10_000)}`);

    assert.equal((await lastEntry(portal))?.path, `/${'x'.repeat(499)}…`);
  });
});

describe('items', () => {
  const LATER = { id: 'kayak', available: false, updated_at: '2026-11-21T08:31:00Z' };
  const EARLIER = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00Z' };

  test('show the value that arrived last and the one with the latest timestamp', async () => {
    const portal = open();
    const token = await getToken(portal);

    await update(portal, token, [LATER]);
    await update(portal, token, [EARLIER]);

    const { id, ...earlier } = EARLIER;
    const { id: _, ...later } = LATER;
    assert.deepEqual(await itemsOf(portal), [{ id, by_arrival: earlier, by_updated_at: later, updates: 2 }]);
  });

  const order: [string, string, string, boolean][] = [
    ['equal timestamps keep the first value', '2026-11-21T08:30:00Z', '2026-11-21T08:30:00.000Z', false],
    ['a fraction is later than none', '2026-11-21T08:30:00Z', '2026-11-21T08:30:00.001Z', true],
    ['a microsecond counts', '2026-11-21T08:30:00.000001Z', '2026-11-21T08:30:00.000002Z', true],
    ['a longer fraction is not a later one', '2026-11-21T08:30:00.5Z', '2026-11-21T08:30:00.49Z', false],
    ['a later year is later than any fraction', '2026-12-31T23:59:59.9Z', '2027-01-01T00:00:00Z', true],
  ];

  for (const [name, first, second, replaced] of order) {
    test(`are ordered by updated_at: ${name}`, async () => {
      const portal = open();
      const token = await getToken(portal);

      await update(portal, token, [{ id: 'kayak', available: true, updated_at: first }]);
      await update(portal, token, [{ id: 'kayak', available: false, updated_at: second }]);

      const [item] = (await itemsOf(portal)) as { by_updated_at: { updated_at: string } }[];
      assert.equal(item?.by_updated_at.updated_at, replaced ? second : first);
    });
  }
});

describe('faults', () => {
  test('a portal that is down answers 503 to every request, applies nothing, and records the requests', async () => {
    const portal = open();
    const token = await getToken(portal);

    await setFaults(portal, { down: true });

    assert.equal((await send(portal, 'POST', '/v1/oauth/token', GRANT)).status, 503);
    assert.equal((await send(portal, 'GET', '/v1/other')).status, 503);
    assert.equal((await update(portal, token, [KAYAK])).status, 503);
    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.fault, entry?.applied, entry?.status, entry?.token], ['down', false, 503, 1]);
    assert.deepEqual(entry?.inventory, [KAYAK]);
    assert.deepEqual(await itemsOf(portal), []);
    await setFaults(portal, {});
    await getToken(portal);
    assert.equal((await lastEntry(portal))?.token, 2, 'no token was issued while the portal was down');
  });

  test('a slow portal applies an update before it answers', async () => {
    const waits: number[] = [];
    const midway: (JournalEntry | undefined)[] = [];
    const portal = open({
      delay: async (milliseconds) => {
        waits.push(milliseconds);
        midway.push(await lastEntry(portal));
      },
    });
    const token = await getToken(portal);
    await setFaults(portal, { delay_ms: 1500 });

    const answer = await update(portal, token, [KAYAK]);

    assert.equal(answer.status, 200);
    assert.deepEqual(waits, [1500]);
    assert.deepEqual([midway[0]?.applied, midway[0]?.status, midway[0]?.fault], [true, null, 'slow']);
    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.applied, entry?.status, entry?.fault], [true, 200, 'slow']);
  });

  test('an update is applied and recorded as unanswered if the caller aborts during the delay', async () => {
    const caller = new AbortController();
    const portal = open({
      delay: () => {
        caller.abort(new Error('timed out'));
        return Promise.resolve();
      },
    });
    const token = await getToken(portal);
    await setFaults(portal, { delay_ms: 1 });

    await assert.rejects(update(portal, token, [KAYAK], { signal: caller.signal }), /timed out/);

    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.applied, entry?.status], [true, null]);
    assert.equal((await itemsOf(portal)).length, 1);
  });

  test('the delay ends when the caller aborts', async () => {
    const caller = new AbortController();
    const portal = open();
    const token = await getToken(portal);
    await setFaults(portal, { delay_ms: 60_000 });

    const answer = update(portal, token, [KAYAK], { signal: caller.signal });
    for (let turn = 0; turn < 1000 && (await itemsOf(portal)).length === 0; turn += 1);
    caller.abort(new Error('timed out'));

    await assert.rejects(answer, /timed out/);
  });

  test('a slow portal answers after its delay', async () => {
    const portal = open();
    await setFaults(portal, { delay_ms: 1 });

    assert.match(await getToken(portal), /^sandbox-token-/);
  });

  test('a portal that is both down and slow answers 503 without delay', async () => {
    const portal = open({ delay: () => Promise.reject(new Error('waited')) });
    await setFaults(portal, { down: true, delay_ms: 1000 });

    assert.equal((await send(portal, 'GET', '/v1/other')).status, 503);
    assert.equal((await lastEntry(portal))?.fault, 'down');
  });

  test('an update with refused items is refused as a whole, with a pointer to each of them', async () => {
    const portal = open();
    const token = await getToken(portal);
    await setFaults(portal, { refuse_items: ['poison', 'venom'] });
    const inventory = ['kayak', 'poison', 'boat', 'venom'].map((id) => ({ ...KAYAK, id }));

    const answer = await update(portal, token, inventory);

    assert.equal(answer.status, 422);
    const { errors } = (await answer.json()) as { errors: { pointer: string; message: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/inventory/1/id', '/inventory/3/id'],
    );
    assert.ok(errors.every(({ message }) => message !== ''));
    assert.deepEqual(await itemsOf(portal), []);
    assert.equal((await lastEntry(portal))?.fault, 'refuse_items');
    assert.equal((await update(portal, token, [KAYAK])).status, 200);
  });

  test('the journal names the refused item as the fault if the portal is also slow', async () => {
    const portal = open({ delay: () => Promise.resolve() });
    const token = await getToken(portal);
    await setFaults(portal, { delay_ms: 1, refuse_items: ['kayak'] });

    await update(portal, token, [KAYAK]);

    assert.equal((await lastEntry(portal))?.fault, 'refuse_items');
  });

  test('expire-tokens revokes all earlier tokens, and new ones are valid', async () => {
    const portal = open();
    const old = [await getToken(portal), await getToken(portal)];

    const answer = await send(portal, 'POST', '/sandbox/expire-tokens', {});

    assert.deepEqual(await answer.json(), { expired_up_to: 2 });
    for (const token of old) assert.equal((await update(portal, token, [KAYAK])).status, 401);
    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.fault, entry?.token], ['expire_tokens', 2]);
    assert.equal((await update(portal, await getToken(portal), [KAYAK])).status, 200);
  });

  test('PUT replaces all faults: those that are not named are off', async () => {
    const portal = open();
    await setFaults(portal, { down: true, delay_ms: 5, refuse_items: ['a'] });

    await setFaults(portal, { delay_ms: 60_000 });

    assert.deepEqual(await read(portal, '/sandbox/faults'), { ...NO_FAULTS, delay_ms: 60_000 });
  });

  const wrong: [string, unknown, string][] = [
    ['an unknown fault', { explode: true }, '/explode'],
    ['a delay over a minute', { delay_ms: 60_001 }, '/delay_ms'],
    ['a delay below zero', { delay_ms: -1 }, '/delay_ms'],
    ['half a millisecond', { delay_ms: 0.5 }, '/delay_ms'],
    ['down as a text', { down: 'yes' }, '/down'],
    ['one id in place of an array', { refuse_items: 'kayak' }, '/refuse_items'],
    ['an invalid item id', { refuse_items: ['kayak', ''] }, '/refuse_items/1'],
    ['an array', [], ''],
  ];

  for (const [name, faults, pointer] of wrong) {
    test(`${name} is refused with 422, and the faults do not change`, async () => {
      const portal = open();
      await setFaults(portal, { refuse_items: ['kayak'] });

      const answer = await send(portal, 'PUT', '/sandbox/faults', faults);

      assert.equal(answer.status, 422);
      assert.equal(((await answer.json()) as { errors: { pointer: string }[] }).errors[0]?.pointer, pointer);
      assert.deepEqual(await read(portal, '/sandbox/faults'), { ...NO_FAULTS, refuse_items: ['kayak'] });
    });
  }
});

describe('a page of another site in the developer\u2019s browser', () => {
  // The three content types that a page can send to another origin without a preflight (Fetch, "CORS-safelisted").
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    test(`cannot change the sandbox with ${type}`, async () => {
      const portal = open();
      const token = await getToken(portal);
      const headers = { 'content-type': type };

      assert.equal((await send(portal, 'PUT', '/sandbox/faults', { down: true }, { headers })).status, 415);
      assert.equal((await send(portal, 'POST', '/sandbox/expire-tokens', {}, { headers })).status, 415);

      assert.deepEqual(await read(portal, '/sandbox/faults'), NO_FAULTS);
      assert.equal((await update(portal, token, [KAYAK])).status, 200);
    });
  }

  test('gets no CORS headers, neither for a preflight nor for a response', async () => {
    const portal = open();
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PUT' };

    const answers = [
      await send(portal, 'OPTIONS', '/sandbox/faults', undefined, { headers }),
      await send(portal, 'GET', '/sandbox/journal', undefined, { headers }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [405, 200],
    );
    for (const answer of answers) {
      assert.deepEqual(
        [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
        [],
      );
    }
  });

  const missing: [string, string, number][] = [
    ['POST', '/sandbox/faults', 405],
    ['GET', '/sandbox/expire-tokens', 405],
    ['GET', '/sandbox/unknown', 404],
    ['GET', '/sandbox', 404],
    ['GET', '/sandbox/journal/1', 404],
  ];
  for (const [method, path, status] of missing) {
    test(`${method} ${path} is answered with ${status}`, async () => {
      assert.equal((await send(open(), method, path)).status, status);
    });
  }

  test('a POST with a body that is not empty does not expire tokens', async () => {
    assert.equal((await send(open(), 'POST', '/sandbox/expire-tokens', { all: true })).status, 422);
  });
});

const CONTROL_PATHS = [
  '/',
  '/sandbox/journal',
  '/sandbox/items',
  '/sandbox/faults',
  '/sandbox/habits',
  '/sandbox/unknown',
];

type Sent = typeof KAYAK;

/** The last value by arrival, and the first value with the latest timestamp. */
function modelOf(accepted: readonly Sent[]): unknown[] {
  return [...new Set(accepted.map(({ id }) => id))].map((id) => {
    const values = accepted.filter((one) => one.id === id).map(({ id: _, ...value }) => value);
    const newest = values.reduce((best, value) => (value.updated_at > best.updated_at ? value : best));
    return { id, by_arrival: values.at(-1), by_updated_at: newest, updates: values.length };
  });
}

describe('for any sequence of requests', () => {
  const item = fc.record(
    {
      id: fc.constantFrom('kayak', 'boat', 'pottery', '__proto__'),
      available: fc.boolean(),
      updated_at: fc.integer({ min: 0, max: 6 }).map((second) => `2026-11-21T08:30:0${second}.000Z`),
    },
    { noNullPrototype: true },
  );
  const step = fc.record({ inventory: fc.array(item, { minLength: 1, maxLength: 5 }), spoilt: fc.boolean() });

  test('the portal has the same items as a simple model of the accepted updates', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const portal = open();
        const token = await getToken(portal);
        const accepted: Sent[] = [];

        for (const { inventory, spoilt } of steps) {
          const answer = await update(portal, token, spoilt ? [...inventory, { id: 'kayak' }] : inventory);
          assert.equal(answer.status, spoilt ? 422 : 200);
          if (!spoilt) accepted.push(...inventory);
        }

        assert.deepEqual(await itemsOf(portal), modelOf(accepted));
        const applied = (await journalOf(portal)).entries.filter((entry) => entry.applied);
        assert.deepEqual(
          applied.flatMap((entry) => entry.inventory),
          accepted,
        );
      }),
      { numRuns: 60 },
    );
  });

  test('no response of a control route contains the client secret or a token', async () => {
    const place = fc.constantFrom(
      'path',
      'query',
      'agent',
      'type',
      'header',
      'field',
      'bearer',
      'grant',
      'fault',
      'method',
    );
    const secrets = ['plain', 'encoded', 'token'] as const;

    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(place, fc.constantFrom(...secrets)), { maxLength: 12 }), async (leaks) => {
        const portal = open({ clientSecret: 'S3cr3t.of+the~House' });
        const grant = { ...GRANT, client_secret: 'S3cr3t.of+the~House' };
        const { access_token: token } = (await (await send(portal, 'POST', '/v1/oauth/token', grant)).json()) as {
          access_token: string;
        };
        const spellings = { plain: grant.client_secret, encoded: encodeURIComponent(grant.client_secret), token };

        let answers = '';
        for (const [where, which] of leaks) answers += await leak(portal, where, spellings[which], grant);
        for (const path of CONTROL_PATHS) answers += await (await send(portal, 'GET', path)).text();

        const shown = answers.toLowerCase();
        assert.match(shown, /sandbox portal/, 'the responses have a text to search');
        for (const secret of Object.values(spellings)) assert.ok(!shown.includes(secret.toLowerCase()), secret);
        assert.ok(!shown.includes('sandbox-token-'));
      }),
      { numRuns: 100 },
    );
  });
});

/**
 * Sends a secret in the wrong place, as a careless client may.
 *
 * @returns the response of a control route, if one was called
 */
async function leak(portal: SandboxPortal, where: string, secret: string, grant: object): Promise<string> {
  const token = (headers: Record<string, string>, body: object = grant) =>
    send(portal, 'POST', '/v1/oauth/token', body, { headers: { ...JSON_TYPE, ...headers } });
  switch (where) {
    case 'path':
      await send(portal, 'GET', `/v1/${secret}/inventory`);
      return '';
    case 'query':
      await send(portal, 'GET', `/v1/inventory?access_token=${secret}`);
      return '';
    case 'agent':
      await token({ 'user-agent': `client ${secret}` });
      return '';
    case 'type':
      await token({ 'content-type': `application/json; note="${secret}"` });
      return '';
    case 'header':
      await token({ [`x-${secret}`]: '1' }).catch(() => undefined);
      return '';
    case 'field':
      await token({}, { ...grant, [`x${secret}x`]: 1 });
      return '';
    case 'grant':
      await token({}, { ...grant, client_id: secret });
      return '';
    case 'bearer':
      await update(portal, secret, [KAYAK]);
      return '';
    case 'method':
      await send(portal, secret.slice(0, 60), '/v1/inventory').catch(() => undefined);
      return '';
    default:
      return (await send(portal, 'PUT', '/sandbox/faults', { [secret]: true })).text();
  }
}
