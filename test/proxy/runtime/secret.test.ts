import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from '../../../src/proxy/runtime/secret.js';

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
    it(`${way} is not shown`, () => {
      assert.ok(!print(new Secret(CANARY)).includes(CANARY));
    });
  }

  for (const [way, print] of WAYS.slice(0, -1)) {
    it(`${way} is printed as [redacted]`, () => {
      assert.match(print(new Secret(CANARY)), /\[redacted\]/);
    });
  }

  it('is returned by reveal()', () => {
    assert.equal(new Secret(CANARY).reveal(), CANARY);
  });
});

describe('a secret in the text of another system', () => {
  const SECRET = 'a/b+c "d" <é>\\e&f';
  const ways: readonly (readonly [way: string, written: string])[] = [
    ['as it is', SECRET],
    ['in a form', 'a%2Fb%2Bc+%22d%22+%3C%C3%A9%3E%5Ce%26f'],
    ['in an address', 'a%2Fb%2Bc%20%22d%22%20%3C%C3%A9%3E%5Ce%26f'],
    ['in JSON', 'a/b+c \\"d\\" <é>\\\\e&f'],
    ['in JSON of PHP', 'a\\/b+c \\"d\\" <\\u00e9>\\\\e&f'],
    ['in JSON of Python', 'a/b+c \\"d\\" <\\u00e9>\\\\e&f'],
    ['in JSON of .NET', 'a/b\\u002Bc \\u0022d\\u0022 \\u003C\\u00E9\\u003E\\\\e\\u0026f'],
  ];
  for (const [way, written] of ways) {
    it(`${way} is redacted wherever it occurs`, () => {
      const text = `no ${written}, and ${written}.`;

      assert.equal(new Secret(SECRET).redactFrom(text), 'no [redacted], and [redacted].');
    });
  }

  it('leaves all other text unchanged', () => {
    const text = '{"a": "\\u002B b/c"}';

    assert.equal(new Secret(SECRET).redactFrom(text), text);
  });
});
