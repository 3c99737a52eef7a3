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
    ['is nobody’s behind a gateway that the operator has not named', [], '203.0.113.9', undefined],
    ['is the peer, where it is none of the gateways, whatever a header says', ['10.0.0.0/8'], '203.0.113.9', PEER],
    ['is what a trusted proxy wrote', [PEER], '203.0.113.9', '203.0.113.9'],
    [
      'is the last that a trusted proxy wrote: what stands before it is made up',
      [PEER],
      '1.1.1.1, 203.0.113.9',
      '203.0.113.9',
    ],
    [
      'goes back through a chain of trusted ones',
      [PEER, '10.0.0.0/8'],
      '1.1.1.1, 203.0.113.9, 10.2.3.4',
      '203.0.113.9',
    ],
    ['is nobody’s where a trusted proxy wrote what is no address', [PEER], '203.0.113.9, unknown', undefined],
    ['is nobody’s where a trusted proxy wrote nothing', [PEER], undefined, undefined],
    ['is nobody’s where it wrote nothing but another trusted one', [PEER, '10.0.0.0/8'], '10.2.3.4', undefined],
    ['is known where a trusted proxy wrote the port, too', [PEER], '1.1.1.1, 203.0.113.9:4711', '203.0.113.9'],
    ['the same of IPv6', [PEER], '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['the same without a port', [PEER], '[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ];

  for (const [what, trusted, forwarded, address] of cases) {
    it(what, () => {
      assert.equal(new ClientAddress(trusted).of(PEER, forwarded), address);
    });
  }

  it('is the same in both ways to write IPv4', () => {
    assert.equal(new ClientAddress(['192.0.2.1']).of('::ffff:192.0.2.1', '::ffff:203.0.113.9'), '203.0.113.9');
  });

  for (const [address, counted] of [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const) {
    it(`counts ${address} with its neighbours`, () => {
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
    it(`may not be ${bad === '' ? 'nothing' : bad}`, () => {
      assert.equal(isNetwork(bad), false);
    });
  }
});
