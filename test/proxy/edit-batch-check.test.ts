import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { editBatch } from '../../src/contract/widget.js';
import { isEditBatch, isPlainJson } from '../../src/proxy/edit-batch-check.js';

const RUNS = 10_000;

const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
  fc.constantFrom('kayak', '𝒦'.repeat(200), 'k'.repeat(200)),
);
const moment = fc
  .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const time = fc.oneof(moment, fc.constantFrom('2024-02-29T23:59:59Z', '2026-11-21T08:30:00.123456789Z'));
const editId = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);

const edit = fc.record(
  { id, available: fc.boolean(), updated_at: time, base: time, edit_id: editId, label: fc.string({ maxLength: 20 }) },
  { requiredKeys: ['id', 'available', 'updated_at'] },
);
const batch = fc.record(
  { inventory: fc.array(edit, { minLength: 1, maxLength: 4 }), sent_at: time },
  { requiredKeys: ['inventory'] },
);

/** Nearly right, and nearly wrong: each of them once stood at a border of some rule. */
const border = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, undefined, true, 0, '', 'true', [], {}, '\u0000', '\u007f', '\u0085', '\ud800', 'k'.repeat(201)],
    ...['𝒦'.repeat(201), 'k'.repeat(64), 'k'.repeat(65), 'l'.repeat(500), 'l'.repeat(501), 'a,b', 'é'],
    ...['2026-02-29T08:30:00.000Z', '2024-02-29T08:30:00.000Z', '1900-02-29T08:30:00.000Z', '2026-04-31T08:30:00Z'],
    ...['2026-11-21T24:00:00.000Z', '2026-11-21T08:60:00.000Z', '2026-11-21T08:30:60.000Z', '2026-11-21T08:30Z'],
    ...['2026-13-01T08:30:00.000Z', '2026-00-10T08:30:00.000Z', '2026-11-00T08:30:00.000Z', '2026-11-21T08:30:00.Z'],
    ...['2026-11-21T08:30:00.000z', '2026-11-21t08:30:00.000Z', '2026-11-21T08:30:00.000+00:00', '2026-11-21'],
    ...['2026-11-21T08:30:00.000Z\n', ' 2026-11-21T08:30:00.000Z', `2026-11-21T08:30:00.${'0'.repeat(9)}Z`],
    ...[`2026-11-21T08:30:00.${'0'.repeat(10)}Z`, '+02026-11-21T08:30:00.000Z', '２026-11-21T08:30:00.000Z'],
  ),
  fc.string(),
  fc.jsonValue(),
  edit,
);
const field = fc.constantFrom(
  'id',
  'available',
  'updated_at',
  'base',
  'edit_id',
  'label',
  'sent_at',
  'inventory',
  'Id',
);

/** One field more, less, or of another value, in the batch or in one of its edits. */
const mutated = fc
  .record({ batch, field, value: border, where: fc.nat({ max: 4 }), goes: fc.boolean() })
  .map((change) => {
    const copy = structuredClone(change.batch);
    const place = (change.where === 4 ? copy : copy.inventory[change.where % copy.inventory.length]) as object;
    if (change.goes) Reflect.deleteProperty(place, change.field);
    else Object.assign(place, { [change.field]: change.value });
    return copy as unknown;
  });

/** As a body comes: no `undefined`, and a `__proto__` that is a field like any other. */
const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

const agrees = (body: unknown): void => {
  assert.equal(isEditBatch(body), editBatch.safeParse(body).success, JSON.stringify(body));
};

/** As the proxy asks: what is known of the text spares a look at each id. */
const agreesAsText = (text: string): void => {
  const isPlain = isPlainJson(text, Buffer.byteLength(text));
  const body: unknown = JSON.parse(text);
  assert.equal(isEditBatch(body, isPlain), editBatch.safeParse(body).success, text);
};

describe('the quick check of a batch', () => {
  it('takes what the schema takes', () => {
    fc.assert(
      fc.property(batch, (body) => {
        assert.equal(editBatch.safeParse(body).success, isEditBatch(body), JSON.stringify(body));
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('says of 10,000 bodies, good and nearly good, what the schema says', () => {
    const said = { yes: 0, no: 0 };

    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: mutated }, { weight: 1, arbitrary: batch }), (body) => {
        agrees(body);
        agrees(parsed(body));
        agreesAsText(JSON.stringify(body));
        said[isEditBatch(body) ? 'yes' : 'no'] += 1;
      }),
      { numRuns: RUNS },
    );

    assert.ok(said.yes > RUNS / 10 && said.no > RUNS / 10, `one-sided: ${JSON.stringify(said)}`);
  });

  for (const body of [
    'null',
    '7',
    '"batch"',
    '[]',
    '{}',
    '{"inventory":[]}',
    '{"inventory":{}}',
    '{"inventory":[null]}',
  ]) {
    it(`says of ${body} what the schema says`, () => {
      agrees(JSON.parse(body));
    });
  }

  for (const id of ['kayak', 'b\u007f', '\\u0000', '\\n', '\\u007f', '\\"', 'é', '\\ud800', '']) {
    it(`says of the id "${JSON.stringify(id).slice(1, -1)}", as it stands in a text, what the schema says`, () => {
      agreesAsText(`{"inventory":[{"id":"${id}","available":true,"updated_at":"2026-11-21T08:30:00.000Z"}]}`);
    });
  }

  it('knows a text of which no string has to be looked at', () => {
    assert.equal(isPlainJson('{"id":"kayak"}', 14), true);
    assert.equal(isPlainJson('{"id":"é"}', 11), false);
  });

  it('sees a field that has the name of every prototype', () => {
    const edit = '{"id":"kayak","available":true,"updated_at":"2026-11-21T08:30:00.000Z"';

    for (const body of [`{"inventory":[${edit},"__proto__":{}}]}`, `{"inventory":[${edit}}],"__proto__":{}}`]) {
      assert.equal(isEditBatch(JSON.parse(body)), false);
      agrees(JSON.parse(body));
    }
  });
});
