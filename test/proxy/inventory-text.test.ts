import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { editBatch, type EditBatch } from '../../src/contract/widget.js';
import { askedFor } from '../../src/proxy/inventory-text.js';

const RUNS = 2_000;
const TIME = '2026-11-21T08:30:00.000Z';

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
  fc.constantFrom('kayak', 'a"b', 'back\\slash', 'é', '\u2028', '𝒦', '\u007f', '/'),
);
const time = fc.constantFrom(TIME, '2024-02-29T23:59:59Z', '2026-11-21T08:30:00.123456789Z');
const edit = fc.record(
  {
    id: word,
    available: fc.boolean(),
    updated_at: time,
    base: time,
    edit_id: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
    label: fc.oneof(word, fc.constantFrom('', '\n', '\ud800', '\u0000')),
  },
  { requiredKeys: ['id', 'available', 'updated_at'] },
);
const batch = fc
  .record({ inventory: fc.array(edit, { minLength: 1, maxLength: 4 }), sent_at: time }, { requiredKeys: ['inventory'] })
  .filter((body) => editBatch.safeParse(body).success);

/** How a text of JSON may differ and still say the same. */
interface Writing {
  /** Fields of an edit are rotated by so many. */
  readonly turned: number;
  readonly sentFirst: boolean;
  readonly space: boolean;
  readonly escaped: boolean;
  readonly twice: boolean;
}

const writing = fc.record<Writing>({
  turned: fc.constantFrom(0, 0, 0, 1, 2, 3),
  sentFirst: fc.boolean(),
  space: fc.boolean(),
  escaped: fc.boolean(),
  twice: fc.boolean(),
});
const usual: Writing = { turned: 0, sentFirst: false, space: false, escaped: false, twice: false };

function written({ inventory, sent_at }: EditBatch, how: Writing): string {
  const edits = inventory.map((one) => {
    const fields = Object.entries(inPlace(one)).filter(([, value]) => value !== undefined);
    const turned = [...fields.slice(how.turned % fields.length), ...fields.slice(0, how.turned % fields.length)];
    const said = turned.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return `{${[...(how.twice ? ['"available":false'] : []), ...said].join(how.space ? ', ' : ',')}}`;
  });
  const list = `"inventory":[${edits.join()}]`;
  const sent = sent_at === undefined ? [] : [`"sent_at":"${sent_at}"`];
  const text = `{${(how.sentFirst ? [...sent, list] : [list, ...sent]).join()}}`;
  return how.escaped ? text.replace('"id":', '"\\u0069d":') : text;
}

function inPlace({ id, available, updated_at, base, edit_id, label }: EditBatch['inventory'][number]): object {
  return { id, available, updated_at, base, edit_id, label };
}

function plainly(body: string): string {
  return JSON.stringify((JSON.parse(body) as EditBatch).inventory.map(inPlace));
}

describe('the text of what a batch asks for', () => {
  it('is the one that JSON.stringify writes, however the body was written', () => {
    fc.assert(
      fc.property(batch, fc.oneof(fc.constant(usual), writing), (wish, how) => {
        const body = written(wish as EditBatch, how);

        const asked = askedFor(body, JSON.parse(body) as EditBatch);

        assert.equal(asked.text, plainly(body), body);
        assert.deepEqual(asked.inventory.map(inPlace), (JSON.parse(body) as EditBatch).inventory.map(inPlace));
      }),
      { numRuns: RUNS },
    );
  });

  it('is taken from the body where that is written as pages write it, and nothing is copied', () => {
    const edit = { id: 'kayak', available: true, updated_at: TIME, base: TIME, edit_id: 'e-1', label: 'Kayák 𝒦' };
    const batch = { inventory: [edit, { ...edit, id: 'sauna', available: false }], sent_at: TIME } as EditBatch;

    const asked = askedFor(JSON.stringify(batch), batch);

    assert.equal(asked.inventory, batch.inventory);
    assert.equal(asked.text, JSON.stringify(batch.inventory));
  });

  for (const [what, body] of [
    [
      'a list that is said twice',
      `{"inventory":[{"id":"b"}],"inventory":[{"id":"a","available":true,"updated_at":"t"}]}`,
    ],
    ['a field that is said twice', `{"inventory":[{"id":"b","id":"a","available":true,"updated_at":"t"}]}`],
    ['a space', `{"inventory":[{"id":"a","available":true,"updated_at":"t"} ]}`],
    ['an escape', `{"inventory":[{"id":"\\u0061","available":true,"updated_at":"t"}]}`],
    ['a line at the end', `{"inventory":[{"id":"a","available":true,"updated_at":"t"}]}\n`],
  ] as const) {
    it(`is written anew for a body with ${what}`, () => {
      const { text } = askedFor(body, JSON.parse(body) as EditBatch);

      assert.equal(text, '[{"id":"a","available":true,"updated_at":"t"}]');
    });
  }
});
