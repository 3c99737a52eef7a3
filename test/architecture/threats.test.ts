import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { THREATS } from '../security/threats.js';

const NAMES = Array.from({ length: 16 }, (_, at) => `T${String(at + 1)}`);

describe('the list of threats', () => {
  it('has all sixteen threats in order', () => {
    assert.deepEqual(Object.keys(THREATS), NAMES);
  });

  for (const [name, { attacker, tests }] of Object.entries(THREATS)) {
    it(`names tests that exist: ${name}, ${attacker}`, () => {
      const missing = tests.filter(([file, title]) => !readFileSync(`test/${file}`, 'utf8').includes(title));

      assert.ok(tests.length > 0);
      assert.deepEqual(missing, []);
    });
  }

  it('names every file of test/security', () => {
    const named = new Set(Object.values(THREATS).flatMap(({ tests }) => tests.map(([file]) => file)));

    const files = readdirSync('test/security').filter((file) => file.endsWith('.test.ts'));

    assert.deepEqual(
      files.filter((file) => !named.has(`security/${file}`)),
      [],
    );
  });
});
