import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { authenticateByEmbedToken } from '../../../src/proxy/access/embed-token.js';
import {
  COOL_DOWN_MS,
  FETCH_TIMEOUT_MS,
  MAX_AGE_MS,
  RETRY_MS,
  STALE_IF_ERROR_MS,
} from '../../../src/proxy/access/remote-jwks.js';
import { SessionUnverifiable } from '../../../src/proxy/access/session.js';
import { expectProblem } from '../../support/expect-problem.js';
import { hostKey, serveKeys, type HostKey, type KeyServer } from '../../support/host-keys.js';
import { openProxy, type LogLine } from '../../support/open-proxy.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SETTINGS = { issuer: HOST_ORIGIN, audience: PROXY_URL, publicOrigin: PROXY_URL };

/** A proxy that knows where the host's keys are. Its monotonic clock moves; tokens go by the wall clock, which stays. */
function open(url: URL) {
  const clock = new VirtualClock(Date.now());
  const log: LogLine[] = [];
  const check = authenticateByEmbedToken({
    ...SETTINGS,
    key: { kind: 'jwks-url', url },
    clock,
    log: (_, event, fields) => void log.push({ event, ...fields }),
  });
  return {
    clock,
    log,
    check,
    /** @returns the subject, nobody, or that it cannot be told */
    async who(token: string): Promise<string> {
      try {
        return (
          (await check(pageRequest('GET', '/v1/session', { token }), { requestId: 'request' }))?.subject ?? 'nobody'
        );
      } catch (error) {
        if (error instanceof SessionUnverifiable) return 'cannot tell';
        throw error;
      }
    },
    /** The same moment by the wall clock. */
    wait(milliseconds: number): void {
      clock.jump(milliseconds);
      clock.setWallBy(-milliseconds);
    },
  };
}

async function start(t: TestContext) {
  const host = await hostKey('first');
  const server = await serveKeys(t, host);
  return { host, server, ...open(server.url) };
}

function breakDown(server: KeyServer): void {
  server.trouble = (response) => response.writeHead(500).end();
}

function fiveMinutesAgo(): { iat: number } {
  return { iat: Math.floor(Date.now() / 1000) - 5 * 60 };
}

describe('a host that publishes a new key', () => {
  it('is requested again for an unknown key, and tokens of the new key are accepted', async (t) => {
    const { host, server, who, wait } = await start(t);
    const next = await hostKey('second', 'EdDSA');
    await who(await host.sign());
    server.keys = [host.publicKey, next.publicKey];
    wait(COOL_DOWN_MS);

    const people = [await who(await next.sign()), await who(await host.sign({ jti: 'token-2' }))];

    assert.deepEqual(people, ['ada', 'ada']);
    assert.equal(server.asked, 2);
  });

  it('within the cool-down has its new tokens unverifiable, not refused', async (t) => {
    const { host, server, who, wait } = await start(t);
    const next = await hostKey('second');
    await who(await host.sign());
    server.keys = [next.publicKey];

    const early = await who(await next.sign());
    wait(COOL_DOWN_MS);
    const later = await who(await next.sign());

    assert.deepEqual([early, later], ['cannot tell', 'ada']);
  });

  it('is requested once for a thousand tokens with unknown keys', async (t) => {
    const { host, server, who, wait } = await start(t);
    await who(await host.sign());
    const strangers = await Promise.all(Array.from({ length: 10 }, (_, at) => hostKey(`stranger-${at}`)));
    const old = await Promise.all(strangers.map((stranger) => stranger.sign(fiveMinutesAgo())));
    wait(COOL_DOWN_MS);

    const people = await Promise.all(Array.from({ length: 1000 }, (_, at) => who(old[at % 10] ?? '')));

    assert.deepEqual([...new Set(people)], ['nobody']);
    assert.equal(server.asked, 2);
  });

  it('and withdraws another has tokens of the withdrawn key refused once the keys are fetched again', async (t) => {
    const { host, server, who, wait } = await start(t);
    const next = await hostKey('second');
    const token = await host.sign(fiveMinutesAgo());
    await who(token);
    server.keys = [next.publicKey];
    wait(MAX_AGE_MS - 1);
    const before = await who(token);

    wait(1);
    const people = [await who(await next.sign()), await who(token)];

    assert.deepEqual([before, ...people], ['ada', 'ada', 'nobody']);
  });

  it('and withdraws another has tokens of the withdrawn key refused at once after a reload', async (t) => {
    const { host, server, who, check } = await start(t);
    const next = await hostKey('second');
    const token = await host.sign(fiveMinutesAgo());
    const before = await who(token);
    server.keys = [next.publicKey];

    check.reload({ kind: 'jwks-url', url: server.url });

    assert.deepEqual([before, await who(token), await who(await next.sign())], ['ada', 'nobody', 'ada']);
  });

  it('and withdraws another during the check of a token has that token accepted once, and refused afterwards', async (t) => {
    const { host, server, who, check } = await start(t);
    const [next, token] = [await hostKey('second'), await host.sign()];
    const asked = new Promise<() => void>((resolve) => {
      server.trouble = (response) => resolve(() => response.end(JSON.stringify({ keys: [host.publicKey] })));
    });
    const checking = who(token);
    const answer = await asked;

    check.reload({ kind: 'jwks', jwks: { keys: [next.publicKey] } });
    answer();

    assert.deepEqual([await checking, await who(token)], ['ada', 'nobody']);
  });
});

describe('tokens with an unknown key', () => {
  it('count as refused requests of their address, and log a warning once', async (t) => {
    const { host, check } = await start(t);
    const stranger = await hostKey('made up');
    const levels: string[] = [];
    const { proxy } = openProxy(t, {
      authenticate: check,
      writeLimits: { refusedRequests: 60 },
      log: (level, event) => void (event === 'request failed' && levels.push(level)),
    });
    const ask = async (token: Promise<string>, address: string): Promise<Response> =>
      proxy.fetch(pageRequest('GET', '/v1/session', { token: await token }), { address });

    const first = await ask(stranger.sign(), '203.0.113.9');
    for (let more = 1; more < 60; more += 1) await ask(stranger.sign(), '203.0.113.9');
    const last = await ask(stranger.sign(), '203.0.113.9');

    await expectProblem(first, 'session_unverifiable');
    await expectProblem(last, 'budget_spent');
    assert.equal((await ask(host.sign(), '203.0.113.10')).status, 200);
    assert.deepEqual([levels[0], ...new Set(levels.slice(1))], ['warn', 'info']);
  });

  it('do not count as refused requests while the host’s keys cannot be fetched', async (t) => {
    const { host, server, check } = await start(t);
    const next = await hostKey('second');
    const { proxy } = openProxy(t, { authenticate: check, writeLimits: { refusedRequests: 60 } });
    const ask = async (token: Promise<string>): Promise<number> =>
      (await proxy.fetch(pageRequest('GET', '/v1/session', { token: await token }), { address: '203.0.113.9' })).status;
    breakDown(server);

    const statuses = await Promise.all(Array.from({ length: 100 }, () => ask(next.sign())));

    assert.deepEqual([...new Set(statuses)], [503]);
    assert.ok(host.publicKey);
  });
});

describe('a key URL that fails', () => {
  it('from the start causes session_unverifiable with Retry-After, not a refused session', async (t) => {
    const { host, server, check, clock } = await start(t);
    breakDown(server);
    const { ask, log } = openProxy(t, { authenticate: check });

    const answer = await ask('GET', '/v1/session', { token: await host.sign() });

    const { retryable } = await expectProblem(answer, 'session_unverifiable');
    assert.equal(retryable, true);
    assert.equal(answer.headers.get('Retry-After'), String(RETRY_MS / 1000));
    assert.match(
      log.find(({ event }) => event === 'request failed')?.error ?? '',
      /keys of the host cannot be fetched/,
    );
    server.trouble = undefined;
    clock.jump(RETRY_MS);
    assert.equal((await ask('GET', '/v1/session', { token: await host.sign() })).status, 200);
  });

  it('is requested once for all callers, and not again before the retry time', async (t) => {
    const { host, server, who, wait } = await start(t);
    breakDown(server);
    const token = await host.sign();

    const people = await Promise.all(Array.from({ length: 100 }, () => who(token)));
    wait(RETRY_MS - 1);
    people.push(await who(token));

    assert.deepEqual([...new Set(people)], ['cannot tell']);
    assert.equal(server.asked, 1);
  });

  it('leaves the last keys in use, and is logged', async (t) => {
    const { host, server, who, wait, log } = await start(t);
    await who(await host.sign());
    breakDown(server);
    wait(MAX_AGE_MS);

    const person = await who(await host.sign({ jti: 'token-2' }));

    assert.equal(person, 'ada');
    assert.equal(server.asked, 2);
    assert.deepEqual(log, [{ event: 'host keys cannot be fetched; the last stay', error: 'the host answered 500' }]);
  });

  it('delays one request, and not the next', async (t) => {
    const { host, server, who, wait } = await start(t);
    await who(await host.sign());
    breakDown(server);
    wait(MAX_AGE_MS);
    await who(await host.sign({ jti: 'token-2' }));
    server.trouble = () => undefined;
    wait(COOL_DOWN_MS);

    const person = await who(await host.sign({ jti: 'token-3' }));

    assert.equal(person, 'ada');
  });

  it('for a day makes every token unverifiable, and refuses none', async (t) => {
    const { host, server, who, wait } = await start(t);
    await who(await host.sign());
    breakDown(server);
    wait(STALE_IF_ERROR_MS - 1);
    const before = await who(await host.sign({ jti: 'token-2' }));

    wait(COOL_DOWN_MS);
    const after = await who(await host.sign({ jti: 'token-3' }));

    assert.deepEqual([before, after], ['ada', 'cannot tell']);
  });

  it('makes a token of an unknown key unverifiable, and a forged signature refused', async (t) => {
    const { host, server, who, wait } = await start(t);
    const forger = await hostKey('first');
    await who(await host.sign());
    breakDown(server);
    wait(COOL_DOWN_MS);

    const people = [await who(await (await hostKey('second')).sign()), await who(await forger.sign())];

    assert.deepEqual(people, ['cannot tell', 'nobody']);
  });

  const troubles: readonly (readonly [what: string, trouble: NonNullable<KeyServer['trouble']>, reason: RegExp])[] = [
    [
      'sends us elsewhere',
      (response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/jwks.json' }).end(),
      /answered 302/,
    ],
    ['answers what is no JSON', (response) => response.end('<html>'), /no JWK set/],
    ['answers JSON of another shape', (response) => response.end('{"keys":{}}'), /no JWK set/],
    ['has no key for us', (response) => response.end('{"keys":[{"kty":"RSA"}]}'), /none of them is a whole key of/],
    [
      'has keys that sign nothing we take',
      (response) =>
        response.end(`{"keys":[{"kty":"EC","crv":"P-384","x":"${'x'.repeat(64)}","y":"${'x'.repeat(64)}"}]}`),
      /none of them is a whole key of Ed25519 or P-256/,
    ],
    [
      'gives a private key away',
      (response) => response.end('{"keys":[{"kty":"OKP","crv":"Ed25519","x":"x","d":"d"}]}'),
      /private key/,
    ],
    [
      'answers without an end',
      (response) => void response.end(`{"keys":[]}${' '.repeat(70_000)}`),
      /more than 65536 bytes/,
    ],
    ['hangs up', (response) => response.destroy(), /./],
  ];

  for (const [what, trouble, reason] of troubles) {
    it(`because it ${what} is logged`, async (t) => {
      const { host, server, who, log } = await start(t);
      server.trouble = trouble;

      const person = await who(await host.sign());

      assert.equal(person, 'cannot tell');
      assert.match(log[0]?.error ?? '', reason);
    });
  }

  it('because it does not respond is given up after five seconds', async (t) => {
    const { host, server, who, clock, log } = await start(t);
    const asked = new Promise<void>((resolve) => (server.trouble = () => resolve()));

    const person = who(await host.sign());
    // Its time-out begins before the request leaves.
    await asked;
    await clock.pass(FETCH_TIMEOUT_MS);

    assert.equal(await person, 'cannot tell');
    assert.match(log[0]?.error ?? '', /within 5000 ms/);
  });

  it('leaves the last keys in use after a reload', async (t) => {
    const { host, server, who, check } = await start(t);
    await who(await host.sign());
    breakDown(server);

    check.reload({ kind: 'jwks-url', url: server.url });

    assert.equal(await who(await host.sign({ jti: 'token-2' })), 'ada');
    assert.equal(server.asked, 2);
  });
});

describe('the keys of a host', () => {
  it('are not fetched by plain HTTP from another machine', () => {
    assert.throws(() => open(new URL('http://admin.example.com/jwks.json')), /https/);
  });

  it('are found in a set that also has keys of other types', async (t) => {
    const { host, server, who } = await start(t);
    server.keys = [{ kty: 'RSA', n: 'n', e: 'AQAB', kid: 'first' }, host.publicKey];

    assert.equal(await who(await host.sign()), 'ada');
  });
});

describe('a reload with other keys', () => {
  it('refuses tokens of the old keys at once', async () => {
    const [first, second]: HostKey[] = [await hostKey('first'), await hostKey('second')];
    const { check, who } = open(new URL('https://admin.example.com/jwks.json'));
    check.reload({ kind: 'jwks', jwks: { keys: [first?.publicKey ?? {}] } });
    const token = (await first?.sign()) ?? '';
    const before = await who(token);

    check.reload({ kind: 'jwks', jwks: { keys: [second?.publicKey ?? {}] } });

    assert.deepEqual([before, await who(token), await who((await second?.sign()) ?? '')], ['ada', 'nobody', 'ada']);
  });
});
