import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isInScope } from '../../src/domain/item-scope.js';
import type { ItemId } from '../../src/domain/item.js';

const KAYAK = 'boats/kayak' as ItemId;

describe('the scope of a session', () => {
  for (const [what, scope, isPermitted] of [
    ['permits every item if the session names no scope', undefined, true],
    ['permits no item if it is empty', [], false],
    ['permits an item that it names', ['rooms/sauna', 'boats/kayak'], true],
    ['permits no item whose id only begins with one that it names', ['boats'], false],
    ['permits every item with the prefix of a pattern', ['boats/*'], true],
    ['permits every item with the pattern *', ['*'], true],
    ['permits no item with another prefix', ['rooms/*'], false],
    ['reads * as a pattern at the end only', ['*/kayak', 'boats*kayak'], false],
  ] as const) {
    it(what, () => {
      assert.equal(isInScope(scope, KAYAK), isPermitted);
    });
  }
});
