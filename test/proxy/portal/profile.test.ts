import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { portalProfile } from '../../../src/proxy/portal/profile.js';

const CONNECTION_HEADERS = [
  'Connection',
  'Content-Encoding',
  'Content-Length',
  'Expect',
  'Host',
  'Keep-Alive',
  'Proxy-Authorization',
  'Proxy-Connection',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
];

describe('the portal profile', () => {
  it('may be empty: each setting has the most usual default', () => {
    assert.deepEqual(portalProfile.parse({}), {
      update: { method: 'POST', path: '/v1/inventory', headers: {} },
      token: { body: 'json', extra_fields: {}, fallback_lifetime_seconds: 300, renewal_margin_seconds: 60 },
      authorization: { header: 'Authorization', prefix: 'Bearer ' },
      success: { taken: [200, 201, 202, 204, 'ok', 'success', 'accepted', 'updated', true], accepted: [] },
      confirmation: {},
      results: {
        list: '/results',
        id: '/id',
        status: '/status',
        taken: [200, 201, 202, 204, 'ok', 'success', 'accepted', 'updated', true],
      },
      errors: [
        { code: '/type', message: '/detail' },
        { code: '/error', message: '/error_description' },
        { code: '/error', message: '/errorMessage' },
      ],
      statuses: {},
      limits: { items: 100, bytes: 262_144, in_flight: 1, calls_per_second: 2 },
      timeouts: { connect_ms: 3000, call_ms: 10_000 },
      stamps: { precision: 'milliseconds', tolerance_ms: 300_000 },
      idempotency: {},
    });
  });

  it('keeps the other defaults if one setting is given', () => {
    const profile = portalProfile.parse({ update: { method: 'PATCH' }, limits: { items: 10 } });

    assert.deepEqual(profile.update, { method: 'PATCH', path: '/v1/inventory', headers: {} });
    assert.deepEqual(profile.limits, { items: 10, bytes: 262_144, in_flight: 1, calls_per_second: 2 });
  });

  it('reads no list of the portal unless its path and paging are set', () => {
    const { listing } = portalProfile.parse({ listing: { path: '/v1/inventory?per_page=100', paging: 'cursor' } });

    assert.equal(portalProfile.parse({}).listing, undefined);
    assert.deepEqual(listing, {
      path: '/v1/inventory?per_page=100',
      method: 'GET',
      headers: {},
      paging: 'cursor',
      first_page: 1,
      cursor: '/next',
      items: '/inventory',
      id: '/id',
      available: '/available',
      updated_at: '/updated_at',
      every_seconds: 60,
    });
  });

  const wrong: readonly (readonly [what: string, profile: object])[] = [
    ['a key that it does not have', { updates: {} }],
    ['a key that a part of it does not have', { update: { verb: 'POST' } }],
    ['a secret', { client_secret: 'x' }],
    ['a method that sends no body', { update: { method: 'GET' } }],
    ['a path to another server', { update: { path: 'https://evil.example.com/' } }],
    ['a path with a query', { update: { path: '/v1/inventory?x=1' } }],
    ['a path with a fragment', { update: { path: '/v1/inventory#x' } }],
    ['a path with another name in braces', { update: { path: '/v1/vendors/{vendor_id}/inventory' } }],
    ['a path with braces around braces', { update: { path: '/v1/vendors/{{vendor}}/inventory' } }],
    ...['/a/../b', '/./b', '/b/..', '/b/.', '/a/%2E%2e/b', '/a/.%2e', '/a\\b'].map(
      (path) => [`the path ${path}, which a URL parser changes`, { update: { path } }] as const,
    ),
    ['a path with a line break', { update: { path: '/v1\r\nHost: evil' } }],
    ['a header name with a colon', { authorization: { header: 'X: y' } }],
    ['a header name with a blank', { authorization: { header: 'X y' } }],
    ['a header without a name', { authorization: { header: '' } }],
    ['the key in the header of the token', { idempotency: { header: 'AUTHORIZATION' } }],
    ['another value in the header of the token', { update: { headers: { authorization: 'Basic x' } } }],
    ['the token in the Content-Type header', { authorization: { header: 'content-type' } }],
    ['the idempotency key in the Content-Type header', { idempotency: { header: 'Content-Type' } }],
    ['the idempotency key in the Accept header', { idempotency: { header: 'Accept' } }],
    [
      'another value in the header of the key',
      { idempotency: { header: 'X-Key' }, update: { headers: { 'x-key': '1' } } },
    ],
    ['a list without its paging', { listing: { path: '/v1/inventory' } }],
    ['a list at another server', { listing: { path: 'https://evil.example.com/', paging: 'none' } }],
    ['a list at a path that a URL parser changes', { listing: { path: '/a/..?x=1', paging: 'none' } }],
    ['a list that is read without a pause', { listing: { path: '/a', paging: 'none', every_seconds: 0 } }],
    ['a list with a header of the token', { listing: { path: '/a', paging: 'none', headers: { authorization: 'x' } } }],
    ['one header twice', { update: { headers: { 'X-Channel': 'a', 'x-channel': 'b' } } }],
    ['a range of status codes', { statuses: { '2xx': 'delivered' } }],
    ['a prefix with a line break', { authorization: { prefix: 'Bearer\r\n' } }],
    ['no item in a call', { limits: { items: 0 } }],
    ['half an item in a call', { limits: { items: 1.5 } }],
    ['no call in a second', { limits: { calls_per_second: 0 } }],
    ['a token that lives for no time', { token: { fallback_lifetime_seconds: 0 } }],
    ['no time to connect', { timeouts: { connect_ms: 0 } }],
    ['no time for a call', { timeouts: { call_ms: 0 } }],
    ['more time for a call than a timer can count', { timeouts: { call_ms: 2 ** 31 } }],
  ];

  const faults: readonly (readonly [message: string, profile: unknown])[] = [
    ['profile at /limits/items: expected more than 0', { limits: { items: 0 } }],
    ['profile at /updates: unknown field', { updates: {} }],
    ['profile at /update/method: expected POST or PUT or PATCH', { update: { method: 'GET' } }],
    ['profile at /timeouts/call_ms: expected number', { timeouts: { call_ms: '10s' } }],
    ['profile: expected object', 'portal.json'],
    [
      'profile at /token/body: expected json or form\nprofile at /stamps/tolerance_ms: expected more than 0',
      { token: { body: 'xml' }, stamps: { tolerance_ms: 0 } },
    ],
  ];
  for (const [message, profile] of faults) {
    it(`names the place and the expected value of each fault in one line: ${message}`, () => {
      assert.throws(() => portalProfile.parse(profile), { name: 'TypeError', message });
    });
  }

  for (const header of CONNECTION_HEADERS) {
    for (const profile of [
      { update: { headers: { [header]: 'x' } } },
      { authorization: { header } },
      { idempotency: { header: header.toLowerCase() } },
    ]) {
      it(`is invalid with ${JSON.stringify(profile)}, a header that the connection writes`, () => {
        assert.equal(portalProfile.safeParse(profile).success, false);
      });
    }
  }

  it('may name a header with each character that HTTP allows', () => {
    const header = "aZ0_!#$%&'*+-.^`|~";

    assert.equal(portalProfile.parse({ authorization: { header } }).authorization.header, header);
  });

  for (const [what, profile] of wrong) {
    it(`is invalid with ${what}`, () => {
      assert.equal(portalProfile.safeParse(profile).success, false);
    });
  }
});
