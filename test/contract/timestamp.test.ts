import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { timestamp } from '../../src/contract/fields.js';
import { toTimestamp } from '../../src/domain/item.js';

const ACCEPTED = [
  '2026-11-21T08:30:00.000Z',
  '2026-11-21T08:30:00Z',
  '2026-11-21T08:30:00.123456789Z',
  '2024-02-29T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
];

const REFUSED: readonly (readonly [what: string, value: unknown])[] = [
  ['a day that does not exist', '2026-02-30T08:30:00.000Z'],
  ['29 February of a common year', '2026-02-29T08:30:00.000Z'],
  ['a thirteenth month', '2026-13-01T08:30:00.000Z'],
  ['a time without a zone', '2026-11-21T08:30:00.000'],
  ['an offset, even of 0', '2026-11-21T08:30:00.000+00:00'],
  ['a time without seconds', '2026-11-21T08:30Z'],
  ['24 o’clock', '2026-11-21T24:00:00Z'],
  ['a date alone', '2026-11-21'],
  ['a space for the T', '2026-11-21 08:30:00.000Z'],
  ['lower case', '2026-11-21t08:30:00.000z'],
  ['a space before it', ' 2026-11-21T08:30:00.000Z'],
  ['a text with a line break at the end', '2026-11-21T08:30:00.000Z\n'],
  ['a thousand fractional digits', `2026-11-21T08:30:00.${'0'.repeat(1000)}Z`],
  ['milliseconds since the epoch', 1_795_249_800_000],
  ['null', null],
];

describe('a timestamp on the wire', () => {
  for (const value of ACCEPTED) {
    it(`may be ${value}`, () => {
      assert.equal(timestamp.safeParse(value).success, true);
    });
  }

  for (const [what, value] of REFUSED) {
    it(`may not be ${what}`, () => {
      assert.equal(timestamp.safeParse(value).success, false);
    });
  }

  it('may be any timestamp that toTimestamp returns', () => {
    const moment = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(9999, 11, 31) });

    fc.assert(
      fc.property(moment, (milliseconds) => {
        assert.equal(timestamp.safeParse(toTimestamp(milliseconds)).success, true);
      }),
    );
  });
});
