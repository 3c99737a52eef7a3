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

describe('a token that was verified a moment ago', () => {
  it('is known again', async () => {
    const { authenticate } = open(SHARED);
    const token = await signed(goodClaims(now()));

    const sessions = [await authenticate(token), await authenticate(token)];

    assert.deepEqual(
      sessions.map((session) => session?.subject),
      ['ada', 'ada'],
    );
  });

  it('ends when it ends', async () => {
    const { authenticate, clock } = open(SHARED);
    const token = await signed({ ...goodClaims(now()), exp: now() + 30 });

    // In the last second of the leeway it is verified once more, and kept no longer for that.
    await clock.pass(30_000 + 59_000);
    const last = await authenticate(token);
    await clock.pass(1_000);

    assert.equal(last?.subject, 'ada');
    assert.equal(await authenticate(token), undefined);
  });

  it('is no good on another page', async () => {
    const { authenticate } = open(SHARED);
    const token = await signed(goodClaims(now()));
    await authenticate(token);

    assert.equal(await authenticate(token, 'https://shop.example.com'), undefined);
    assert.equal((await authenticate(token))?.subject, 'ada');
  });

  it('says nothing for one that differs in a letter', async () => {
    const { authenticate } = open(SHARED);
    const token = await signed(goodClaims(now()));
    await authenticate(token);

    assert.equal(await authenticate(`${token.slice(0, -6)}AAAAAA`), undefined);
  });

  it('is verified anew before long: its key may have been withdrawn', async () => {
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

  it('makes room for newer ones: the oldest goes first', () => {
    const clock = new VirtualClock();
    const cache = new SessionCache(clock);
    const session = { ...SESSION, expiresAt: clock.wall() + MAX_CACHE_AGE_MS };
    for (let made = 0; made <= MAX_CACHED_SESSIONS; made += 1)
      cache.add(`hash-${made}`, { session, origin: HOST_ORIGIN }, 400);

    assert.equal(cache.find('hash-0'), undefined);
    assert.equal(cache.find('hash-1')?.session, session);
    assert.equal(cache.find(`hash-${MAX_CACHED_SESSIONS}`)?.session, session);
  });

  it('makes room by the length of its token, too: one that names a thousand items takes a lot', () => {
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

  it('lets go of those that are over when another comes, whether or not they are ever shown again', async () => {
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
