import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientAddress, isNetwork } from '../../../../src/proxy/node/server/client-address.js';

const PEER = '198.51.100.7';

describe('the address of a request', () => {
  const cases: readonly (readonly [
    what: string,
    trusted: string[],
    forwarded: string | undefined,
    address: string | undefined,
  ])[] = [
    ['is the peer', [], undefined, PEER],
    ['is unknown behind a gateway that is not in TRUSTED_PROXIES', [], '203.0.113.9', undefined],
    ['is the peer if that is no trusted proxy, whatever the header contains', ['10.0.0.0/8'], '203.0.113.9', PEER],
    ['is the one that a trusted proxy added', [PEER], '203.0.113.9', '203.0.113.9'],
    [
      'is the last one that a trusted proxy added, because the client can forge earlier ones',
      [PEER],
      '1.1.1.1, 203.0.113.9',
      '203.0.113.9',
    ],
    [
      'is the last one before a chain of trusted proxies',
      [PEER, '10.0.0.0/8'],
      '1.1.1.1, 203.0.113.9, 10.2.3.4',
      '203.0.113.9',
    ],
    ['is unknown if a trusted proxy added no valid address', [PEER], '203.0.113.9, unknown', undefined],
    ['is unknown if a trusted proxy sent no header', [PEER], undefined, undefined],
    ['is unknown if the header has only trusted proxies', [PEER, '10.0.0.0/8'], '10.2.3.4', undefined],
    ['is read without its port', [PEER], '1.1.1.1, 203.0.113.9:4711', '203.0.113.9'],
    ['is read without its port from IPv6 in brackets', [PEER], '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['is read from IPv6 in brackets without a port', [PEER], '[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ];

  for (const [what, trusted, forwarded, address] of cases) {
    it(what, () => {
      assert.equal(new ClientAddress(trusted).of(PEER, forwarded), address);
    });
  }

  it('is the same for IPv4 and for IPv4-mapped IPv6', () => {
    assert.equal(new ClientAddress(['192.0.2.1']).of('::ffff:192.0.2.1', '::ffff:203.0.113.9'), '203.0.113.9');
  });

  for (const [address, counted] of [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const) {
    it(`is the /64 network of ${address}`, () => {
      assert.equal(new ClientAddress([]).of(address, undefined), counted);
    });
  }
});

describe('an entry of TRUSTED_PROXIES', () => {
  for (const good of ['192.0.2.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0']) {
    it(`may be ${good}`, () => {
      assert.equal(isNetwork(good), true);
    });
  }

  for (const bad of [
    '',
    '*',
    'proxy.example.com',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
  ]) {
    it(`may not be ${bad === '' ? 'empty' : bad}`, () => {
      assert.equal(isNetwork(bad), false);
    });
  }
});
