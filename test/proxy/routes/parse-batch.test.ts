import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../src/proxy/http/problem-response.js';
import { parseBatch, type ParsedBatch } from '../../../src/proxy/routes/accept-edits.js';

const TIME = '2026-11-21T08:30:00.000Z';
const KAYAK = { id: 'kayak', available: true, updated_at: TIME, edit_id: 'e-1' };
const encoder = new TextEncoder();

const edit = fc.record(
  {
    id: fc.constantFrom('kayak', 'sauna', 'a"b', 'back\\slash', 'é', '\u2028', '𝒦', '/'),
    available: fc.boolean(),
    updated_at: fc.constantFrom(TIME, '2024-02-29T23:59:59Z'),
    base: fc.constantFrom(TIME, '2024-02-29T23:59:59Z'),
    edit_id: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
    label: fc.constantFrom('Kayak tour', 'Überfahrt', '船'),
  },
  { requiredKeys: ['id', 'available', 'updated_at', 'edit_id'] },
);

describe('the parser of a batch', () => {
  it('returns the edits of the body', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (inventory) => {
        assert.deepEqual(parse({ inventory }).edits, JSON.parse(JSON.stringify(inventory)));
      }),
    );
  });

  it('returns the same digest text whatever the order of fields and the white space', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(5), (inventory, turn) => {
        const turned = inventory.map((one) => {
          const fields = Object.entries(one);
          const start = turn % fields.length;
          return Object.fromEntries([...fields.slice(start), ...fields.slice(0, start)]);
        });

        const other = parseText(JSON.stringify({ sent_at: TIME, inventory: turned }, undefined, 2));

        assert.equal(other.text, parse({ inventory }).text);
      }),
    );
  });

  it('returns another digest text when a value differs', () => {
    const { text } = parse({ inventory: [KAYAK] });

    for (const other of [{ id: 'sauna' }, { available: false }, { base: TIME }, { label: 'Kayak' }, { edit_id: 'e-2' }])
      assert.notEqual(parse({ inventory: [{ ...KAYAK, ...other }] }).text, text);
  });

  it('gives an edit without an id a new one, which is not part of the digest text', () => {
    const inventory = [{ id: 'kayak', available: true, updated_at: TIME }];

    const [first, second] = [parse({ inventory }), parse({ inventory })];

    assert.match(first.edits[0]?.edit_id ?? '', /^[A-Za-z0-9._-]{1,64}$/);
    assert.notEqual(first.edits[0]?.edit_id, second.edits[0]?.edit_id);
    assert.equal(first.text, second.text);
  });

  it('returns sent_at in milliseconds', () => {
    assert.equal(parse({ inventory: [KAYAK], sent_at: TIME }).sentAt, Date.parse(TIME));
    assert.equal(parse({ inventory: [KAYAK] }).sentAt, undefined);
  });

  it('keeps the last of two fields of one name, as JSON.parse does', () => {
    const body = `{"inventory":[{"id":"sauna",${JSON.stringify(KAYAK).slice(1)}]}`;

    assert.deepEqual(parseText(body).edits, [KAYAK]);
  });
});

describe('an invalid body', () => {
  const body = JSON.stringify({ inventory: [KAYAK] });

  for (const [what, text] of [
    ['ends early', body.slice(0, -1)],
    ['has a comma too many', body.replace('},', '},,').replace('}]', '},]')],
    ['is empty', ''],
  ] as const) {
    it(`is invalid_json when it ${what}`, () => {
      assert.equal(refusalOf(encoder.encode(text)).code, 'invalid_json');
    });
  }

  it('is invalid_json when its bytes are not UTF-8', () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xa2], [0xf4, 0x90, 0x80, 0x80]]) {
      const [before, after] = [body.slice(0, body.indexOf('kayak')), body.slice(body.indexOf('kayak'))];

      const spoilt = Uint8Array.from([...encoder.encode(before), ...bytes, ...encoder.encode(after)]);

      assert.equal(refusalOf(spoilt).code, 'invalid_json', bytes.join());
    }
  });

  for (const [what, text] of [
    ['null', 'null'],
    ['an array', '[]'],
    ['an object without an inventory', '{}'],
    ['an empty inventory', '{"inventory":[]}'],
    ['an inventory that is no array', '{"inventory":{}}'],
    ['an edit that is null', '{"inventory":[null]}'],
    ['an unknown field', body.replace('"edit_id"', '"edit-id"')],
    ['an unknown field of the batch', body.replace(/}$/, ',"more":1}')],
    ['a field named __proto__', body.replace('"e-1"', '"e-1","__proto__":{}')],
    ['a batch with a field named __proto__', body.replace(/}$/, ',"__proto__":{}}')],
    ['a value that is text', body.replace('true', '"true"')],
    ['a day that the calendar lacks', body.replace('11-21', '02-30')],
    ['an id with a control character', body.replace('kayak', 'ka\\u0000yak')],
    ['an id of 201 characters', body.replace('kayak', 'k'.repeat(201))],
  ] as const) {
    it(`is invalid_body with ${what}`, () => {
      const refusal = refusalOf(encoder.encode(text));

      assert.equal(refusal.code, 'invalid_body');
      assert.ok((refusal.errors ?? []).length > 0);
    });
  }

  it('is too_many_edits beyond the limit, whatever the shape of the edits', () => {
    const inventory = Array.from({ length: 11 }, () => null);

    assert.equal(refusalOf(encoder.encode(JSON.stringify({ inventory }))).code, 'too_many_edits');
  });
});

function parse(batch: object): ParsedBatch {
  return parseText(JSON.stringify(batch));
}

function parseText(text: string): ParsedBatch {
  return parseBatch(encoder.encode(text), 10);
}

function refusalOf(body: Uint8Array<ArrayBuffer>): ApiError {
  try {
    parseBatch(body, 10);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail('the body was accepted');
}
