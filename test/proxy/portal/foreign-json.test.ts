import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_JSON_DEPTH, parseUntrustedJson } from '../../../src/proxy/runtime/untrusted-json.js';

describe('untrusted JSON', () => {
  it('is parsed as JSON.parse does, including brackets and backslashes in strings', () => {
    const strings = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'é', '\n') });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: MAX_JSON_DEPTH / 10 },
        strings,
        fc.json(),
        fc.array(tie('tree')),
        fc.dictionary(strings, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseUntrustedJson(text), JSON.parse(text));
      }),
    );
  });

  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    it(`is parsed to a depth of ${String(MAX_JSON_DEPTH)} levels of ${open}, and no deeper`, () => {
      const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

      assert.notEqual(parseUntrustedJson(nested(MAX_JSON_DEPTH)), undefined);
      assert.equal(parseUntrustedJson(nested(MAX_JSON_DEPTH + 1)), undefined);
    });
  }

  it('may have many nested values side by side', () => {
    const text = JSON.stringify(Array.from({ length: 10 * MAX_JSON_DEPTH }, () => [[{ results: [] }]]));

    assert.deepEqual(parseUntrustedJson(text), JSON.parse(text));
  });

  for (const text of ['', '[', '"', '\\', '{"a":1}}', 'nonsense', '['.repeat(1_000_000)]) {
    it(`is undefined for ${JSON.stringify(text.slice(0, 10))}, ${String(text.length)} characters long`, () => {
      assert.equal(parseUntrustedJson(text), undefined);
    });
  }
});
