import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import {
  CREDENTIALS_PAUSE_MS,
  type NewToken,
  type TokenFound,
  type TokenStore,
} from '../../../src/proxy/portal/token-store.js';

export interface OpenTokenStores {
  /** The stores of two processes that share a credential. */
  readonly one: TokenStore;
  readonly other: TokenStore;
  close(): Promise<void>;
}

const MINUTE = 60_000;
const WANT = { newerThan: 0, leaseMs: MINUTE };

export function issued(changes: Partial<NewToken> = {}): NewToken {
  return { value: new Secret('portal-token'), ageMs: 0, lifeMs: 5 * MINUTE, ...changes };
}

async function claimOf(store: TokenStore, want = WANT): Promise<number> {
  const found = await store.claim(want);
  assert.equal(found.kind, 'claimed');
  return found.kind === 'claimed' ? found.fence : NaN;
}

async function oncePast(kind: TokenFound['kind'], store: TokenStore, want: typeof WANT): Promise<TokenFound> {
  for (;;) {
    const found = await store.claim(want);
    if (found.kind !== kind) return found;
    await sleep(5);
  }
}

/** The contract of every token store. Its leases run in real time. */
export function describeTokenStore(name: string, open: () => Promise<OpenTokenStores>): void {
  const test = (title: string, body: (stores: OpenTokenStores) => Promise<void>): void => {
    it(title, async () => {
      const stores = await open();
      try {
        await body(stores);
      } finally {
        await stores.close();
      }
    });
  };

  describe(`a token store: ${name}`, () => {
    test('lets one of all callers request a token', async ({ one, other }) => {
      const found = await Promise.all(Array.from({ length: 64 }, (_, at) => (at % 2 === 0 ? one : other).claim(WANT)));

      const kinds = found.map(({ kind }) => kind).sort();
      assert.deepEqual(kinds, [...Array.from({ length: 63 }, () => 'busy'), 'claimed']);
    });

    test('gives the token and its age to the others', async ({ one, other }) => {
      const fence = await claimOf(one);

      const isOurs = await one.publish(fence, issued({ ageMs: MINUTE }));

      const found = await other.claim(WANT);
      assert.equal(isOurs, true);
      assert.ok(found.kind === 'token');
      const { value, generation, ageMs, lifeMs } = found.token;
      assert.deepEqual([value.reveal(), generation, lifeMs], ['portal-token', fence, 5 * MINUTE]);
      assert.ok(ageMs >= MINUTE && ageMs < 2 * MINUTE, `${ageMs} ms`);
    });

    test('lets only one request a newer token than the rejected one', async ({ one, other }) => {
      const first = await claimOf(one);
      await one.publish(first, issued());
      const want = { ...WANT, newerThan: first };

      const second = await claimOf(other, want);
      const meanwhile = await one.claim(want);
      await other.publish(second, issued({ value: new Secret('newer-token') }));
      const late = await one.claim(want);

      assert.equal(meanwhile.kind, 'busy');
      assert.ok(second > first);
      assert.equal(late.kind === 'token' && late.token.value.reveal(), 'newer-token');
    });

    test('still serves the old token to others while a newer one is requested', async ({ one, other }) => {
      const first = await claimOf(one);
      await one.publish(first, issued());
      await claimOf(one, { ...WANT, newerThan: first });

      const found = await other.claim(WANT);

      assert.equal(found.kind === 'token' && found.token.generation, first);
    });

    test('serves no expired token', async ({ one, other }) => {
      await one.publish(await claimOf(one), issued({ ageMs: MINUTE, lifeMs: MINUTE }));

      const found = await other.claim(WANT);

      assert.equal(found.kind, 'claimed');
    });

    test('lets another process request a token when the lease of the first has expired, and ignores the first from then on', async ({
      one,
      other,
    }) => {
      const lost = await claimOf(one, { ...WANT, leaseMs: 50 });
      const taken = await oncePast('busy', other, WANT);
      assert.ok(taken.kind === 'claimed');

      const late = await one.publish(lost, issued({ value: new Secret('late-token') }));
      await one.refuse(lost, CREDENTIALS_PAUSE_MS);
      await one.release(lost);

      assert.equal(late, false);
      assert.equal((await one.claim(WANT)).kind, 'busy');
      assert.equal(await other.publish(taken.fence, issued()), true);
      const found = await one.claim(WANT);
      assert.equal(found.kind === 'token' && found.token.value.reveal(), 'portal-token');
    });

    test('lets another process request a token at once after a failure', async ({ one, other }) => {
      await one.release(await claimOf(one));

      const found = await other.claim(WANT);

      assert.equal(found.kind, 'claimed');
    });

    test('lets no process request a token while the credentials are rejected, and says for how long', async ({
      one,
      other,
    }) => {
      await one.refuse(await claimOf(one), CREDENTIALS_PAUSE_MS);

      const found = await Promise.all([one.claim(WANT), other.claim(WANT)]);

      for (const each of found) {
        assert.ok(each.kind === 'refused');
        assert.ok(each.forMs > CREDENTIALS_PAUSE_MS - MINUTE && each.forMs <= CREDENTIALS_PAUSE_MS, `${each.forMs} ms`);
      }
    });

    test('lets one process request a token after the pause of rejected credentials', async ({ one, other }) => {
      await one.refuse(await claimOf(one), 50);

      const first = await oncePast('refused', other, WANT);
      const second = await one.claim(WANT);

      assert.deepEqual([first.kind, second.kind], ['claimed', 'busy']);
    });

    test('serves a valid token while the credentials are rejected', async ({ one, other }) => {
      const first = await claimOf(one);
      await one.publish(first, issued());
      await one.refuse(await claimOf(one, { ...WANT, newerThan: first }), CREDENTIALS_PAUSE_MS);

      const found = await other.claim(WANT);

      assert.equal(found.kind, 'token');
    });
  });
}
