import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from '../../src/proxy/secret.js';

const CANARY = 'canary-of-the-secret';

const WAYS: readonly (readonly [way: string, print: (secret: Secret) => string])[] = [
  ['as a string', (secret) => String(secret)],
  ['within a text', (secret) => `${secret.toString()}!`],
  ['as JSON', (secret) => JSON.stringify(secret)],
  ['as JSON within an object', (secret) => JSON.stringify({ account: { secret } })],
  ['inspected', (secret) => inspect(secret)],
  ['inspected with all that is hidden', (secret) => inspect({ secret }, { showHidden: true, depth: null })],
  ['formatted for the console', (secret) => format('%s %o %O %j', secret, secret, secret, secret)],
  ['spread over an object', (secret) => JSON.stringify({ ...secret }) + JSON.stringify(Object.entries(secret))],
];

describe('a secret that is printed', () => {
  for (const [way, print] of WAYS) {
    it(`${way} does not show`, () => {
      assert.ok(!print(new Secret(CANARY)).includes(CANARY));
    });
  }

  for (const [way, print] of WAYS.slice(0, -1)) {
    it(`${way} says that something was left out`, () => {
      assert.match(print(new Secret(CANARY)), /\[redacted\]/);
    });
  }

  it('is there for the one who asks for it by name', () => {
    assert.equal(new Secret(CANARY).reveal(), CANARY);
  });
});
