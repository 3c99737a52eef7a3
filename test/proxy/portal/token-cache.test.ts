import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import {
  createTokenCache,
  InvalidCredentials,
  readLifetime,
  TokenPending,
  TokenRequestFailed,
  type TokenCache,
  type TokenGrant,
} from '../../../src/proxy/portal/token-cache.js';
import type { Log } from '../../../src/proxy/runtime/log.js';
import { CREDENTIALS_PAUSE_MS, MemoryTokenStore } from '../../../src/proxy/portal/token-store.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const MINUTE = 60_000;
const FALLBACK_SECONDS = 300;

describe('the lifetime of a token', () => {
  const fallback = `token.fallback_lifetime_seconds (${FALLBACK_SECONDS}) is used`;
  const lifetimes: readonly (readonly [expiresIn: unknown, seconds: number, fault?: string])[] = [
    [3600, 3600],
    ['86400', 86_400],
    [' 86400 ', 86_400],
    ['3599.5', 3599.5],
    [0.5, 0.5],
    [undefined, FALLBACK_SECONDS],
    [null, FALLBACK_SECONDS],
    [0, FALLBACK_SECONDS, `expires_in is 0; ${fallback}`],
    ['0', FALLBACK_SECONDS, `expires_in is 0; ${fallback}`],
    [-1, FALLBACK_SECONDS, `expires_in is -1; ${fallback}`],
    ['soon', FALLBACK_SECONDS, `expires_in is a string that is no number; ${fallback}`],
    ['', FALLBACK_SECONDS, `expires_in is a string that is no number; ${fallback}`],
    ['1e3', FALLBACK_SECONDS, `expires_in is a string that is no number; ${fallback}`],
    ['60 s', FALLBACK_SECONDS, `expires_in is a string that is no number; ${fallback}`],
    ['-60.5', FALLBACK_SECONDS, `expires_in is -60.5; ${fallback}`],
    [{}, FALLBACK_SECONDS, `expires_in is a value that is no number; ${fallback}`],
    [[60], FALLBACK_SECONDS, `expires_in is a value that is no number; ${fallback}`],
    [315_360_000, 315_360_000],
    [1e300, 315_360_000, 'expires_in is over 315360000 s, which is used instead'],
    ['99999999999', 315_360_000, 'expires_in is over 315360000 s, which is used instead'],
  ];

  for (const [expiresIn, seconds, fault] of lifetimes) {
    it(`is ${seconds} s for ${JSON.stringify(expiresIn) ?? 'none'}, ${fault === undefined ? 'as sent' : 'and the log says why'}`, async () => {
      const lines: unknown[] = [];
      const { cache } = open({
        issuer: { requests: 0, answer: () => Promise.resolve({ accessToken: 'portal-token', expiresIn }) },
        log: (level, event, fields) => void lines.push([level, event, fields]),
      });
      await cache.get();

      assert.equal(readLifetime(expiresIn, FALLBACK_SECONDS).ms, seconds * 1000);
      assert.deepEqual(
        lines,
        fault === undefined ? [] : [['warn', 'the lifetime of the portal’s token is replaced', { reason: fault }]],
      );
    });
  }
});

describe('the portal’s token', () => {
  it('is requested once for all concurrent callers', async () => {
    const { cache, issuer } = open();

    const tokens = await Promise.all(Array.from({ length: 1000 }, () => cache.get()));

    assert.equal(issuer.requests, 1);
    assert.equal(new Set(tokens.map(({ value }) => value.reveal())).size, 1);
  });

  it('fails for all callers when its one request fails, and the next caller requests it again', async () => {
    const { cache, issuer } = open();
    issuer.answer = () => Promise.reject(new Error('the portal is down'));
    const asked = await Promise.allSettled([cache.get(), cache.get(), cache.get()]);

    issuer.answer = grant;
    const { value } = await cache.get();

    assert.deepEqual(
      asked.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.equal(issuer.requests, 2);
    assert.equal(value.reveal(), 'portal-token');
  });

  it('is renewed at three quarters of its lifetime, and stays in use until then', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    issuer.answer = () => grant(200);
    await cache.get();

    clock.jump(139_999);
    const before = await cache.get();
    clock.jump(1);
    issuer.answer = () => new Promise(() => undefined);
    const meanwhile = await cache.get();
    await nextTurn();

    assert.equal(before.generation, 1);
    assert.equal(meanwhile.generation, 1);
    assert.equal(issuer.requests, 2);
  });

  it('is renewed a minute before its expiry if that is sooner', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    issuer.answer = () => grant(3600);
    await cache.get();

    clock.jump(45 * MINUTE - 1);
    await cache.get();
    await nextTurn();
    const early = issuer.requests;
    clock.jump(1);
    await cache.get();
    await nextTurn();

    assert.equal(early, 1);
    assert.equal(issuer.requests, 2);
  });

  it('is not renewed before half of its lifetime, however short that is', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    issuer.answer = () => grant(60);
    await cache.get();

    clock.jump(29_999);
    await cache.get();
    await nextTurn();
    const early = issuer.requests;
    clock.jump(1);
    await cache.get();
    await nextTurn();

    assert.equal(early, 1);
    assert.equal(issuer.requests, 2);
  });

  it('is renewed with jitter, so that several proxies do not renew together', async () => {
    const { cache, clock, issuer } = open({ random: () => 1 });
    issuer.answer = () => grant(3600);
    await cache.get();

    clock.jump(0.9 * 45 * MINUTE);
    await cache.get();
    await nextTurn();

    assert.equal(issuer.requests, 2);
  });

  it('is the new one after the renewal', async () => {
    const { cache, clock } = open();
    await cache.get();
    clock.jump(4 * MINUTE);
    await cache.get();
    await nextTurn();

    const renewed = await cache.get();

    assert.equal(renewed.generation, 2);
  });

  it('is used until its expiry if the renewal fails, which is tried every five seconds at most', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    await cache.get();
    issuer.answer = () => Promise.reject(new Error('the portal is down'));
    clock.jump(250_000);

    const generations = new Set<number>();
    for (let second = 0; second < 50; second += 1, clock.jump(1000)) {
      generations.add((await cache.get()).generation);
      await nextTurn();
    }

    assert.deepEqual([...generations], [1]);
    assert.equal(issuer.requests, 1 + 10);
    await assert.rejects(cache.get(), /the portal is down/);
  });

  it('has a lifetime that begins before the request', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    issuer.answer = () => {
      clock.jump(10_000);
      return grant(60);
    };
    await cache.get();
    issuer.answer = () => Promise.reject(new Error('the portal is down'));

    clock.jump(49_999);
    const inTime = await cache.get();
    clock.jump(1);

    assert.equal(inTime.generation, 1);
    await assert.rejects(cache.get(), /the portal is down/);
  });

  it('expires by the monotonic clock', async () => {
    const { cache, clock, issuer } = open();
    await cache.get();

    clock.setWallBy(365 * 24 * 60 * MINUTE);
    await cache.get();

    assert.equal(issuer.requests, 1);
  });

  it('is redacted when printed', async () => {
    const { cache } = open();

    const { value } = await cache.get();

    assert.equal(JSON.stringify(value), '"[redacted]"');
  });
});

describe('a token that the portal rejected', () => {
  it('is requested again, once for all rejected callers', async () => {
    const { cache, issuer } = open();
    const old = await cache.get();
    cache.invalidate(old.generation);
    cache.invalidate(old.generation);

    const tokens = await Promise.all([cache.get(), cache.get()]);

    assert.deepEqual(
      tokens.map(({ generation }) => generation),
      [2, 2],
    );
    assert.equal(issuer.requests, 2);
  });

  it('does not invalidate a newer one when the rejection comes late', async () => {
    const { cache, issuer } = open();
    const old = await cache.get();
    cache.invalidate(old.generation);
    await cache.get();

    cache.invalidate(old.generation);
    const { generation } = await cache.get();

    assert.equal(generation, 2);
    assert.equal(issuer.requests, 2);
  });

  it('stays invalid when an older one is rejected after it', async () => {
    const { cache } = open();
    const older = await cache.get();
    cache.invalidate(older.generation);
    const old = await cache.get();
    cache.invalidate(old.generation);

    cache.invalidate(older.generation);

    assert.notEqual((await cache.get()).generation, old.generation);
  });

  it('leaves the newer one valid if the database is down when the rejection comes late', async () => {
    const clock = new VirtualClock();
    const store = new MemoryTokenStore(clock);
    const { cache } = open({ random: () => 0, clock, store });
    const old = await cache.get();
    cache.invalidate(old.generation);
    const newer = await cache.get();
    store.claim = () => Promise.reject(new Error('the database is away'));

    cache.invalidate(old.generation);

    assert.equal((await cache.get()).generation, newer.generation);
  });
});

describe('an invalid lifetime', () => {
  for (const lifetime of [0, -1, 'soon', Number.NaN, Number.POSITIVE_INFINITY, undefined, null, {}, true]) {
    it(`of ${String(lifetime)} is replaced by five minutes, without a busy loop`, async () => {
      const { cache, clock, issuer } = open();
      issuer.answer = () => grant(lifetime);

      for (let second = 0; second < 149; second += 1, clock.jump(1000)) await getAndRest(cache);
      const early = issuer.requests;
      for (let second = 149; second < FALLBACK_SECONDS; second += 1, clock.jump(1000)) await getAndRest(cache);

      assert.equal(early, 1);
      assert.equal(issuer.requests, 2);
    });
  }

  it('of any number causes at most one request for each call, and a long one is kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 1e-9, max: 1e308, noNaN: true }), async (lifetime) => {
        const { cache, clock, issuer } = open();
        issuer.answer = () => grant(lifetime);

        for (let second = 0; second < 100; second += 1, clock.jump(1000)) await getAndRest(cache);

        assert.ok(issuer.requests <= (lifetime > 200 ? 1 : 100), `${issuer.requests} requests`);
      }),
    );
  });
});

describe('a token that another process has requested', () => {
  it('expires by the time of that process’s request', async () => {
    const { one, other, clock, issuer } = openTwo();
    await one.get();
    clock.jump((FALLBACK_SECONDS - 1) * 1000);
    await other.get();
    issuer.answer = () => Promise.reject(new Error('the portal is down'));

    clock.jump(1000);

    await assert.rejects(other.get(), /the portal is down/);
  });

  it('is waited for, and taken a tenth of a second after it is there at the latest', async () => {
    const { one, other, clock, issuer } = openTwo();
    let answer: (granted: TokenGrant) => void = () => undefined;
    issuer.answer = () => new Promise((resolve) => (answer = resolve));
    const first = one.get();
    const second = other.get();
    await clock.asleep(1);
    answer(await grant());
    await first;

    const shared = await clock.passUntil(second, 100);

    assert.equal(shared.generation, (await first).generation);
    assert.equal(issuer.requests, 1);
  });

  it('is waited for as long as half of a request may take, after which the call is to be made again', async () => {
    const { one, other, clock, issuer } = openTwo();
    issuer.answer = () => new Promise(() => undefined);
    void one.get();
    const pending = assert.rejects(other.get(), (error) => {
      assert.ok(error instanceof TokenPending);
      assert.equal(error.name, 'TokenPending');
      assert.equal(error.message, 'another proxy is asking the portal for a token');
      return true;
    });
    const before = clock.monotonic();

    await clock.passUntil(pending, MINUTE);

    assert.equal(clock.monotonic() - before, 5_000);
    assert.equal(issuer.requests, 1);
  });

  it('is requested by the next process a second after the first request has to be over', async () => {
    for (const [secrets, seconds] of [
      [1, 11],
      [2, 21],
    ] as const) {
      const clock = new VirtualClock();
      const store = new MemoryTokenStore(clock);
      const options = { renewalMarginSeconds: 60, fallbackLifetimeSeconds: FALLBACK_SECONDS };
      const silent = Array.from({ length: secrets }, () => () => new Promise<TokenGrant>(() => undefined));
      void createTokenCache({ ...options, requests: silent, clock, store, random: () => 0 }).get();
      // As many secrets here, so that both processes agree on how long a request may take.
      const requests = Array.from({ length: secrets }, () => grant);
      const other = createTokenCache({ ...options, requests, clock, store, random: () => 0 });

      clock.jump(seconds * 1000 - 5_001);
      await clock.passUntil(assert.rejects(other.get(), TokenPending), MINUTE);
      clock.jump(1);
      const { generation } = await other.get();

      assert.equal(clock.monotonic(), seconds * 1000);
      assert.equal(generation, 2);
    }
  });

  it('is refused to this one, too, if the portal rejected the credentials there', async () => {
    const { one, other, clock, issuer } = openTwo();
    issuer.answer = refuse;
    await assert.rejects(one.get(), InvalidCredentials);

    const refused = { name: 'InvalidCredentials', message: 'the portal refused these credentials to another proxy' };
    await assert.rejects(other.get(), refused);
    clock.jump(CREDENTIALS_PAUSE_MS - 1);
    await assert.rejects(other.get(), refused);
    clock.jump(1);
    issuer.answer = grant;

    assert.equal((await other.get()).value.reveal(), 'portal-token');
    assert.equal(issuer.requests, 2);
  });
});

describe('a store of tokens that fails', () => {
  it('after the request leaves the token in use, because it is the newest of the portal', async () => {
    const clock = new VirtualClock();
    const store = new MemoryTokenStore(clock);
    const { cache, issuer } = open({ clock, store });
    store.publish = () => Promise.reject(new Error('the database is away'));

    await cache.get();

    assert.equal((await cache.get()).value.reveal(), 'portal-token');
    assert.equal(issuer.requests, 1);
  });

  for (const [what, answer, reason] of [
    ['was rejected', refuse, InvalidCredentials],
    ['failed', () => Promise.reject(new TokenRequestFailed('the portal is busy', MINUTE)), /the portal is busy/],
  ] as const) {
    it(`after the request ${what} hides neither the reason nor the pause`, async () => {
      const clock = new VirtualClock();
      const store = new MemoryTokenStore(clock);
      const { cache, issuer } = open({ clock, store, issuer: { requests: 0, answer } });
      store.refuse = store.release = () => Promise.reject(new Error('the database is away'));

      await assert.rejects(cache.get(), reason);
      clock.jump(30_000);
      await assert.rejects(cache.get(), reason);

      assert.equal(issuer.requests, 1);
    });
  }
});

describe('a token request that fails', () => {
  it('leaves the request to the next process at once', async () => {
    const { one, other, issuer } = openTwo();
    issuer.answer = () => Promise.reject(new Error('the portal is down'));
    await assert.rejects(one.get(), /the portal is down/);

    issuer.answer = grant;
    await other.get();

    assert.equal(issuer.requests, 2);
  });

  it('leaves it to the next process, too, while the portal has asked this one to wait', async () => {
    const { one, other, issuer } = openTwo();
    issuer.answer = () => Promise.reject(new TokenRequestFailed('the portal is busy', MINUTE));
    await assert.rejects(one.get(), /the portal is busy/);
    await assert.rejects(one.get(), { name: 'TokenRequestFailed', message: 'the portal is busy', afterMs: MINUTE });

    issuer.answer = grant;
    await other.get();

    assert.equal(issuer.requests, 2);
  });

  it('causes no early renewal before the time that the portal asked for', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    await cache.get();
    issuer.answer = () => Promise.reject(new TokenRequestFailed('the portal is busy', 20_000));
    clock.jump(240_000);
    for (let second = 0; second < 20; second += 1, clock.jump(1000)) await getAndRest(cache);
    const early = issuer.requests;

    await getAndRest(cache);

    assert.equal(early, 1 + 1);
    assert.equal(issuer.requests, 1 + 2);
  });
});

describe('two secrets, of which one replaces the other', () => {
  const open = (
    answers: readonly (() => Promise<TokenGrant>)[],
  ): { cache: TokenCache; asked: number[]; clock: VirtualClock } => {
    const clock = new VirtualClock();
    const asked: number[] = [];
    const requests = answers.map((answer, at) => () => {
      asked.push(at);
      return answer();
    });
    const options = { renewalMarginSeconds: 60, fallbackLifetimeSeconds: FALLBACK_SECONDS };
    return { cache: createTokenCache({ ...options, requests, clock, random: () => 0 }), asked, clock };
  };

  it('are tried in their order, and the one that served last is tried first from then on', async () => {
    const { cache, asked } = open([refuse, grant]);
    const first = await cache.get();
    cache.invalidate(first.generation);

    await cache.get();

    assert.deepEqual(asked, [0, 1, 1]);
  });

  it('are both tried once the one that served is rejected', async () => {
    let isRotated = false;
    const { cache, asked } = open([() => (isRotated ? grant() : refuse()), () => (isRotated ? refuse() : grant())]);
    const first = await cache.get();
    cache.invalidate(first.generation);
    isRotated = true;

    await cache.get();

    assert.deepEqual(asked, [0, 1, 1, 0]);
  });

  it('are not both tried if the portal fails for another reason than the first', async () => {
    const { cache, asked } = open([() => Promise.reject(new TokenRequestFailed('the portal is down')), grant]);

    await assert.rejects(cache.get(), /the portal is down/);

    assert.deepEqual(asked, [0]);
  });

  it('are both tried again after both were rejected', async () => {
    const { cache, asked, clock } = open([refuse, refuse]);
    await assert.rejects(cache.get(), InvalidCredentials);
    clock.jump(CREDENTIALS_PAUSE_MS);

    await assert.rejects(cache.get(), InvalidCredentials);

    assert.deepEqual(asked, [0, 1, 0, 1]);
  });

  it('are none if the operator has set none, which counts as rejected', async () => {
    const { cache } = open([]);

    await assert.rejects(cache.get(), { name: 'InvalidCredentials', message: 'there is no credential' });
  });
});

describe('a token request that is rejected with Retry-After', () => {
  it('is repeated with the other secret at that time, and not before', async () => {
    const clock = new VirtualClock();
    const asked: string[] = [];
    const requests = ['old', 'new'].map((secret) => () => {
      asked.push(secret);
      return secret === 'new' ? grant() : Promise.reject(new InvalidCredentials('401', MINUTE));
    });
    const options = { renewalMarginSeconds: 60, fallbackLifetimeSeconds: FALLBACK_SECONDS };
    const cache = createTokenCache({ ...options, requests, clock, random: () => 0 });

    await assert.rejects(cache.get(), { name: 'TokenRequestFailed', afterMs: MINUTE });
    clock.jump(MINUTE - 1);
    await assert.rejects(cache.get(), { name: 'TokenRequestFailed', afterMs: 1 });
    clock.jump(1);
    await cache.get();

    assert.deepEqual(asked, ['old', 'new']);
  });

  it('for both secrets counts both as wrong', async () => {
    const clock = new VirtualClock();
    const refused = (): Promise<TokenGrant> => Promise.reject(new InvalidCredentials('401', MINUTE));
    const options = { renewalMarginSeconds: 60, fallbackLifetimeSeconds: FALLBACK_SECONDS };
    const cache = createTokenCache({ ...options, requests: [refused, refused], clock, random: () => 0 });

    await assert.rejects(cache.get(), { name: 'TokenRequestFailed' });
    clock.jump(MINUTE);

    await assert.rejects(cache.get(), InvalidCredentials);
  });

  it('does not keep this process from a token that another process has received', async () => {
    const { one, other, clock, issuer } = openTwo();
    const first = await one.get();
    await other.get();
    clock.jump(230_000);
    issuer.answer = () => Promise.reject(new TokenRequestFailed('the portal is busy', 60 * MINUTE));
    await getAndRest(one);
    issuer.answer = grant;
    await getAndRest(other);
    const newer = await other.get();

    one.invalidate(first.generation);

    assert.notEqual(newer.generation, first.generation);
    assert.equal((await one.get()).generation, newer.generation);
  });
});

describe('credentials that the portal rejected', () => {
  it('are not tried again for five minutes, and then once', async () => {
    const { cache, clock, issuer } = open();
    issuer.answer = refuse;
    await assert.rejects(cache.get(), InvalidCredentials);

    for (let asked = 0; asked < 100; asked += 1) await assert.rejects(cache.get(), InvalidCredentials);
    clock.jump(CREDENTIALS_PAUSE_MS - 1);
    await assert.rejects(cache.get(), InvalidCredentials);
    const early = issuer.requests;
    clock.jump(1);
    await Promise.allSettled([cache.get(), cache.get(), cache.get()]);
    await assert.rejects(cache.get(), InvalidCredentials);

    assert.equal(CREDENTIALS_PAUSE_MS, 5 * MINUTE);
    assert.equal(early, 1);
    assert.equal(issuer.requests, 2);
  });

  it('are used again as soon as a request passes', async () => {
    const { cache, clock, issuer } = open();
    issuer.answer = refuse;
    await assert.rejects(cache.get(), InvalidCredentials);
    clock.jump(CREDENTIALS_PAUSE_MS);
    issuer.answer = grant;

    const { value } = await cache.get();

    assert.equal(value.reveal(), 'portal-token');
  });

  it('do not count as wrong while one secret has no response, because the portal may fail between two secrets', async () => {
    const clock = new VirtualClock();
    let answer = (): Promise<TokenGrant> => Promise.reject(new TokenRequestFailed('the portal answered with 503'));
    const options = { renewalMarginSeconds: 60, fallbackLifetimeSeconds: FALLBACK_SECONDS };
    const cache = createTokenCache({ ...options, requests: [refuse, () => answer()], clock, random: () => 0 });
    await assert.rejects(cache.get(), { name: 'TokenRequestFailed' });

    answer = grant;
    const { value } = await cache.get();

    assert.equal(value.reveal(), 'portal-token');
  });

  it('leave the cached token valid until its expiry', async () => {
    const { cache, clock, issuer } = open({ random: () => 0 });
    await cache.get();
    issuer.answer = refuse;

    clock.jump(250_000);
    const generations = new Set<number>();
    for (let second = 0; second < 50; second += 1, clock.jump(1000)) {
      generations.add((await cache.get()).generation);
      await nextTurn();
    }

    assert.deepEqual([...generations], [1]);
    await assert.rejects(cache.get(), InvalidCredentials);
    assert.equal(issuer.requests, 2);
  });
});

/** Waits until background work is done, or waits for the portal. */
async function getAndRest(cache: TokenCache): Promise<void> {
  await cache.get();
  await nextTurn();
}

interface Issuer {
  requests: number;
  answer: () => Promise<TokenGrant>;
}

interface Opened {
  readonly cache: TokenCache;
  readonly clock: VirtualClock;
  readonly issuer: Issuer;
}

/** @param options `store` is shared with other caches */
function open({
  random = () => 0.5,
  clock = new VirtualClock(),
  issuer = { requests: 0, answer: grant },
  store,
  log,
}: Partial<Opened> & { random?: () => number; store?: MemoryTokenStore; log?: Log } = {}): Opened {
  const cache = createTokenCache({
    requests: [
      () => {
        issuer.requests += 1;
        return issuer.answer();
      },
    ],
    renewalMarginSeconds: 60,
    fallbackLifetimeSeconds: FALLBACK_SECONDS,
    clock,
    random,
    ...(store !== undefined && { store }),
    ...(log !== undefined && { log }),
  });
  return { cache, clock, issuer };
}

/** Two processes that share their tokens. */
function openTwo(): { one: TokenCache; other: TokenCache; clock: VirtualClock; issuer: Issuer } {
  const clock = new VirtualClock();
  const store = new MemoryTokenStore(clock);
  const { cache: one, issuer } = open({ random: () => 0, clock, store });
  const { cache: other } = open({ random: () => 0, clock, store, issuer });
  return { one, other, clock, issuer };
}

function grant(expiresIn: unknown = FALLBACK_SECONDS): Promise<TokenGrant> {
  return Promise.resolve({ accessToken: 'portal-token', expiresIn });
}

function refuse(): Promise<TokenGrant> {
  return Promise.reject(new InvalidCredentials('the portal answered 401 to the token request'));
}
