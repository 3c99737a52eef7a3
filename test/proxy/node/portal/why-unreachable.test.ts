import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeUnreachable } from '../../../../src/proxy/node/portal-fetch.js';

describe('a portal whose certificate', () => {
  // Node's own codes (doc/api/tls.md, "X509 certificate error codes").
  for (const [how, code, words] of [
    ['is of a private certificate authority', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /NODE_EXTRA_CA_CERTS$/],
    ['is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS$/],
    ['comes without its intermediate certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS$/],
    ['has expired', 'CERT_HAS_EXPIRED', /has expired, or the clock of this machine is ahead$/],
    ['is not valid yet', 'CERT_NOT_YET_VALID', /not valid yet, or the clock of this machine is behind$/],
    ['is for another host name', 'ERR_TLS_CERT_ALTNAME_INVALID', /is for another host name$/],
  ] as const) {
    it(`${how} is described, with what to do`, () => {
      const cause = Object.assign(new Error('in words of OpenSSL'), { code });

      const said = describeUnreachable(new TypeError('fetch failed', { cause }));

      assert.match(said, words);
      assert.ok(said.startsWith(`${code}: its certificate `));
    });
  }
});
