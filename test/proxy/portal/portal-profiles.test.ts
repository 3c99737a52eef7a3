import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listAssumptions } from '../../../src/proxy/portal/assumptions.js';
import { portalProfile, type PortalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { answering, deliver, edit, GRANT, lanesTo } from '../../support/portal-by-profile.js';
import { body, servePortal, status, type Answer } from '../../support/portal-server.js';

const conflict = (text: string, type?: string): Answer => {
  return (response) => response.writeHead(409, type === undefined ? {} : { 'Content-Type': type }).end(text);
};

describe('a portal that expects a form as the token request, and the token in its own header', () => {
  it('gets the token request as a form and the token in that header', async (t) => {
    const profile = {
      token: { body: 'form', extra_fields: { scope: 'inventory.write' } },
      authorization: { header: 'X-Portal-Token', prefix: '' },
    };

    const { portal, outcome } = await deliver(t, profile, GRANT, status(204));

    const [token, update] = portal.seen;
    assert.equal(token?.headers['Content-Type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(Object.fromEntries(new URLSearchParams(token.body)), {
      scope: 'inventory.write',
      client_id: 'shared',
      client_secret: 'shared-secret',
      grant_type: 'client_credentials',
    });
    assert.equal(update?.headers['X-Portal-Token'], 'token-1');
    assert.deepEqual(outcome, { kind: 'delivered' });
  });
});

describe('a portal with the vendor in its path', () => {
  it('has a lane for each vendor, whose name cannot leave its segment', async (t) => {
    const portal = await servePortal(t, GRANT, status(200));
    const lanes = lanesTo(portal, { update: { method: 'PATCH', path: '/v1/vendors/{vendor}/inventory' } });

    for (const vendor of ['boat-tours', '../../admin']) {
      await lanes.connectionFor(lanes.laneOf(vendor)).update([{ ...edit('a'), vendor }]);
    }

    assert.deepEqual(
      portal.seen.map(({ method, path }) => `${method} ${path}`),
      ['POST /v1/oauth/token', 'PATCH /v1/vendors/boat-tours/inventory', 'PATCH /v1/vendors/..%2F..%2Fadmin/inventory'],
    );
  });
});

describe('an edit in the lane of another vendor', () => {
  it('is not sent, with any credential or path', async (t) => {
    const portal = await servePortal(t, GRANT, status(200));
    const byPath = lanesTo(portal, { update: { path: '/v1/vendors/{vendor}/inventory' } });
    const byVendor = new Map([['boat-tours', [{ clientId: 'own', clientSecret: new Secret('s') }]]]);
    const byCredential = lanesTo(portal, {}, { byVendor });

    const outcomes = [
      await byPath.connectionFor('').update([edit('kayak')]),
      await byCredential.connectionFor('').update([{ ...edit('vase'), vendor: 'pottery' }, edit('kayak')]),
      await lanesTo(portal, {})
        .connectionFor('boat-tours')
        .update([edit('kayak')]),
    ];

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['retry', 'retry', 'retry'],
    );
    assert.equal(portal.seen.length, 0);
  });
});

describe('a portal that answers for each item', () => {
  it('has only the rejected item refused', async (t) => {
    const results = [
      { id: 'kayak', status: 200 },
      { id: 'canoe', status: 422, detail: 'unknown' },
    ];

    const { outcome } = await deliver(t, {}, GRANT, answering(207, { results }));

    const answeredIds = new Set(['kayak', 'canoe']);
    assert.deepEqual(outcome, { kind: 'delivered', refused: new Map([['canoe', '422']]), answeredIds });
  });

  it('has the status of an item read like that of a whole call, by the statuses of the profile', async (t) => {
    const results = [
      { id: 'kayak', status: 503 },
      { id: 'canoe', status: 423 },
    ];

    const { outcome } = await deliver(t, { statuses: { '423': 'retry' } }, GRANT, answering(200, { results }));

    const delay = { reason: 'portal_error', uncertain: false } as const;
    assert.deepEqual(outcome, {
      kind: 'delivered',
      delayed: new Map([
        ['kayak', delay],
        ['canoe', delay],
      ]),
    });
  });

  it('is read by the pointers of the profile', async (t) => {
    const profile = { results: { list: '/data/items', id: '/item/id', status: '/state', taken: ['stored'] } };
    const items = [
      { item: { id: 'kayak' }, state: 'rejected' },
      { item: { id: 'canoe' }, state: 'stored' },
    ];

    const { outcome } = await deliver(t, profile, GRANT, answering(200, { data: { items } }));

    assert.deepEqual(outcome, { kind: 'delivered', refused: new Map([['kayak', 'rejected']]) });
  });

  const forms: readonly (readonly [what: string, profile: object, results: object])[] = [
    ['below its id', {}, { kayak: { status: 200 }, canoe: { status: 422 } }],
    ['below its id, with a word and no more', { results: { status: '' } }, { kayak: 'ok', canoe: '422' }],
    [
      'with its status as a text',
      {},
      [
        { id: 'kayak', status: '200' },
        { id: 'canoe', status: '422' },
      ],
    ],
  ];
  for (const [what, profile, results] of forms) {
    for (const code of [200, 207]) {
      it(`has a rejected item refused in a ${code} with each result ${what}`, async (t) => {
        const { outcome } = await deliver(t, profile, GRANT, answering(code, { results }));

        const refused = new Map([['canoe', '422']]);
        const named = code === 207 && { answeredIds: new Set(['kayak', 'canoe']) };
        assert.deepEqual(outcome, { kind: 'delivered', refused, ...named });
      });
    }
  }

  it('may return one result without a list', async (t) => {
    const results = { id: 'canoe', status: 422 };

    const { outcome } = await deliver(t, {}, GRANT, answering(200, { results }));

    assert.deepEqual(outcome, { kind: 'delivered', refused: new Map([['canoe', '422']]) });
  });

  it('has all items delivered if it only counts them', async (t) => {
    const { outcome } = await deliver(t, {}, GRANT, answering(200, { results: { updated: 2, failed: 0 } }));

    assert.deepEqual(outcome, { kind: 'delivered' });
  });

  it('is unreadable if it answers 207 without results', async (t) => {
    const { outcome } = await deliver(t, {}, GRANT, answering(207, {}));

    assert.deepEqual(outcome, { kind: 'held', reason: 'portal_unreadable' });
  });

  it('is unreadable if it answers 207 with results that the profile cannot read', async (t) => {
    const lists = [
      [{ item_id: 'kayak', status: 422 }],
      [{ id: 7, status: 422 }],
      [{ id: 'kayak', code: 422 }],
      ['kayak'],
      [
        { id: 'kayak', status: 200 },
        { id: 'canoe', error: 'unknown' },
      ],
    ];

    for (const results of lists) {
      const { outcome } = await deliver(t, {}, GRANT, answering(207, { results }));

      assert.deepEqual(outcome, { kind: 'held', reason: 'portal_unreadable' }, JSON.stringify(results));
    }
  });

  it('is unreadable if it answers 200 and rejects items whose ids the profile cannot read', async (t) => {
    for (const result of [
      { id: 7, status: 'rejected' },
      { item_id: 'kayak', status: 'rejected' },
      { id: null, status: 422 },
    ]) {
      const { outcome } = await deliver(t, {}, GRANT, answering(200, { results: [result] }));

      assert.deepEqual(outcome, { kind: 'held', reason: 'portal_unreadable' }, JSON.stringify(result));
    }
  });

  it('may use null for accepted, if the profile says so', async (t) => {
    const profile = { results: { status: '/error', taken: [null] } };
    const results = [
      { id: 'kayak', error: null },
      { id: 'canoe', error: 'unknown' },
    ];

    const { outcome } = await deliver(t, profile, GRANT, answering(207, { results }));

    const answeredIds = new Set(['kayak', 'canoe']);
    assert.deepEqual(outcome, { kind: 'delivered', refused: new Map([['canoe', 'unknown']]), answeredIds });
  });

  it('has all items delivered if it answers 200 and rejects none, whatever ids it writes', async (t) => {
    const results = [{ id: 7, status: 'ok' }, { item_id: 'kayak', status: 201 }, { id: 'canoe' }, 'kayak'];

    const { outcome } = await deliver(t, {}, GRANT, answering(200, { results }));

    assert.deepEqual(outcome, { kind: 'delivered' });
  });

  it('has all items delivered if it answers 207 with an empty list of results', async (t) => {
    const { outcome } = await deliver(t, {}, GRANT, answering(207, { results: [] }));

    assert.deepEqual(outcome, { kind: 'delivered' });
  });
});

describe('the code of a refusal', () => {
  const bodies: readonly (readonly [of: string, body: object, code: string])[] = [
    [
      'RFC 9457',
      { type: 'https://portal.example.com/unknown-item', detail: 'x' },
      '422 https://portal.example.com/unknown-item',
    ],
    ['RFC 6749', { error: 'invalid_request', error_description: 'x' }, '422 invalid_request'],
    ['error and errorMessage', { error: 'E_ITEM', errorMessage: 'x' }, '422 E_ITEM'],
    ['nothing that we know', { oops: true }, '422'],
  ];
  for (const [of, answer, code] of bodies) {
    it(`is read from a body of ${of}`, async (t) => {
      const { outcome } = await deliver(t, {}, GRANT, answering(422, answer));

      assert.deepEqual([outcome.kind, outcome.kind === 'refused' && outcome.code], ['refused', code]);
    });
  }
});

describe('the profile of a portal', () => {
  it('may change the meaning of a status', async (t) => {
    const { outcome } = await deliver(t, { statuses: { '422': 'retry' } }, GRANT, answering(422, {}));

    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_error' });
  });

  for (const [what, answer] of [
    ['JSON', answering(409, {})],
    ['a text', conflict('known already', 'text/plain')],
    ['a text that does not say what it is', conflict('known already')],
    ['a web page', conflict('<h1>Conflict</h1>', 'text/html')],
  ] as const) {
    it(`may let a status mean delivered, for a call of one item, even with ${what}`, async (t) => {
      const lane = lanesTo(await servePortal(t, GRANT, answer), { statuses: { '409': 'delivered' } }).connectionFor('');

      assert.deepEqual(await lane.update([edit('kayak')]), { kind: 'delivered' });
    });

    it(`does not let such a status mean delivered for a call of several items, even with ${what}`, async (t) => {
      const { outcome } = await deliver(t, { statuses: { '409': 'delivered' } }, GRANT, answer);

      assert.deepEqual(outcome, { kind: 'refused', code: '409' });
    });
  }

  it('may let a 2xx mean delivered for all items, whatever its body is', async (t) => {
    const { outcome } = await deliver(t, { statuses: { '200': 'delivered' } }, GRANT, body('OK', 'text/plain'));

    assert.deepEqual(outcome, { kind: 'delivered' });
  });

  it('may set timestamps with a precision of seconds', async (t) => {
    const { portal } = await deliver(t, { stamps: { precision: 'seconds' } }, GRANT, status(200));

    const { inventory } = JSON.parse(portal.seen[1]?.body ?? '') as { inventory: { updated_at: string }[] };
    assert.equal(inventory[0]?.updated_at, '2026-11-21T08:30:00Z');
  });

  it('may set an idempotency header, whose key is the same for the same batch', async (t) => {
    const portal = await servePortal(t, GRANT, status(500), status(200));
    const lane = lanesTo(portal, { idempotency: { header: 'Idempotency-Key' } }).connectionFor('');

    await lane.update([edit('kayak')]);
    await lane.update([edit('kayak')]);

    const [, first, second] = portal.seen.map(({ headers }) => headers['Idempotency-Key']);
    assert.match(first ?? '', /^[0-9a-f]{64}$/);
    assert.equal(second, first);
  });

  for (const [what, over] of [
    ['a resend', { isResend: true }],
    ['an edit before which an older one may still arrive', { followsUncertain: true }],
  ] as const) {
    it(`has another idempotency key with each call for ${what}, because a known key would have no effect`, async (t) => {
      const portal = await servePortal(t, GRANT, status(500), status(500), status(200));
      const lane = lanesTo(portal, { idempotency: { header: 'Idempotency-Key' } }).connectionFor('');

      await lane.update([edit('kayak')]);
      await lane.update([{ ...edit('kayak'), ...over }]);
      await lane.update([{ ...edit('kayak'), ...over, attempts: 2 }]);

      const calls = portal.seen.slice(1);
      assert.equal(new Set(calls.map(({ body }) => body)).size, 1);
      assert.equal(new Set(calls.map(({ headers }) => headers['Idempotency-Key'])).size, 3);
    });
  }
});

describe('credentials', () => {
  it('are the vendor’s own if the table has some, and so is the lane', async (t) => {
    const portal = await servePortal(t, GRANT, status(200));
    const own = [{ clientId: 'boats', clientSecret: new Secret('own-secret') }];
    const lanes = lanesTo(portal, {}, { byVendor: new Map([['boat-tours', own]]) });

    await lanes.connectionFor(lanes.laneOf('boat-tours')).update([edit('kayak')]);

    assert.equal((JSON.parse(portal.seen[0]?.body ?? '') as { client_id: string }).client_id, 'boats');
    assert.deepEqual([lanes.laneOf('boat-tours'), lanes.laneOf('pottery')], ['boat-tours', '']);
  });

  it('may be two during a secret rotation: the second is tried when the first is rejected', async (t) => {
    const portal = await servePortal(t, status(401), GRANT, status(200));
    const credentials = ['new', 'old'].map((secret) => ({ clientId: 'shared', clientSecret: new Secret(secret) }));

    const outcome = await lanesTo(portal, {}, { credentials })
      .connectionFor('')
      .update([edit('kayak')]);

    assert.deepEqual(outcome, { kind: 'delivered' });
    const secrets = portal.seen
      .slice(0, 2)
      .map(({ body: sent }) => (JSON.parse(sent) as { client_secret: string }).client_secret);
    assert.deepEqual(secrets, ['new', 'old']);
  });
});

/** The settings of a profile; a list or a table of statuses is one setting. */
function settingsOf(profile: PortalProfile): string[] {
  return Object.entries(profile).flatMap(([section, value]) =>
    Array.isArray(value) || section === 'statuses'
      ? section
      : Object.keys(value ?? {}).map((setting) => `${section}.${setting}`),
  );
}

describe('the assumptions about the portal', () => {
  it('include every setting of the profile', () => {
    const profile = portalProfile.parse({
      idempotency: { header: 'Idempotency-Key' },
      success: { status: '/ok' },
      confirmation: { after_ms: 60_000 },
      listing: { path: '/v1/inventory', paging: 'page', parameter: 'p', label: '/name', vendor: 'boat-tours' },
    });

    const rows = listAssumptions(profile, {});

    assert.deepEqual(new Set(rows.flatMap(({ setting }) => setting ?? [])), new Set(settingsOf(profile)));
  });

  it('distinguish documented, assumed and set values', () => {
    const given = { update: { path: '/v2/stock' } };

    const rows = listAssumptions(portalProfile.parse(given), given);

    const origins = new Map(rows.map(({ setting, point, origin }) => [setting ?? point, origin]));
    assert.equal(origins.get('token request'), 'documented');
    assert.equal(origins.get('update.path'), 'set');
    assert.equal(origins.get('update.method'), 'assumed');
  });
});
