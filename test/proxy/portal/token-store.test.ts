import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../src/proxy/runtime/clock.js';
import { createTokenCache, type TokenCache } from '../../../src/proxy/portal/token-cache.js';
import {
  CREDENTIALS_PAUSE_MS,
  findToken,
  MemoryTokenStore,
  type TokenStore,
} from '../../../src/proxy/portal/token-store.js';
import { describeTokenStore, issued } from './token-store-contract.js';

describeTokenStore('in memory', () => {
  const store = new MemoryTokenStore(systemClock);
  return Promise.resolve({ one: store, other: store, close: () => Promise.resolve() });
});

describe('a store whose clock was set back', () => {
  const want = { newerThan: 0, leaseMs: 11_000 };
  const nothing = { token: undefined, leasedForMs: 0, refusedForMs: 0 };

  it('delays no request for longer than was ever intended', () => {
    const day = 24 * 60 * 60_000;

    assert.equal(findToken({ ...nothing, leasedForMs: day }, want), undefined);
    assert.equal(findToken({ ...nothing, refusedForMs: CREDENTIALS_PAUSE_MS + 1 }, want), undefined);
  });

  it('ignores a token from the future', () => {
    const token = { ...issued({ ageMs: -1 }), generation: 1 };

    assert.equal(findToken({ ...nothing, token }, want), undefined);
  });
});

describe('three proxies that share a token', () => {
  it('send one request for each token that the portal invalidates, in any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }),
        fc.nat(4),
        async (s, who, revoked) => {
          const portal = { alive: '', issued: 0, asking: 0, most: 0 };
          const wait = (name: string): Promise<unknown> => s.schedule(Promise.resolve(), name);
          const clock = {
            wall: () => 0,
            monotonic: () => 0,
            after: (_: number, callback: () => void) => {
              void wait('looks again').then(callback);
              return () => undefined;
            },
          };
          const store = delayed(new MemoryTokenStore(clock), wait);
          const request = async () => {
            portal.asking += 1;
            portal.most = Math.max(portal.most, portal.asking);
            await wait('token request');
            portal.issued += 1;
            portal.alive = `token-${portal.issued}`;
            await wait('token answer');
            portal.asking -= 1;
            return { accessToken: portal.alive, expiresIn: 3600 };
          };
          const caches = Array.from({ length: 3 }, () =>
            createTokenCache({
              requests: [request],
              fallbackLifetimeSeconds: 300,
              renewalMarginSeconds: 60,
              store,
              clock,
              random: () => 0,
            }),
          );
          const calls = who.map((at) => send(caches[at], portal, wait));
          const revocations = Array.from({ length: revoked }, async () => {
            await wait('the portal ends its token');
            portal.alive = '';
          });

          await s.waitFor(Promise.all([...calls, ...revocations]));

          assert.ok(portal.issued <= 1 + revoked, `${portal.issued} tokens, ${revoked} ended`);
          assert.equal(portal.most, 1);
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Retries as delivery does, until the call passes. */
async function send(
  cache: TokenCache | undefined,
  portal: { readonly alive: string },
  wait: (name: string) => Promise<unknown>,
): Promise<void> {
  assert.ok(cache);
  for (;;) {
    const { value, generation } = await cache.get();
    await wait('update');
    if (value.reveal() === portal.alive) return;
    await wait('401');
    cache.invalidate(generation);
  }
}

function delayed(store: TokenStore, wait: (name: string) => Promise<unknown>): TokenStore {
  return {
    async claim(want) {
      await wait('claim');
      const found = await store.claim(want);
      await wait('claim answered');
      return found;
    },
    async publish(fence, token) {
      await wait('publish');
      const isOurs = await store.publish(fence, token);
      await wait('publish answered');
      return isOurs;
    },
    refuse: (fence, pauseMs) => store.refuse(fence, pauseMs),
    release: (fence) => store.release(fence),
  };
}
