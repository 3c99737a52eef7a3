import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_EDITS as MAX_EDITS_OF_A_PAGE } from '../../../src/contract/fields.js';
import type { ProblemCode } from '../../../src/contract/problem.js';
import { receipts } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, type PageRequest } from '../../support/page-request.js';
import { viewerOf } from '../../support/viewer.js';

const EDIT = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' };
const MAX_BODY_BYTES = 4096;
const MAX_EDITS = 5;

interface Bad {
  readonly what: string;
  readonly code: ProblemCode;
  readonly path?: string;
  readonly method?: string;
  readonly request?: PageRequest;
  /** Where the fault is, in the order of the answer. */
  readonly pointers?: readonly string[];
}

const batch = (...inventory: object[]): PageRequest => ({ body: { inventory } });
const bytes = (...values: number[]): PageRequest => ({ body: Uint8Array.from(values) });
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...EDIT, id: `kayak-${at}` }));

const BATCHES: readonly Bad[] = [
  { what: 'no body', code: 'invalid_json', request: {} },
  { what: 'half a body', code: 'invalid_json', request: { body: '{"inventory":[' } },
  { what: 'two bodies', code: 'invalid_json', request: { body: '{}{}' } },
  { what: 'bytes that are not UTF-8', code: 'invalid_json', request: bytes(0x22, 0xff, 0x22) },
  { what: 'half a character of UTF-8', code: 'invalid_json', request: bytes(0x22, 0xc3) },
  { what: 'a body that breaks off', code: 'invalid_json', request: { body: brokenStream() } },
  { what: 'null', code: 'invalid_body', request: { body: 'null' }, pointers: [''] },
  { what: 'a list around it', code: 'invalid_body', request: { body: [EDIT] }, pointers: [''] },
  { what: 'no inventory', code: 'invalid_body', request: { body: {} }, pointers: ['/inventory'] },
  { what: 'nothing in it', code: 'invalid_body', request: batch(), pointers: ['/inventory'] },
  {
    what: 'an availability in words',
    code: 'invalid_body',
    request: batch(EDIT, { ...EDIT, id: 'sauna', available: 'no' }),
    pointers: ['/inventory/1/available'],
  },
  {
    what: 'two faults',
    code: 'invalid_body',
    request: batch({ ...EDIT, id: '', updated_at: 'now' }),
    pointers: ['/inventory/0/id', '/inventory/0/updated_at'],
  },
  {
    what: 'an unknown field, whose name needs escapes in a pointer',
    code: 'invalid_body',
    request: batch({ ...EDIT, 'a/b~c': 1 }),
    pointers: ['/inventory/0/a~1b~0c'],
  },
  {
    what: 'an unknown field beside the inventory',
    code: 'invalid_body',
    request: { body: { inventory: [EDIT], vendor: 'other' } },
    pointers: ['/vendor'],
  },
  {
    what: 'one item twice',
    code: 'duplicate_item',
    request: batch(EDIT, { ...EDIT, id: 'sauna' }, { ...EDIT, available: false }),
    pointers: ['/inventory/2'],
  },
  {
    what: 'one edit id twice',
    code: 'duplicate_item',
    request: batch({ ...EDIT, edit_id: 'e' }, { ...EDIT, id: 'sauna', edit_id: 'e' }),
    pointers: ['/inventory/1'],
  },
  { what: 'one edit too many', code: 'too_many_edits', request: { body: { inventory: many(MAX_EDITS + 1) } } },
  {
    what: 'one edit too many, and all of them wrong',
    code: 'too_many_edits',
    request: { body: { inventory: Array.from({ length: MAX_EDITS + 1 }, () => 7) } },
  },
  {
    what: 'a byte too many, as its Content-Length says',
    code: 'body_too_large',
    request: { body: 'x', headers: { 'Content-Length': String(MAX_BODY_BYTES + 1) } },
  },
  {
    what: 'a byte too many, though its Content-Length says less',
    code: 'body_too_large',
    request: { body: ' '.repeat(MAX_BODY_BYTES + 1), headers: { 'Content-Length': '10' } },
  },
  { what: 'a stream without end', code: 'body_too_large', request: { body: endlessStream() } },
  { what: 'a form', code: 'json_required', request: withHeader('Content-Type', 'application/x-www-form-urlencoded') },
  { what: 'text', code: 'json_required', request: withHeader('Content-Type', 'text/plain;application/json') },
  { what: 'another JSON', code: 'json_required', request: withHeader('Content-Type', 'application/json5') },
  { what: 'no type', code: 'json_required', request: { ...withHeader('Content-Type', undefined), body: noType() } },
  { what: 'no key', code: 'idempotency_key_required', request: withHeader('Idempotency-Key', undefined) },
  { what: 'a key of 201', code: 'idempotency_key_required', request: withHeader('Idempotency-Key', 'k'.repeat(201)) },
  { what: 'a key with a space', code: 'idempotency_key_required', request: withHeader('Idempotency-Key', 'a b') },
];

const ADDRESSES: readonly Bad[] = [
  { what: 'an address that is not there', code: 'route_unknown', path: '/v1/bookings' },
  { what: 'the root of the API', code: 'route_unknown', path: '/v1' },
  { what: 'an address with a slash too many', code: 'route_unknown', path: '/v1/inventory/' },
  { what: 'a page of nothing', code: 'invalid_query', path: '/v1/inventory?limit=0' },
  { what: 'a page that is too long', code: 'invalid_query', path: '/v1/inventory?limit=1001' },
  { what: 'a page of one and a half', code: 'invalid_query', path: '/v1/inventory?limit=1.5' },
  { what: 'a page in exponents', code: 'invalid_query', path: '/v1/inventory?limit=1e2' },
  { what: 'a cursor with a line break', code: 'invalid_query', path: '/v1/inventory?cursor=a%0A' },
  { what: 'an empty cursor', code: 'invalid_query', path: '/v1/inventory?cursor=' },
  { what: 'a parameter that the address does not have', code: 'invalid_query', path: '/v1/inventory?vendor=other' },
  { what: 'receipts of nothing', code: 'invalid_query', path: '/v1/receipts' },
  { what: 'receipts of an empty id', code: 'invalid_query', path: '/v1/receipts?ids=a,,b' },
  { what: 'receipts of an id that is none', code: 'invalid_query', path: '/v1/receipts?ids=a%20b' },
  {
    what: 'more receipts than a page may send edits at once',
    code: 'invalid_query',
    path: `/v1/receipts?ids=${'a,'.repeat(MAX_EDITS_OF_A_PAGE)}a`,
  },
];

describe('a batch is rejected as a whole and nothing is stored, for', () => {
  for (const { what, code, request, pointers } of BATCHES) {
    it(`${what}: ${code}`, async (t) => {
      const fixture = openProxy(t, { limits: { maxBodyBytes: MAX_BODY_BYTES, maxEdits: MAX_EDITS } });

      const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), ...request });

      const { errors } = await expectProblem(answer, code);
      if (pointers !== undefined)
        assert.deepEqual(
          errors?.map(({ pointer }) => pointer),
          pointers,
        );
      for (const { message } of errors ?? []) assert.notEqual(message, 'Invalid input', 'says what is expected');
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), HOST_ORIGIN);
      await expectNothingStored(fixture);
    });
  }
});

describe('a request is rejected for', () => {
  for (const { what, code, path = '' } of ADDRESSES) {
    it(`${what}: ${code}`, async (t) => {
      const fixture = openProxy(t, { limits: { maxEdits: MAX_EDITS } });

      const answer = await fixture.ask('GET', path, { token: await embedToken() });

      await expectProblem(answer, code);
    });
  }
});

describe('a request is answered', () => {
  it('for receipts of more edits than one batch may have', async (t) => {
    const fixture = openProxy(t, { limits: { maxEdits: 1 } });
    const ids = Array.from({ length: 100 }, (_, at) => `edit-${at}`);
    for (const id of ids.slice(0, 2)) {
      const inventory = [{ ...EDIT, id, edit_id: id }];
      await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    }

    const answer = await fixture.ask('GET', `/v1/receipts?ids=${ids.join(',')}`, { token: await embedToken() });

    const told = receipts.parse(await answer.json()).receipts;
    assert.deepEqual(
      told.map(({ edit_id }) => edit_id),
      ids.slice(0, 2),
    );
  });
});

describe('a batch is accepted', () => {
  const good: readonly (readonly [what: string, request: PageRequest])[] = [
    ['with as many edits as are allowed', { body: { inventory: many(MAX_EDITS) } }],
    ['with as many bytes as are allowed', { body: padded(MAX_BODY_BYTES) }],
    ['in any case of letters and with a charset', withHeader('Content-Type', 'Application/JSON; charset=UTF-8')],
    ['with a key of 200 characters', withHeader('Idempotency-Key', '~'.repeat(200))],
    ['with a byte order mark', { body: `\ufeff${JSON.stringify({ inventory: [EDIT] })}` }],
  ];

  for (const [what, request] of good) {
    it(what, async (t) => {
      const fixture = openProxy(t, { limits: { maxBodyBytes: MAX_BODY_BYTES, maxEdits: MAX_EDITS } });

      const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), ...request });

      assert.equal(answer.status, 202, await answer.clone().text());
    });
  }
});

/** A later batch is the first that anybody hears of. */
async function expectNothingStored(fixture: OpenProxy): Promise<void> {
  assert.equal(await fixture.outbox.nextDueAt(), undefined);
  const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), ...batch(EDIT) });
  const [receipt] = receipts.parse(await answer.json()).receipts;
  assert.equal(receipt?.seq, 1);
  assert.equal((await fixture.outbox.list(viewerOf('boat-tours'), { limit: 10 })).length, 1);
}

function withHeader(name: string, value: string | undefined): PageRequest {
  return { ...batch(EDIT), headers: { [name]: value } };
}

/** A body that sets no Content-Type by itself, as text would. */
function noType(): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ inventory: [EDIT] }));
}

function padded(length: number): string {
  return JSON.stringify({ inventory: [EDIT] }).padEnd(length);
}

function brokenStream(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.error(new Error('the page went away'));
    },
  });
}

function endlessStream(): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1024).fill(0x20));
    },
  });
}
