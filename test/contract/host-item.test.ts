import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostItem, itemsPage, repairHostItem } from '../../src/contract/host-items.js';

describe('an item from the host’s page', () => {
  it('needs no more than an id', () => {
    assert.deepEqual(hostItem.parse({ id: 'kayak' }), { id: 'kayak' });
  });

  it('may have null for an unknown value', () => {
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
    ['an id that is no number and no text', { id: {} }],
    ['an id that is not a number', { id: NaN }],
  ] as const) {
    it(`is none with ${what}`, () => {
      assert.equal(hostItem.safeParse(item).success, false);
    });
  }

  const long = (length: number): string => 'a'.repeat(length);
  for (const [what, field, given, kept] of [
    ['a picture at an address of 2,100 characters', 'image', `https://cdn.test/?sig=${long(2_100)}`, null],
    ['a picture that is none', 'image', { url: 'x' }, null],
    ['a note of 600 characters', 'note', long(600), `${long(499)}…`],
    ['a note that would be cut in the middle of a character', 'note', `${long(498)}😀${long(600)}`, `${long(498)}…`],
    ['a group that is a number', 'group', 12, '12'],
    ['a label that is a list', 'label', ['Kayak'], null],
    ['a label that is not a number', 'label', NaN, null],
    ['a time in UTC with an offset', 'updated_at', '2026-11-21T08:30:00+00:00', '2026-11-21T08:30:00.000Z'],
    ['a time of another offset', 'updated_at', '2026-11-21T08:30:00.5-03:30', '2026-11-21T12:00:00.500Z'],
    ['a time as databases write it', 'updated_at', '2026-11-21 08:30:00.123456+02', '2026-11-21T06:30:00.123Z'],
    ['a time in small letters', 'updated_at', '2026-11-21t08:30:00z', '2026-11-21T08:30:00.000Z'],
    ['a Date', 'updated_at', new Date(Date.UTC(2026, 10, 21)), '2026-11-21T00:00:00.000Z'],
    ['a Date that is none', 'updated_at', new Date(NaN), null],
    ['a time without an offset', 'updated_at', '2026-11-21T08:30:00', null],
    ['a day that no calendar has', 'updated_at', '2026-02-30T08:30:00+01:00', null],
    ['milliseconds since the epoch', 'updated_at', 1_795_249_800_000, null],
    ['a time that is none', 'updated_at', 'today', null],
    ['an id that is a number', 'id', 7, '7'],
    ['an id that is a large number', 'id', 2n ** 60n, '1152921504606846976'],
  ] as const) {
    it(`stays with ${what}`, () => {
      const changes: unknown[] = [];
      const entry = { id: 'kayak', available: true, [field]: given };

      repairHostItem(entry, (...change) => changes.push(change[0]));

      assert.deepEqual(hostItem.parse(entry), { id: 'kayak', available: true, [field]: kept });
      assert.deepEqual(changes, [field]);
    });
  }

  it('is not changed where nothing is out of shape', () => {
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

describe('a list of items as an operator keeps it', () => {
  it('loses no item because of a picture or a note, which the proxy does not read', () => {
    const { inventory } = itemsPage.parse([{ id: 'sauna', image: 'b'.repeat(2_100), note: 'b'.repeat(600) }]);

    assert.deepEqual(inventory, [{ id: 'sauna' }]);
  });
});
