import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JournalEntry } from '../../../../src/sandbox/journal.js';
import { openOtherPortal } from './other-portal.js';

const VENDOR = 'boat-tours';
const ITEMS = ['kayak', 'canoe', 'raft'] as const;
const DELIVERED = ITEMS.map(() => 'delivered');
/** Calls that the portal's own limit is there to slow down, and one item in each. */
const FAST = { items: 1, calls_per_second: 1000 };

describe('a portal that wants a scope, a version and a name for each update', () => {
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

describe('a portal that applies each name once', () => {
  const habits = { idempotency_header: 'Idempotency-Key' };
  const profile = { idempotency: { header: 'Idempotency-Key' } };

  it('gets the same idempotency key again where its answer came too late', async (t) => {
    // Long enough that the portal is well again before the next call, and answers the calls before within it.
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

  it('gets different keys for edits of two vendors of one id, at one time', async (t) => {
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

describe('a portal that tells how long a token lives', () => {
  for (const [tells_lifetime, tokens] of [
    [true, 1],
    [false, 2],
  ] as const) {
    it(`(${String(tells_lifetime)}) is asked for ${String(tokens)} for two updates by a profile that guesses low`, async (t) => {
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

describe('a portal that takes so many updates a second', () => {
  const updates = (entries: readonly JournalEntry[]): (number | null)[] =>
    entries.filter(({ kind }) => kind === 'update').map(({ status }) => status);

  // The least that either field can say is a second.
  for (const [says_when, too_many_status] of [
    ['retry_after', 429],
    ['ratelimit', 503],
  ] as const) {
    it(`says ${String(too_many_status)} and when as ${says_when}, and is not asked before`, async (t) => {
      const habits = { calls_per_second: 1, says_when, too_many_status };
      const { post, journal, items } = await openOtherPortal(t, habits, { limits: FAST });

      const states = await post(VENDOR, 'kayak', 'canoe');

      assert.deepEqual(states, ['delivered', 'delivered']);
      assert.deepEqual(await items(), ['kayak', 'canoe']);
      assert.deepEqual(updates(await journal()), [200, too_many_status, 200]);
    });
  }

  it('says 403 and not when gets all where the profile calls that busy', async (t) => {
    const habits = { calls_per_second: 4, says_when: 'no', too_many_status: 403 };
    const { post, journal } = await openOtherPortal(t, habits, { limits: FAST, statuses: { 403: 'retry' } });

    const states = await post(VENDOR, 'kayak', 'canoe', 'raft', 'sauna', 'hut');

    assert.deepEqual(new Set(states), new Set(['delivered']));
    assert.ok(updates(await journal()).includes(403), 'it was too fast for it');
  });
});

describe('a portal that says 403 to a token that it has forgotten', () => {
  it('is shown another where the profile says what it means', async (t) => {
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

describe('a portal that takes one update at a time, and takes long', () => {
  it('is not asked twice at once', async (t) => {
    const { post, journal, misbehave } = await openOtherPortal(t, { calls_in_flight: 1 }, { limits: FAST });
    await misbehave({ delay_ms: 30 });

    const states = (await Promise.all([post(VENDOR, 'kayak'), post('pottery', 'vase'), post(VENDOR, 'raft')])).flat();

    assert.deepEqual(states, DELIVERED);
    const statuses = (await journal()).filter(({ kind }) => kind === 'update').map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
  });
});

describe('a portal that reads a kibibyte', () => {
  it('gets what is longer in parts', async (t) => {
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

describe('a portal that counts in seconds', () => {
  it('gets whole ones, and for each value of an item another', async (t) => {
    const { post, journal } = await openOtherPortal(t, { stamps: 'seconds' }, { stamps: { precision: 'seconds' } });

    const states = [...(await post(VENDOR, 'kayak')), ...(await post(VENDOR, 'kayak'))];

    assert.deepEqual(states, ['delivered', 'delivered']);
    const stamps = (await journal()).flatMap(({ inventory }) => inventory?.map(({ updated_at }) => updated_at) ?? []);
    assert.equal(new Set(stamps).size, 2);
  });
});

describe('a portal with statuses of its own', () => {
  it('that answers an update with nothing has taken it', async (t) => {
    const { post, items } = await openOtherPortal(t, { taken_status: 204 }, {});

    const states = await post(VENDOR, ...ITEMS);

    assert.deepEqual(states, DELIVERED);
    assert.deepEqual(await items(), [...ITEMS]);
  });

  for (const [statuses, state] of [
    [{}, 'refused'],
    [{ 409: 'delivered' }, 'delivered'],
  ] as const) {
    it(`says 409, which is ${state} where the profile says ${JSON.stringify(statuses)}`, async (t) => {
      const { post, misbehave } = await openOtherPortal(t, { refused_status: 409 }, { statuses });
      await post(VENDOR, 'sauna');
      await misbehave({ refuse_items: ['kayak'] });

      const states = await post(VENDOR, 'kayak', 'canoe');

      assert.deepEqual(states, [state, 'delivered']);
    });
  }
});
