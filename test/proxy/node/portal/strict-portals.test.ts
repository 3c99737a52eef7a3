import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JournalEntry } from '../../../../src/sandbox/journal.js';
import { openOtherPortal } from './other-portal.js';

const VENDOR = 'boat-tours';
const ITEMS = ['kayak', 'canoe', 'raft'] as const;
const DELIVERED = ITEMS.map(() => 'delivered');
/** A rate limit higher than that of the portal, and one item per call. */
const FAST = { items: 1, calls_per_second: 1000 };

describe('a portal that requires a scope, a version header and an idempotency key', () => {
  it('gets them all', async (t) => {
    const { post, journal, items } = await openOtherPortal(
      t,
      {
        token_fields: { scope: 'inventory' },
        update_headers: { 'X-Version': '2' },
        idempotency_header: 'Idempotency-Key',
      },
      {
        token: { extra_fields: { scope: 'inventory' } },
        update: { headers: { 'X-Version': '2' } },
        idempotency: { header: 'Idempotency-Key' },
      },
    );

    const states = [...(await post(VENDOR, 'kayak', 'canoe')), ...(await post(VENDOR, 'raft'))];

    assert.deepEqual(states, DELIVERED);
    assert.deepEqual(await items(), [...ITEMS]);
    assert.deepEqual(
      (await journal()).map(({ kind, status }) => [kind, status]),
      [
        ['token', 200],
        ['update', 200],
        ['update', 200],
      ],
    );
  });
});

describe('a portal that applies each idempotency key once', () => {
  const habits = { idempotency_header: 'Idempotency-Key' };
  const profile = { idempotency: { header: 'Idempotency-Key' } };

  it('gets the same idempotency key again if its response came too late', async (t) => {
    // Long enough for the portal to recover before the next call, and for the calls before the delay.
    const { post, journal, misbehave } = await openOtherPortal(t, habits, { ...profile, timeouts: { call_ms: 3000 } });
    await post(VENDOR, 'sauna');
    await misbehave({ delay_ms: 10_000 });
    const waiting = post(VENDOR, 'kayak');
    while ((await journal()).filter(({ applied }) => applied).length < 2);
    await misbehave({});

    const states = await waiting;

    assert.deepEqual(states, ['delivered']);
    const [, ...kayak] = (await journal()).filter(({ kind }) => kind === 'update');
    assert.deepEqual(
      kayak.map(({ applied, repeated, status }) => [applied, repeated, status]),
      [
        [true, undefined, null],
        [false, true, 200],
      ],
    );
  });

  it('gets different keys for simultaneous edits of two vendors with one item id', async (t) => {
    const path = '/v1/vendors/{vendor}/inventory';
    const { post, journal } = await openOtherPortal(
      t,
      { ...habits, update_path: path, stamps: 'seconds' },
      { ...profile, update: { path }, stamps: { precision: 'seconds' } },
    );

    const states = (await Promise.all(['boats', 'cellar'].map((vendor) => post(vendor, 'kayak')))).flat();

    assert.deepEqual(states, ['delivered', 'delivered']);
    const updates = (await journal()).filter(({ kind }) => kind === 'update');
    assert.deepEqual(
      updates.map(({ applied, repeated }) => [applied, repeated]),
      updates.map(() => [true, undefined]),
    );
  });
});

describe('a portal that sends expires_in', () => {
  for (const [tells_lifetime, tokens] of [
    [true, 1],
    [false, 2],
  ] as const) {
    it(`(${String(tells_lifetime)}) gets ${String(tokens)} token requests for two updates with a short fallback lifetime`, async (t) => {
      const { post, journal } = await openOtherPortal(
        t,
        { tells_lifetime },
        { token: { fallback_lifetime_seconds: 0.001 } },
      );

      const states = [...(await post(VENDOR, 'kayak')), ...(await post(VENDOR, 'canoe'))];

      assert.deepEqual(states, ['delivered', 'delivered']);
      assert.equal((await journal()).filter(({ kind }) => kind === 'token').length, tokens);
    });
  }
});

describe('a portal with a rate limit', () => {
  const updates = (entries: readonly JournalEntry[]): (number | null)[] =>
    entries.filter(({ kind }) => kind === 'update').map(({ status }) => status);

  // The smallest value of either header is a second.
  for (const [says_when, too_many_status] of [
    ['retry_after', 429],
    ['ratelimit', 503],
  ] as const) {
    it(`that answers ${String(too_many_status)} with ${says_when} gets no call before that time`, async (t) => {
      const habits = { calls_per_second: 1, says_when, too_many_status };
      const { post, journal, items } = await openOtherPortal(t, habits, { limits: FAST });

      const states = await post(VENDOR, 'kayak', 'canoe');

      assert.deepEqual(states, ['delivered', 'delivered']);
      assert.deepEqual(await items(), ['kayak', 'canoe']);
      assert.deepEqual(updates(await journal()), [200, too_many_status, 200]);
    });
  }

  it('that answers 403 without a time gets all edits if the profile maps 403 to retry', async (t) => {
    const habits = { calls_per_second: 4, says_when: 'no', too_many_status: 403 };
    const { post, journal } = await openOtherPortal(t, habits, { limits: FAST, statuses: { 403: 'retry' } });

    const states = await post(VENDOR, 'kayak', 'canoe', 'raft', 'sauna', 'hut');

    assert.deepEqual(new Set(states), new Set(['delivered']));
    assert.ok(updates(await journal()).includes(403), 'the rate limit was exceeded');
  });
});

describe('a portal that answers 403 to a revoked token', () => {
  it('gets a new token if the profile maps 403 to credentials', async (t) => {
    const { post, forgetTokens } = await openOtherPortal(
      t,
      { bad_token_status: 403 },
      { statuses: { 403: 'credentials' } },
    );
    await post(VENDOR, 'kayak');
    await forgetTokens();

    const states = await post(VENDOR, 'canoe');

    assert.deepEqual(states, ['delivered']);
  });
});

describe('a slow portal that accepts one call at a time', () => {
  it('gets no two calls at once', async (t) => {
    const { post, journal, misbehave } = await openOtherPortal(t, { calls_in_flight: 1 }, { limits: FAST });
    await misbehave({ delay_ms: 30 });

    const states = (await Promise.all([post(VENDOR, 'kayak'), post('pottery', 'vase'), post(VENDOR, 'raft')])).flat();

    assert.deepEqual(states, DELIVERED);
    const statuses = (await journal()).filter(({ kind }) => kind === 'update').map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
  });
});

describe('a portal that accepts bodies up to a kibibyte', () => {
  it('gets a longer batch in parts', async (t) => {
    const { post, journal } = await openOtherPortal(
      t,
      { most_bytes: 1024 },
      { limits: { bytes: 1024, calls_per_second: 1000 } },
    );
    const ids = Array.from({ length: 12 }, (_, at) => `${'k'.repeat(150)}-${String(at)}`);

    const states = await post(VENDOR, ...ids);

    assert.deepEqual(new Set(states), new Set(['delivered']));
    const updates = (await journal()).filter(({ kind }) => kind === 'update');
    assert.deepEqual(
      updates.map(({ status }) => status),
      updates.map(() => 200),
    );
    assert.ok(updates.length > 1);
  });
});

describe('a portal with timestamps of whole seconds', () => {
  it('gets a different whole second for each value of an item', async (t) => {
    const { post, journal } = await openOtherPortal(t, { stamps: 'seconds' }, { stamps: { precision: 'seconds' } });

    const states = [...(await post(VENDOR, 'kayak')), ...(await post(VENDOR, 'kayak'))];

    assert.deepEqual(states, ['delivered', 'delivered']);
    const stamps = (await journal()).flatMap(({ inventory }) => inventory?.map(({ updated_at }) => updated_at) ?? []);
    assert.equal(new Set(stamps).size, 2);
  });
});

describe('a portal with other statuses', () => {
  it('has accepted an update that it answers with 204', async (t) => {
    const { post, items } = await openOtherPortal(t, { taken_status: 204 }, {});

    const states = await post(VENDOR, ...ITEMS);

    assert.deepEqual(states, DELIVERED);
    assert.deepEqual(await items(), [...ITEMS]);
  });

  for (const [statuses, state] of [
    [{}, 'refused'],
    [{ 409: 'delivered' }, 'delivered'],
  ] as const) {
    it(`answers 409, which means ${state} with the profile ${JSON.stringify(statuses)}`, async (t) => {
      const { post, misbehave } = await openOtherPortal(t, { refused_status: 409 }, { statuses });
      await post(VENDOR, 'sauna');
      await misbehave({ refuse_items: ['kayak'] });

      const states = await post(VENDOR, 'kayak', 'canoe');

      assert.deepEqual(states, [state, 'delivered']);
    });
  }
});
