import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { systemClock } from '../../../src/proxy/clock.js';
import { listen } from '../../../src/proxy/node/listen.js';
import { portalProfile } from '../../../src/proxy/profile.js';
import { Secret } from '../../../src/proxy/secret.js';
import type { JournalEntry } from '../../../src/sandbox/journal.js';
import { createSandboxPortal } from '../../../src/sandbox/sandbox-portal.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

/** Each of these portals is the sandbox at a socket, with other habits; the proxy before it is told of them by its profile. */
const CLIENT = { clientId: 'guest-house', clientSecret: 'portal-secret-that-is-not-one' };

interface Stand {
  readonly proxy: OpenProxy;
  /** @returns the state of each edit once the portal has settled it */
  post(vendor: string, ...ids: readonly string[]): Promise<string[]>;
  misbehave(faults: object): Promise<void>;
  forgetTokens(): Promise<void>;
  journal(): Promise<JournalEntry[]>;
  items(): Promise<string[]>;
}

async function stand(t: TestContext, habits: object, profile: object): Promise<Stand> {
  const sandbox = createSandboxPortal(CLIENT);
  const server = await listen((request) => sandbox.fetch(request), { host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const put = async (what: string, body: object, method = 'PUT'): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${baseUrl}/sandbox/${what}`, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.ok);
  };
  const read = async <T>(what: string): Promise<T> => (await (await fetch(`${baseUrl}/sandbox/${what}`)).json()) as T;
  await put('habits', habits);
  const credentials = [{ clientId: CLIENT.clientId, clientSecret: new Secret(CLIENT.clientSecret) }];
  const proxy = openProxy(t, {
    portal: { baseUrl, credentials },
    profile: portalProfile.parse({ limits: { calls_per_second: 100 }, ...profile }),
    fetch,
    clock: systemClock,
  });
  proxy.proxy.start();
  return {
    proxy,
    async post(vendor, ...ids) {
      const inventory = ids.map((id) => ({ id, available: true, updated_at: new Date().toISOString() }));
      const token = await embedToken({ vendor });
      const answer = await proxy.ask('POST', '/v1/inventory', {
        token,
        body: { inventory },
        headers: { Prefer: 'wait=10' },
      });
      assert.equal(answer.status, 200, 'all are settled');
      return receipts.parse(await answer.json()).receipts.map(({ state }) => state);
    },
    misbehave: (faults) => put('faults', faults),
    forgetTokens: () => put('expire-tokens', {}, 'POST'),
    journal: async () => (await read<{ entries: JournalEntry[] }>('journal')).entries,
    items: async () => (await read<{ items: { id: string }[] }>('items')).items.map(({ id }) => id),
  };
}

describe('a portal that wants its token request as a form, and the token in a header of its own', () => {
  it('gets both', async (t) => {
    const { post, journal, items } = await stand(
      t,
      { token_body: 'form', token_header: 'X-Portal-Token', token_prefix: '' },
      { token: { body: 'form' }, authorization: { header: 'X-Portal-Token', prefix: '' } },
    );

    const states = await post('boat-tours', 'kayak', 'canoe');

    assert.deepEqual(states, ['delivered', 'delivered']);
    assert.deepEqual(await items(), ['kayak', 'canoe']);
    const [token, update] = await journal();
    assert.equal(token?.content_type, 'application/x-www-form-urlencoded');
    assert.deepEqual(
      [update?.headers.includes('x-portal-token'), update?.headers.includes('authorization')],
      [true, false],
    );
  });
});

describe('a portal with the vendor in its path', () => {
  it('gets each vendor’s edits at that vendor’s address', async (t) => {
    const { post, journal } = await stand(
      t,
      { update_path: '/v1/vendors/{vendor}/inventory', update_method: 'PATCH' },
      { update: { path: '/v1/vendors/{vendor}/inventory', method: 'PATCH' } },
    );

    const states = [await post('boat-tours', 'kayak'), await post('pottery/../admin', 'vase')];

    assert.deepEqual(states, [['delivered'], ['delivered']]);
    const updates = (await journal()).filter(({ kind }) => kind === 'update');
    assert.deepEqual(
      updates.map(({ method, path, inventory }) => [method, path, inventory?.map(({ id }) => String(id))]),
      [
        ['PATCH', '/v1/vendors/boat-tours/inventory', ['kayak']],
        ['PATCH', '/v1/vendors/pottery%2F..%2Fadmin/inventory', ['vase']],
      ],
    );
  });
});

describe('a portal that answers for each item with 207', () => {
  it('has the good ones, in one call, and the bad one waits for a person', async (t) => {
    const { post, journal, items, misbehave } = await stand(t, { results: 'each' }, {});
    await post('boat-tours', 'sauna');
    await misbehave({ refuse_items: ['canoe'] });

    const states = await post('boat-tours', 'kayak', 'canoe', 'raft');

    assert.deepEqual(states, ['delivered', 'refused', 'delivered']);
    assert.deepEqual(await items(), ['sauna', 'kayak', 'raft']);
    assert.equal((await journal()).filter(({ kind }) => kind === 'update').length, 2);
  });
});

describe('a portal that says what is wrong', () => {
  const words = [
    ['problem', '422 about:blank'],
    ['error_message', '422 UNPROCESSABLE_CONTENT'],
  ] as const;

  for (const [errors, code] of words) {
    it(`as ${errors} is understood: the bad item is found, and the operator reads why`, async (t) => {
      const { post, items, misbehave, proxy } = await stand(t, { errors }, {});
      await post('boat-tours', 'sauna');
      await misbehave({ refuse_items: ['canoe'] });

      const states = await post('boat-tours', 'kayak', 'canoe');

      assert.deepEqual(states, ['delivered', 'refused']);
      assert.deepEqual(await items(), ['sauna', 'kayak']);
      const calls = proxy.log.filter(({ event, code: outcome }) => event === 'portal call' && outcome === 'refused');
      assert.deepEqual(
        calls.map(({ reason, portal_said }) => [reason, portal_said]),
        [
          [code, 'Nothing of this update was applied.'],
          [code, 'Nothing of this update was applied.'],
        ],
      );
    });
  }
});

describe('a portal that answers 200 to everything', () => {
  const profile = {
    success: { status: '/success' },
    errors: [{ code: '/code', message: '/message' }],
  };

  it('has the good item, the bad one waits for a person, and the operator reads why', async (t) => {
    const { post, items, misbehave, proxy } = await stand(t, { errors: 'in_success' }, profile);
    await post('boat-tours', 'sauna');
    await misbehave({ refuse_items: ['canoe'] });

    const states = await post('boat-tours', 'kayak', 'canoe');

    assert.deepEqual(states, ['delivered', 'refused']);
    assert.deepEqual(await items(), ['sauna', 'kayak']);
    const [refusal] = proxy.log.filter(({ event, code }) => event === 'portal call' && code === 'refused');
    assert.equal(refusal?.portal_said, 'Nothing of this update was applied.');
    assert.equal(refusal?.reason, '200 422');
  });

  it('gets what came while it was down, once it is back, and a new token for one that it has forgotten', async (t) => {
    const { post, journal, items, misbehave, forgetTokens } = await stand(t, { errors: 'in_success' }, profile);
    await misbehave({ down: true });
    const waiting = post('boat-tours', 'kayak');
    while (!(await journal()).some(({ fault }) => fault === 'down'));
    await misbehave({});
    const first = await waiting;
    await forgetTokens();

    const second = await post('boat-tours', 'canoe');

    assert.deepEqual([...first, ...second], ['delivered', 'delivered']);
    assert.deepEqual(await items(), ['kayak', 'canoe']);
  });
});
