import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostItem } from '../../src/contract/host-items.js';

describe('an item as the host’s page hands it over', () => {
  it('needs no more than an id', () => {
    assert.deepEqual(hostItem.parse({ id: 'kayak' }), { id: 'kayak' });
  });

  it('may say null for what nobody knows', () => {
    const item = { id: 'kayak', available: null, updated_at: null, label: null, group: null };

    assert.deepEqual(hostItem.parse(item), item);
  });

  it('keeps the host’s own fields to the host', () => {
    assert.deepEqual(hostItem.parse({ id: 'kayak', price: 40 }), { id: 'kayak' });
  });

  for (const [what, item] of [
    ['no id', {}],
    ['an empty id', { id: '' }],
    ['an availability in words', { id: 'kayak', available: 'yes' }],
    ['a time that is none', { id: 'kayak', updated_at: 'today' }],
    ['a label that is a number', { id: 'kayak', label: 7 }],
  ] as const) {
    it(`is none with ${what}`, () => {
      assert.equal(hostItem.safeParse(item).success, false);
    });
  }
});
