import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { problem } from '../../../src/contract/problem.js';
import { receipts } from '../../../src/contract/widget.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const UPDATED_AT = '2026-11-21T08:30:00.000Z';

// Near enough to a good batch to come past the first check.
const anyEdit = fc.record(
  {
    id: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
    available: fc.oneof(fc.boolean(), fc.jsonValue()),
    updated_at: fc.oneof(fc.constant(UPDATED_AT), fc.jsonValue()),
    edit_id: fc.oneof(fc.stringMatching(/^[\w.-]{1,64}$/), fc.jsonValue()),
    label: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
  },
  { requiredKeys: ['id', 'available', 'updated_at'] },
);

const anyBody = fc.oneof(
  fc.record({ inventory: fc.array(anyEdit, { maxLength: 5 }) }).map((batch) => JSON.stringify(batch)),
  fc.json(),
  fc.string({ unit: 'binary' }),
);

describe('any input of a page', () => {
  it('as a body gets receipts or a client error, and never a server error', async (t) => {
    const { ask } = openProxy(t);
    const token = await embedToken();

    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const answer = await ask('POST', '/v1/inventory', { token, body });

        const said: unknown = await answer.json();
        if (answer.status === 202) assert.ok(receipts.parse(said).receipts.length > 0);
        else assert.ok([400, 422].includes(problem.parse(said).status), JSON.stringify(said));
      }),
      { numRuns: 60 },
    );
  });

  it('as a path and query gets a response or a client error, and never a server error', async (t) => {
    const { ask } = openProxy(t);
    const token = await embedToken();
    const path = fc.constantFrom('/v1/inventory', '/v1/receipts', '/v1/session', '/v1/nothing');
    const name = fc.oneof(fc.constantFrom('limit', 'cursor', 'ids', 'since'), fc.string());

    await fc.assert(
      fc.asyncProperty(path, fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))), async (where, query) => {
        const search = query.map((pair) => pair.map((text) => encodeURIComponent(text)).join('='));

        const answer = await ask('GET', `${where}?${search.join('&')}`, { token });

        assert.ok([200, 400, 404].includes(answer.status), String(answer.status));
      }),
      { numRuns: 60 },
    );
  });

  for (const [what, piece] of [
    ['lists in lists', '['],
    ['objects in objects', '{"inventory":'],
  ] as const) {
    it(`as ${what}, nested a hundred thousand times, gets a client error`, async (t) => {
      const { ask } = openProxy(t, { limits: { maxBodyBytes: 4 * 1024 * 1024 } });
      const end = piece === '[' ? ']' : '}';
      const body = `${piece.repeat(100_000)}1${end.repeat(100_000)}`;

      const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body });

      assert.ok([400, 422].includes(answer.status), String(answer.status));
    });
  }
});
