import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostItem, itemsPage, repairHostItem } from '../../src/contract/host-items.js';

describe('an item from the host’s page', () => {
  it('requires only an id', () => {
    assert.deepEqual(hostItem.parse({ id: 'kayak' }), { id: 'kayak' });
  });

  it('may have null for an unknown value', () => {
    const item = { id: 'kayak', available: null, updated_at: null, label: null, group: null };

    assert.deepEqual(hostItem.parse(item), item);
  });

  it('drops unknown fields of the host', () => {
    assert.deepEqual(hostItem.parse({ id: 'kayak', price: 40 }), { id: 'kayak' });
  });

  for (const [what, item] of [
    ['no id', {}],
    ['an empty id', { id: '' }],
    ['an availability as a text', { id: 'kayak', available: 'yes' }],
    ['an id that is an object', { id: {} }],
    ['NaN as an id', { id: NaN }],
  ] as const) {
    it(`is invalid with ${what}`, () => {
      assert.equal(hostItem.safeParse(item).success, false);
    });
  }

  const long = (length: number): string => 'a'.repeat(length);
  for (const [what, field, given, kept] of [
    ['an image URL of 2,100 characters', 'image', `https://cdn.test/?sig=${long(2_100)}`, null],
    ['an image that is an object', 'image', { url: 'x' }, null],
    ['a note of 600 characters', 'note', long(600), `${long(499)}…`],
    ['a long note with a surrogate pair at the limit', 'note', `${long(498)}😀${long(600)}`, `${long(498)}…`],
    ['a group that is a number', 'group', 12, '12'],
    ['a label that is a list', 'label', ['Kayak'], null],
    ['NaN as a label', 'label', NaN, null],
    ['a timestamp in UTC with an offset', 'updated_at', '2026-11-21T08:30:00+00:00', '2026-11-21T08:30:00.000Z'],
    ['a timestamp with another offset', 'updated_at', '2026-11-21T08:30:00.5-03:30', '2026-11-21T12:00:00.500Z'],
    [
      'a timestamp in the format of PostgreSQL',
      'updated_at',
      '2026-11-21 08:30:00.123456+02',
      '2026-11-21T06:30:00.123Z',
    ],
    ['a timestamp in lower case', 'updated_at', '2026-11-21t08:30:00z', '2026-11-21T08:30:00.000Z'],
    ['a Date', 'updated_at', new Date(Date.UTC(2026, 10, 21)), '2026-11-21T00:00:00.000Z'],
    ['an invalid Date', 'updated_at', new Date(NaN), null],
    ['a timestamp without an offset', 'updated_at', '2026-11-21T08:30:00', null],
    ['a day that does not exist', 'updated_at', '2026-02-30T08:30:00+01:00', null],
    ['milliseconds since the epoch', 'updated_at', 1_795_249_800_000, null],
    ['a text that is no timestamp', 'updated_at', 'today', null],
    ['an id that is a number', 'id', 7, '7'],
    ['an id that is a large number', 'id', 2n ** 60n, '1152921504606846976'],
  ] as const) {
    it(`is repaired, and not dropped, with ${what}`, () => {
      const changes: unknown[] = [];
      const entry = { id: 'kayak', available: true, [field]: given };

      repairHostItem(entry, (...change) => changes.push(change[0]));

      assert.deepEqual(hostItem.parse(entry), { id: 'kayak', available: true, [field]: kept });
      assert.deepEqual(changes, [field]);
    });
  }

  it('is not changed if it is valid', () => {
    const item = {
      id: 'kayak',
      available: true,
      label: long(500),
      image: long(2_000),
      updated_at: '2026-11-21T08:30:00Z',
    };

    repairHostItem(item, (field) => assert.fail(`${field} was changed`));

    assert.deepEqual(hostItem.parse(item), item);
  });
});

describe('the item catalog of an operator', () => {
  it('keeps items with an invalid image or note, which the proxy does not read', () => {
    const { inventory } = itemsPage.parse([{ id: 'sauna', image: 'b'.repeat(2_100), note: 'b'.repeat(600) }]);

    assert.deepEqual(inventory, [{ id: 'sauna' }]);
  });
});
