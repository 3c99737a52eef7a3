import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isTimestamp } from '../../src/domain/item.js';
import { Refusal } from '../../src/proxy/http/problem-response.js';
import { parseBatch } from '../../src/proxy/routes/parse-batch.js';

const RUNS = 3_000;
const TIME = '2026-11-21T08:30:00.000Z';
const encoder = new TextEncoder();

const word = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('kayak', 'sauna', '~ !', '},{', '[{', ']}') },
  { weight: 1, arbitrary: fc.constantFrom('"},{"', '{"inventory":[{', 'a\\b') },
  { weight: 1, arbitrary: fc.constantFrom('', 'é', '\u007f', '\ufeffx', '𝒦', '\\', 'k'.repeat(200), 'k'.repeat(201)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }) },
);
const label = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Überfahrt',
      '船',
      'l'.repeat(500),
      'l'.repeat(501),
      `\ufeff${'l'.repeat(500)}`,
      'é'.repeat(500),
      '𝒦'.repeat(251),
    ),
  },
);
const time = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(TIME, '2026-11-21T08:30:00.001Z', '2026-11-21T08:30:00Z') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '2026-02-29T08:30:00.000Z',
      '2026-11-21',
      '',
      `${TIME} `,
      `2026-11-21T08:30:00.${'0'.repeat(10)}Z`,
    ),
  },
);
const editId = fc.oneof(
  { weight: 40, arbitrary: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/) },
  { weight: 1, arbitrary: fc.constantFrom('', 'e'.repeat(64), 'e'.repeat(65), 'é', 'e e', 'e,e') },
);
/** Each field at the place that pages write it at. */
const edit = fc.record(
  { id: word, available: fc.boolean(), updated_at: time, base: time, edit_id: editId, label },
  { requiredKeys: ['id', 'available', 'updated_at', 'edit_id'] },
);
const batch = fc.record(
  { inventory: fc.array(edit, { minLength: 1, maxLength: 6 }), sent_at: time },
  { requiredKeys: ['inventory'] },
);

/** What one who writes JSON by hand, or another program, may do to it; where it is nonsense, that has to be refused. */
const spoilt = fc.oneof(
  { weight: 4, arbitrary: fc.constant((text: string) => text) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<(text: string) => string>(
      (text) => text.replace('{"id"', ' {"id"'),
      (text) => text.replace(/\},\{(?!.*\},\{)/s, '}],"inventory":[{'),
      (text) => text.replace('},{', '}],"sent_at":[{'),
      (text) => text.replace('},{', '},,{'),
      (text) => text.replace('},{', '},[{'),
      (text) => text.replace('},{', '},"inventory":{'),
      (text) => text.replace('"edit_id"', '"edit-id"'),
      (text) => text.replace(/,"edit_id":"[^"]*"/, ''),
      (text) => text.replace('true', 'null'),
      (text) => text.replace('true', '"true"'),
      (text) => `\ufeff${text}`,
      (text) => `${text} `,
      (text) => text.replace('kayak', 'k\\u0061yak'),
      (text) => text.replace('kayak', 'kayák'),
      (text) => text.slice(0, -1),
    ),
  },
  // One character in place of another, wherever.
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...'"\\{}[]:, 0Ztf\u0000\n\u007fé'))
      .map(([where, letter]) => (text: string) => {
        const at = Math.floor(where * (text.length - 1));
        return text.slice(0, at) + letter + text.slice(at + 1);
      }),
  },
);

/** @param long bytes from which on a body is read byte by byte */
function said(body: Uint8Array<ArrayBuffer>, long: number): object {
  try {
    const asked = parseBatch(body, 10, long);
    const { text, sentAt, count } = asked;
    const [edits, ids] = [asked.edits(), asked.ids()];
    const digested = typeof text === 'string' ? text : new TextDecoder().decode(text);
    // Whom the page gave no id got one that nobody else has.
    const isNamed = digested.split('"edit_id":"').length > count;
    return { count, ids, sentAt, digested, ...(isNamed && { edits }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, errors: error.errors };
  }
}

function isWritten(body: Uint8Array<ArrayBuffer>): boolean {
  try {
    return parseBatch(body, 10, 0).written !== undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

describe('a body that is read byte by byte', () => {
  it('says what it says as JSON, or is refused as that is', () => {
    const seen = { written: 0, others: 0 };

    fc.assert(
      fc.property(batch, spoilt, (one, spoil) => {
        const body = encoder.encode(spoil(JSON.stringify(one)));

        assert.deepEqual(said(body, 0), said(body, Infinity), new TextDecoder().decode(body));
        seen[isWritten(body) ? 'written' : 'others'] += 1;
      }),
      { numRuns: RUNS },
    );

    assert.ok(seen.written > RUNS / 20 && seen.others > RUNS / 20, `one-sided: ${JSON.stringify(seen)}`);
  });

  it('says so too where its edits are alike but for one letter, or end early', () => {
    const other = '2026-11-21T08:31:00.000Z';
    const alike = [
      ...[TIME, TIME, TIME, TIME, other, other, other, TIME].map((updated_at, at) => ({
        id: `tour-${String(at)}`,
        available: at % 3 !== 1,
        updated_at,
        edit_id: `edit-${String(at)}`,
      })),
      { id: 'based', available: true, updated_at: TIME, base: other, edit_id: 'edit-8' },
      { id: 'after', available: true, updated_at: TIME, edit_id: 'edit-9' },
    ];
    const text = JSON.stringify({ inventory: alike });
    for (let at = 0; at <= text.length; at += 1) {
      const bodies = [...'19t"Z,-:'].map((letter) => text.slice(0, at) + letter + text.slice(at + 1));
      for (const body of [...bodies, text.slice(0, at)].map((one) => encoder.encode(one))) {
        assert.deepEqual(said(body, 0), said(body, Infinity), new TextDecoder().decode(body));
      }
    }
  });

  it('knows whether all of it is of one time', () => {
    const edits = fc.array(fc.record({ available: fc.boolean(), later: fc.boolean() }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(edits, (some) => {
        const inventory = some.map(({ available, later }, at) => {
          const updated_at = later ? '2026-11-21T08:31:00.000Z' : TIME;
          return { id: `tour-${String(at)}`, available, updated_at, edit_id: `edit-${String(at)}` };
        });
        const { written } = parseBatch(encoder.encode(JSON.stringify({ inventory })), 10, 0);
        assert.equal(written?.hasOneTime, new Set(some.map(({ later }) => later)).size === 1);
      }),
      { numRuns: 500 },
    );
  });

  it('says so too where its bytes are no text', () => {
    const [before, after] = [
      `{"inventory":[{"id":"kayak","available":true,"updated_at":"${TIME}","edit_id":"e-1","label":"`,
      '"}]}',
    ];
    for (const letter of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xa2], [0xf4, 0x90, 0x80, 0x80], [0xc3, 0xa9]]) {
      const body = Uint8Array.from([...encoder.encode(before), ...letter, ...encoder.encode(after)]);

      assert.deepEqual(said(body, 0), said(body, Infinity), letter.join());
      assert.equal(isWritten(body), letter[1] === 0xa9);
    }
  });

  it('takes as a time what is one, on each day of the calendar', () => {
    const two = (number: number): string => String(number).padStart(2, '0');
    const days = Array.from(
      { length: 20 * 40 },
      (_, at) => `-${two(Math.floor(at / 40))}-${two(at % 40)}T08:30:00.000Z`,
    );
    const minutes = Array.from({ length: 100 }, (_, at) => [
      `2026-11-21T${two(at)}:30:00.000Z`,
      `2026-11-21T08:${two(at)}:00.000Z`,
      `2026-11-21T08:30:${two(at)}.000Z`,
    ]);
    const odd = [...TIME].flatMap((_, at) =>
      [...'/:0129tTzZ.-é'].map((letter) => TIME.slice(0, at) + letter + TIME.slice(at + 1)),
    );
    const times = [
      ...['0000', '1900', '2000', '2024', '2026'].flatMap((year) => days.map((day) => year + day)),
      ...minutes.flat(),
      ...odd,
    ];
    for (const time of times) {
      const edit = { id: 'kayak', available: true, updated_at: TIME, base: time, edit_id: 'e-1' };

      assert.equal(isWritten(encoder.encode(JSON.stringify({ inventory: [edit] }))), isTimestamp(time), time);
    }
  });

  it('is never made one text where it is written as pages write it', () => {
    const inventory = Array.from({ length: 1_000 }, (_, at) => ({
      id: `tour-${String(at)}`,
      available: at % 2 === 0,
      updated_at: TIME,
      ...(at % 3 === 0 && { base: '2026-11-20T08:30:00.000Z' }),
      edit_id: `${'e'.repeat(40)}-${String(at)}`,
      ...(at % 5 === 0 && { label: 'Tagestour über den Fluß' }),
    }));
    const body = encoder.encode(JSON.stringify({ inventory, sent_at: TIME }));

    const asked = parseBatch(body, 1_000);

    assert.ok(body.length > 128 * 1024 && asked.written !== undefined);
    assert.deepEqual(asked.edits(), inventory);
    assert.deepEqual(asked.text, encoder.encode(JSON.stringify(inventory)));
    assert.equal(asked.sentAt, TIME);
    assert.throws(() => parseBatch(body, 999), { code: 'too_many_edits' });
  });
});
