import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { receipts } from '../../../../src/contract/widget.js';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import { listen } from '../../../../src/proxy/node/server/http-server.js';
import { portalProfile } from '../../../../src/proxy/portal/profile.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import type { JournalEntry } from '../../../../src/sandbox/journal.js';
import { createSandboxPortal } from '../../../../src/sandbox/sandbox-portal.js';
import { openProxy, type OpenProxy } from '../../../support/open-proxy.js';
import { embedToken } from '../../../support/page-request.js';

const CLIENT = { clientId: 'guest-house', clientSecret: 'portal-secret-that-is-not-one' };

export interface OtherPortal {
  readonly proxy: OpenProxy;
  /** @returns the state of each edit once the portal has settled it */
  post(vendor: string, ...ids: readonly string[]): Promise<string[]>;
  misbehave(faults: object): Promise<void>;
  forgetTokens(): Promise<void>;
  journal(): Promise<JournalEntry[]>;
  items(): Promise<string[]>;
}

/** The sandbox portal at a socket, in another variant, and a proxy whose profile describes that variant. */
export async function openOtherPortal(t: TestContext, habits: object, profile: object): Promise<OtherPortal> {
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
