import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

describe('a portal that does not tell how long a token lives', () => {
  for (const [tells_lifetime, tokens] of [
    [true, 1],
    [false, 2],
  ] as const) {
    it(`${tells_lifetime ? 'but does' : 'indeed'}: ${String(tokens)} for two updates where the profile's guess is short`, async (t) => {
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

describe('a portal that takes one update a second', () => {
  for (const says_when of ['retry_after', 'ratelimit'] as const) {
    it(`and says it as ${says_when} gets all, and is not asked before it said`, async (t) => {
      const { post, journal, items } = await openOtherPortal(t, { calls_per_second: 1, says_when }, { limits: FAST });

      const states = await post(VENDOR, ...ITEMS);

      assert.deepEqual(states, DELIVERED);
      assert.deepEqual(new Set(await items()), new Set(ITEMS));
      const statuses = (await journal()).filter(({ kind }) => kind === 'update').map(({ status }) => status);
      assert.ok(statuses.includes(429), 'it was too fast for it');
      assert.doesNotMatch(statuses.join(), /429,429/);
    });
  }
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
