import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../src/proxy/answers.js';
import { parseBatch } from '../../src/proxy/parse-batch.js';

const RUNS = 1_500;
const TIME = '2026-11-21T08:30:00.000Z';
const encoder = new TextEncoder();

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('kayak', 'sauna', '},{', '"},{"', '[{', ']}', '{"inventory":[{') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }) },
);
const edit = fc.record(
  {
    id: word,
    available: fc.boolean(),
    updated_at: fc.constant(TIME),
    edit_id: fc.constantFrom('e-1', 'e-2'),
    label: word,
  },
  { requiredKeys: ['id', 'available', 'updated_at'] },
);
const batch = fc.record(
  { inventory: fc.array(edit, { minLength: 1, maxLength: 12 }), sent_at: fc.constant(TIME) },
  { requiredKeys: ['inventory'] },
);

/** What one who writes JSON by hand, or another program, may do to it; where it is nonsense, that has to be refused. */
const spoilt = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replace('{"id"', ' {"id"'),
  (text) => text.replace(/\},\{(?!.*\},\{)/s, '}],"inventory":[{'),
  (text) => text.replace('},{', '}],"sent_at":[{'),
  (text) => text.replace('},{', '},,{'),
  (text) => text.replace('},{', '},[{'),
  (text) => text.replace('},{', '},"inventory":{'),
  (text) => `\ufeff${text}`,
  (text) => text.replace('kayak', 'k\\u0061yak'),
  (text) => text.replace('kayak', 'kayák'),
  (text) => text.slice(0, -1),
);

function said(text: string, mostOfText: number): object {
  try {
    const parsed = parseBatch(encoder.encode(text), 10, mostOfText);
    const asked = typeof parsed.text === 'string' ? parsed.text : new TextDecoder().decode(parsed.text);
    return { ...parsed, text: asked };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, errors: error.errors };
  }
}

describe('a body that is read in pieces', () => {
  it('says what it says as a whole, or is refused as that is', () => {
    fc.assert(
      fc.property(batch, spoilt, fc.integer({ min: 8, max: 300 }), (body, spoil, most) => {
        const text = spoil(JSON.stringify(body));

        assert.deepEqual(said(text, most), said(text, Infinity), text);
      }),
      { numRuns: RUNS },
    );
  });

  it('is never made one text where it is written as pages write it', () => {
    const inventory = Array.from({ length: 1_000 }, (_, at) => ({
      id: `tour-${String(at)}`,
      available: at % 2 === 0,
      updated_at: TIME,
      edit_id: `${'e'.repeat(40)}-${String(at)}`,
    }));
    const body = encoder.encode(JSON.stringify({ inventory, sent_at: TIME }));

    const parsed = parseBatch(body, 1_000);

    assert.ok(body.length > 128 * 1024);
    assert.deepEqual(parsed, { inventory, text: encoder.encode(JSON.stringify(inventory)), sentAt: TIME });
  });
});
