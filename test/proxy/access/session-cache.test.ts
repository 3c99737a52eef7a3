import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  authenticateByEmbedToken,
  type EmbedTokenKey,
  MAX_CACHE_AGE_MS,
  MAX_CACHED_CHARACTERS,
  MAX_CACHED_SESSIONS,
  SessionCache,
} from '../../../src/proxy/access/embed-token.js';
import { noLog } from '../../../src/proxy/runtime/log.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import type { ProxySession } from '../../../src/proxy/access/session.js';
import { goodClaims, signed } from '../../support/forged-tokens.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL, SESSION_SECRET } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SESSION: ProxySession = { vendor: 'boat-tours', subject: 'ada', permissions: new Set(['view']), expiresAt: 0 };
const SHARED: EmbedTokenKey = { kind: 'secret', secret: new Secret(SESSION_SECRET) };

describe('a verified token in the cache', () => {
  it('is accepted again', async () => {
    const { authenticate } = open(SHARED);
    const token = await signed(goodClaims(now()));

    const sessions = [await authenticate(token), await authenticate(token)];

    assert.deepEqual(
      sessions.map((session) => session?.subject),
      ['ada', 'ada'],
    );
  });

  it('is refused after its expiry', async () => {
    const { authenticate, clock } = open(SHARED);
    const token = await signed({ ...goodClaims(now()), exp: now() + 30 });

    // In the last second of the leeway it is verified once more, and kept no longer for that.
    await clock.pass(30_000 + 59_000);
    const last = await authenticate(token);
    await clock.pass(1_000);

    assert.equal(last?.subject, 'ada');
    assert.equal(await authenticate(token), undefined);
  });

  it('is refused for another origin', async () => {
    const { authenticate } = open(SHARED);
    const token = await signed(goodClaims(now()));
    await authenticate(token);

    assert.equal(await authenticate(token, 'https://shop.example.com'), undefined);
    assert.equal((await authenticate(token))?.subject, 'ada');
  });

  it('does not verify a token with another signature', async () => {
    const { authenticate } = open(SHARED);
    const token = await signed(goodClaims(now()));
    await authenticate(token);

    assert.equal(await authenticate(`${token.slice(0, -6)}AAAAAA`), undefined);
  });

  it('is verified again after the maximum age, because its key may have been withdrawn', async () => {
    const clock = new VirtualClock();
    const cache = new SessionCache(clock);
    cache.add(
      'hash',
      { session: { ...SESSION, expiresAt: clock.wall() + 10 * MAX_CACHE_AGE_MS }, origin: HOST_ORIGIN },
      400,
    );

    await clock.pass(MAX_CACHE_AGE_MS - 1);
    const before = cache.find('hash');
    await clock.pass(1);

    assert.equal(before?.session.subject, 'ada');
    assert.equal(cache.find('hash'), undefined);
  });

  it('is evicted when the cache has too many tokens, the oldest first', () => {
    const clock = new VirtualClock();
    const cache = new SessionCache(clock);
    const session = { ...SESSION, expiresAt: clock.wall() + MAX_CACHE_AGE_MS };
    for (let made = 0; made <= MAX_CACHED_SESSIONS; made += 1)
      cache.add(`hash-${made}`, { session, origin: HOST_ORIGIN }, 400);

    assert.equal(cache.find('hash-0'), undefined);
    assert.equal(cache.find('hash-1')?.session, session);
    assert.equal(cache.find(`hash-${MAX_CACHED_SESSIONS}`)?.session, session);
  });

  it('is evicted when the cached tokens are too long together', () => {
    const clock = new VirtualClock();
    const cache = new SessionCache(clock);
    const session = { ...SESSION, expiresAt: clock.wall() + MAX_CACHE_AGE_MS };
    const add = (hash: string): void => {
      cache.add(hash, { session, origin: HOST_ORIGIN }, MAX_CACHED_CHARACTERS / 2);
    };
    for (const hash of ['one', 'two', 'two', 'three']) add(hash);

    assert.deepEqual(
      [cache.find('one'), cache.find('two')?.session, cache.find('three')?.session],
      [undefined, session, session],
    );
  });

  it('is released after the maximum age when another is added', async () => {
    const clock = new VirtualClock();
    const cache = new SessionCache(clock);
    const kept = Array.from({ length: 10 }, (_, made) => {
      const session = { ...SESSION, expiresAt: Infinity };
      cache.add(`hash-${made}`, { session, origin: HOST_ORIGIN }, 400);
      return new WeakRef(session);
    });

    await clock.pass(MAX_CACHE_AGE_MS);
    cache.add('another', { session: SESSION, origin: HOST_ORIGIN }, 400);

    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    assert.deepEqual(
      kept.map((one) => one.deref()),
      Array(10).fill(undefined),
    );
  });
});

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function open(key: EmbedTokenKey) {
  const clock = new VirtualClock(Date.now());
  const check = authenticateByEmbedToken({
    key,
    issuer: HOST_ORIGIN,
    audience: PROXY_URL,
    publicOrigin: PROXY_URL,
    clock,
    log: noLog,
  });
  return {
    clock,
    authenticate: (token: string, origin = HOST_ORIGIN) =>
      check(pageRequest('GET', '/v1/session', { token, headers: { Origin: origin } }), { requestId: 'request-1' }),
  };
}
