import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import {
  openPostgresOutbox,
  type PostgresOutbox,
} from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { StorageFailed } from '../../../../src/proxy/outbox/outbox.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import {
  createTokenCache,
  InvalidCredentials,
  TokenPending,
  type PortalToken,
  type TokenCache,
  type TokenGrant,
} from '../../../../src/proxy/portal/token-cache.js';
import { CREDENTIALS_PAUSE_MS } from '../../../../src/proxy/portal/token-store.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { describeTokenStore } from '../../portal/token-store-contract.js';

const ABOUT = '["https://portal.example.com","guest-house",[]]';
/** Longer than a call takes on a busy machine, so that no claim expires before the test wants it. */
const CALL_MS = 120_000;
/** The time by which a claim outlasts the timeout of a call. */
const MARGIN_MS = 1_000;
const server = await PostgresServer.start();
after(() => server.stop());

/** A portal that accepts only its newest token, and counts token requests. */
class NewestOnly {
  requests = 0;
  alive = '';
  answer: () => Promise<TokenGrant> = () => this.issue();

  issue(): Promise<TokenGrant> {
    this.alive = `canary-token-${this.requests}`;
    return Promise.resolve({ accessToken: this.alive, expiresIn: 3600 });
  }

  readonly request = async (): Promise<TokenGrant> => {
    this.requests += 1;
    const { answer } = this;
    await sleep(5);
    return answer();
  };
}

interface Instance {
  readonly outbox: PostgresOutbox;
  readonly cache: TokenCache;
  /** Gets a token as delivery does: tries again while another process requests one. */
  get(): Promise<PortalToken>;
  /** Uses the token once. @returns how many 401 answers came before that */
  use(): Promise<number>;
  /** Sets the clock of this process ahead. */
  jump(milliseconds: number): void;
}

async function openInstance(
  schema: string,
  portal: NewestOnly,
  { secret = 'portal-secret', callMs }: { readonly secret?: string; readonly callMs?: number } = {},
): Promise<Instance> {
  const outbox = await openPostgresOutbox(server.url, { schema });
  let ahead = 0;
  const cache = createTokenCache({
    requests: [portal.request],
    fallbackLifetimeSeconds: 300,
    renewalMarginSeconds: 60,
    store: outbox.shareToken({ about: ABOUT, clientSecret: new Secret(secret) }),
    ...(callMs !== undefined && { callMs }),
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + ahead },
    random: Math.random,
  });
  const get = async (): Promise<PortalToken> => {
    for (;;) {
      try {
        return await cache.get();
      } catch (error) {
        if (!(error instanceof TokenPending)) throw error;
      }
    }
  };
  return {
    outbox,
    cache,
    get,
    async use() {
      for (let refused = 0; ; refused += 1) {
        const { value, generation } = await get();
        if (value.reveal() === portal.alive) return refused;
        cache.invalidate(generation);
      }
    },
    jump: (milliseconds) => (ahead += milliseconds),
  };
}

function test(
  title: string,
  body: (three: readonly Instance[], portal: NewestOnly, schema: string) => Promise<void>,
  options: { readonly callMs?: number } = {},
): void {
  it(title, async () => {
    const schema = server.newSchema();
    const portal = new NewestOnly();
    const three = await Promise.all([1, 2, 3].map(() => openInstance(schema, portal, options)));
    try {
      await body(three, portal, schema);
    } finally {
      await Promise.all(three.map(({ outbox }) => outbox.close()));
    }
  });
}

describeTokenStore('in PostgreSQL', async () => {
  const schema = server.newSchema();
  const outboxes = await Promise.all([1, 2].map(() => openPostgresOutbox(server.url, { schema })));
  const [one, other] = outboxes.map(({ shareToken }) => shareToken({ about: ABOUT, clientSecret: new Secret('s') }));
  assert.ok(one && other);
  return { one, other, close: async () => void (await Promise.all(outboxes.map((outbox) => outbox.close()))) };
});

describe('three proxies on one PostgreSQL', () => {
  test('make one token request for 1,000 calls at once', async (three, portal) => {
    const calls = three.flatMap(({ get }, at) => Array.from({ length: at === 0 ? 334 : 333 }, () => get()));

    const tokens = await Promise.all(calls);

    assert.equal(portal.requests, 1);
    assert.deepEqual(new Set(tokens.map(({ value }) => value.reveal())), new Set(['canary-token-1']));
  });

  test('make one token request for each token that the portal invalidates', async (three, portal) => {
    const rounds = 10;
    await Promise.all(three.map(({ use }) => use()));
    let refused = 0;

    for (let round = 0; round < rounds; round += 1) {
      portal.alive = '';
      const counts = await Promise.all([...three, ...three, ...three].map(({ use }) => use()));
      refused += counts.reduce((sum, count) => sum + count);
    }

    assert.equal(portal.requests, 1 + rounds);
    assert.equal(refused, rounds * 9);
  });

  test('share a token with an unlimited lifetime', async (three, portal) => {
    portal.answer = async () => ({ ...(await portal.issue()), expiresIn: Number.MAX_VALUE });

    for (const { use } of three) await use();

    assert.equal(portal.requests, 1);
  });

  test('make one token request for the renewal before the expiry', async (three, portal) => {
    await Promise.all(three.map(({ use }) => use()));
    for (const instance of three) instance.jump(3_000_000);

    await Promise.all(three.map(({ cache }) => cache.get()));
    while (portal.requests < 2) await sleep(5);
    await Promise.all(three.map(({ use }) => use()));

    assert.equal(portal.requests, 2);
  });

  test('make no token request while the credentials are rejected, and one after the pause', async (three, portal, schema) => {
    portal.answer = () => Promise.reject(new InvalidCredentials('the portal refused the token request'));
    const refused = await Promise.allSettled(three.map(({ get }) => get()));
    await Promise.allSettled(three.map(({ get }) => get()));
    const first = portal.requests;

    portal.answer = () => portal.issue();
    await server.query(`UPDATE ${schema}.portal_token SET refused_until = 0`);
    const early = await Promise.allSettled(three.map(({ get }) => get()));
    for (const instance of three) instance.jump(CREDENTIALS_PAUSE_MS);
    await Promise.all(three.map(({ use }) => use()));

    assert.equal(first, 1);
    for (const one of [...refused, ...early]) {
      assert.ok(one.status === 'rejected' && one.reason instanceof InvalidCredentials);
    }
    assert.equal(portal.requests, 2);
  });

  test(
    'replace the token request of one that was killed, whose late response is ignored',
    async ([killed, ...others], portal, schema) => {
      let answer: (grant: TokenGrant) => void = () => undefined;
      portal.answer = () => new Promise((resolve) => (answer = resolve));
      const late = killed?.cache.get();
      while (portal.requests === 0) await sleep(5);
      portal.answer = () => portal.issue();

      const early = Promise.allSettled(others.map(({ cache }) => cache.get()));
      for (const other of others) other.jump(CALL_MS / 2);
      const waited = await early;
      // On the clock of the database, the time of the claim passes.
      await server.query(
        `UPDATE ${schema}.portal_token SET leased_until = leased_until - ${String(CALL_MS + MARGIN_MS)}`,
      );
      const tokens = await Promise.all(others.map(({ get }) => get()));
      answer({ accessToken: 'a token that the portal has ended', expiresIn: 3600 });

      for (const one of waited) assert.ok(one.status === 'rejected' && one.reason instanceof TokenPending);
      assert.equal(portal.requests, 2);
      assert.deepEqual(
        tokens.map(({ value }) => value.reveal()),
        [portal.alive, portal.alive],
      );
      assert.equal((await late)?.value.reveal(), portal.alive);
    },
    { callMs: CALL_MS },
  );

  test('use a cached token while the database is down', async (three, portal) => {
    const [one, other] = three;
    await one?.use();
    await server.restart(async () => {
      await one?.use();
      await assert.rejects(other?.cache.get() ?? Promise.resolve(), StorageFailed);
    });

    await other?.use();

    assert.equal(portal.requests, 1);
  });

  test('request a token for another client secret, and keep the one of the old secret', async ([
    one,
  ], portal, schema) => {
    await one?.use();
    const rotated = await openInstance(schema, portal, { secret: 'portal-secret-2' });

    await rotated.use();
    await rotated.outbox.close();

    assert.equal(portal.requests, 2);
    assert.equal((await one?.cache.get())?.value.reveal(), 'canary-token-1');
  });

  test('store no token in plain text in any table', async (three, portal, schema) => {
    await Promise.all(three.map(({ use }) => use()));
    const canary = Buffer.from(portal.alive);
    const tables = await server.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1`,
      schema,
    );

    const written: string[] = [];
    for (const { name } of tables) {
      for (const { row } of await server.query<{ row: string }>(`SELECT t::text AS row FROM ${schema}.${name} t`)) {
        written.push(row);
      }
    }

    const sealed = await server.query<{ sealed: Buffer }>(`SELECT sealed FROM ${schema}.portal_token`);
    assert.ok(tables.length > 5 && written.length > 1);
    assert.ok((sealed[0]?.sealed.length ?? 0) > canary.length);
    // At any alignment, Base64 encodes the middle of the text in one of three ways.
    const middles = [0, 1, 2].map((shift) => Buffer.from(canary.subarray(shift)).toString('base64').slice(0, 12));
    for (const form of [canary.toString(), canary.toString('hex'), 'portal-secret', ...middles]) {
      assert.ok(!written.some((row) => row.includes(form)), form);
      assert.ok(!sealed.some((row) => row.sealed.includes(form)), form);
    }
  });
});
