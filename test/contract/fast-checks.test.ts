import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type * as z from 'zod/mini';
import { accepts, type Check } from '../../src/contract/checks.js';
import { listingCheck, receiptsCheck, sessionCheck, sessionTokenCheck } from '../../src/contract/fast-checks.js';
import { hostItemCheck } from '../../src/contract/host-item-check.js';
import { hostItem } from '../../src/contract/host-items.js';
import { MAX_EDIT_ID_LENGTH } from '../../src/domain/edit.js';
import { MAX_ITEM_ID_LENGTH } from '../../src/domain/item.js';
import { MAX_IMAGE_URL_LENGTH, MAX_LABEL_LENGTH, MAX_TOKEN_LENGTH } from '../../src/contract/limits.js';
import { problemCheck } from '../../src/contract/problem-check.js';
import { problem } from '../../src/contract/problem.js';
import { listing, receipts, session, sessionToken } from '../../src/contract/widget.js';

const TIME = '2026-11-21T08:30:00.000Z';
const RUNS = 2_000;

interface Pair {
  readonly name: string;
  readonly check: Check<unknown>;
  readonly schema: z.ZodMiniType;
  readonly good: object;
}

const PAIRS: readonly Pair[] = [
  {
    name: 'receipts',
    check: receiptsCheck,
    schema: receipts,
    good: {
      receipts: [
        {
          edit_id: 'e-1',
          id: 'kayak',
          seq: 1,
          state: 'received',
          delayed: true,
          reason: 'portal_busy',
          updated_at: TIME,
        },
        {
          edit_id: 'e-2',
          id: 'tent',
          seq: 2,
          state: 'conflict',
          updated_at: TIME,
          by: 'Ada',
          clicked_at: TIME,
          base: { available: true, updated_at: TIME, by: 'Cleo' },
          theirs: { available: false, updated_at: TIME, by: 'Ben' },
        },
        { edit_id: 'e-3', id: 'raft', seq: 3, state: 'delivered', updated_at: TIME, settled_at: TIME },
      ],
    },
  },
  {
    name: 'a listing',
    check: listingCheck,
    schema: listing,
    good: {
      inventory: [
        { id: 'kayak', available: true, updated_at: TIME, label: 'Kayak', group: 'Boats', state: 'received' },
        { id: 'boat', available: true, updated_at: TIME, state: 'delivered', settled_at: TIME },
        { id: 'tent', available: false, updated_at: TIME, state: 'refused', edit_id: 'e-2', reason: 'item_refused' },
        { id: 'raft', available: true, by: 'Ada', theirs: { available: false, updated_at: TIME, by: 'Ben' } },
        { id: 'tipi', clicked_at: TIME, base: { available: true, updated_at: TIME } },
      ],
      revision: 3,
      next: 'tent',
    },
  },
  {
    name: 'a session',
    check: sessionCheck,
    schema: session,
    good: {
      vendor: 'boats',
      subject: 'ada',
      name: 'Ada',
      permissions: ['view'],
      limits: { max_edits: 500, max_body_bytes: 262_144 },
      server_time: TIME,
      expires_at: TIME,
      version: '0.1.0',
    },
  },
  { name: 'a session token', check: sessionTokenCheck, schema: sessionToken, good: { token: 'x' } },
  {
    name: 'a problem',
    check: problemCheck,
    schema: problem,
    good: {
      type: 'about:blank',
      title: 'Gone',
      status: 410,
      code: 'x',
      detail: 'y',
      retryable: false,
      request_id: 'r',
      errors: [{ pointer: '/a', message: 'b' }],
    },
  },
  {
    name: 'an item of the host',
    check: hostItemCheck,
    schema: hostItem,
    good: { id: 'kayak', available: null, updated_at: TIME, label: 'Kayak', group: null, image: '/a.png' },
  },
];

const LENGTHS = [MAX_EDIT_ID_LENGTH, MAX_ITEM_ID_LENGTH, MAX_LABEL_LENGTH, MAX_IMAGE_URL_LENGTH, MAX_TOKEN_LENGTH];

/** Values that stand where they may or may not: of the right kind, nearly right, and of no kind at all. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(TIME, '2026-02-30T00:00:00Z', 'received', 'gone', '', 'kayak', 'a\u0000b', '\ud800', null),
  fc.constantFrom<unknown>(0, -1, 1.5, NaN, Infinity, true, false, [], {}, [[]], '😀'.repeat(200), undefined),
  fc.constantFrom<unknown>(...LENGTHS.flatMap((most) => ['x'.repeat(most), 'x'.repeat(most + 1)])),
  fc.jsonValue(),
);

function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, inner]) =>
    pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...below];
}

function changedAt(value: unknown, [step, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value))
    return value.map((inner: unknown, at) => (at === step ? changedAt(inner, rest, to) : inner));
  const inner = (value as Record<string, unknown>)[step];
  return { ...(value as object), [step]: changedAt(inner, rest, to) };
}

describe('the fast check and the schema say the same of', () => {
  for (const { name, check, schema, good } of PAIRS) {
    it(`${name} that is right`, () => {
      assert.deepEqual([accepts(check, good), schema.safeParse(good).success], [true, true]);
    });

    it(`${name} with one thing changed`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...pathsOf(good)), strange, (path, to) => {
          const value = changedAt(good, path, to);
          assert.equal(accepts(check, value), schema.safeParse(value).success);
        }),
        { numRuns: RUNS },
      );
    });

    it(`anything in the place of ${name}`, () => {
      fc.assert(
        fc.property(fc.anything(), (value) => {
          assert.equal(accepts(check, value), schema.safeParse(value).success);
        }),
        { numRuns: RUNS },
      );
    });
  }
});

describe('a fault that the fast check names', () => {
  it('says where it is and what is expected there, and not what stands there', () => {
    const answer = { receipts: [{ edit_id: 'e-1', id: 'kayak', seq: 1, state: 'lost-secret', updated_at: TIME }] };

    assert.equal(receiptsCheck(answer), '/receipts/0/state: expected state of an edit');
  });
});
