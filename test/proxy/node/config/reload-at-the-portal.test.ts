import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { inventoryUpdate, tokenRequest } from '../../../../src/contract/portal.js';
import { listen } from '../../../../src/proxy/node/server/http-server.js';
import { createSandboxPortal } from '../../../../src/sandbox/sandbox-portal.js';
import { deafAddress } from '../../../support/deaf-listener.js';
import { settingFile } from '../../../support/minimal-settings.js';
import { GRANT } from '../../../support/portal-by-profile.js';
import { servePortal, status, type PortalServer, type SeenRequest } from '../../../support/portal-server.js';
import { startProxyProcess, type StartedProxy } from '../../../support/started-proxy.js';
import type { Command } from '../../../support/run-command.js';

/** A rate limit that never delays a call of these tests. */
const NO_LIMIT = { calls_per_second: 1000 };

interface Fixture extends StartedProxy {
  readonly portal: PortalServer;
  readonly profile: string;
  readonly secret: string;
  /** The client secrets of all token requests. */
  readonly secretsSeen: () => string[];
  readonly updatesSeen: () => SeenRequest[];
  /** Makes the portal answer the next update with 401. */
  forgetTokens(): void;
}

async function startBeforePortal(t: TestContext): Promise<Fixture> {
  let forgets = false;
  const portal = await servePortal(t, (response, request) => {
    if (isOfToken(request.url)) {
      GRANT(response, request);
      return;
    }
    status(forgets ? 401 : 200)(response, request);
    forgets = false;
  });
  const profile = settingFile(JSON.stringify({ limits: NO_LIMIT }));
  const secret = settingFile('first-secret');
  const proxy = await startProxyProcess(t, {
    PORTAL_BASE_URL: portal.url,
    PORTAL_PROFILE: profile,
    PORTAL_CLIENT_SECRET: undefined,
    PORTAL_CLIENT_SECRET_FILE: secret,
  });
  return {
    ...proxy,
    portal,
    profile,
    secret,
    secretsSeen: () =>
      portal.seen
        .filter(({ path }) => isOfToken(path))
        .map(({ body }) => tokenRequest.parse(JSON.parse(body)).client_secret),
    updatesSeen: () => portal.seen.filter(({ path }) => !isOfToken(path)),
    forgetTokens: () => (forgets = true),
  };
}

describe('a proxy that gets SIGHUP', { concurrency: 4 }, () => {
  it('calls the portal by the changed profile, and not before', async (t) => {
    const { command, profile, send, updatesSeen } = await startBeforePortal(t);
    await send('kayak', 'sauna');
    await delivered(command, 1);
    const next = {
      update: { method: 'PUT', path: '/v2/stock', headers: { 'X-Shop': 'harbour' } },
      authorization: { header: 'X-Key', prefix: '' },
      limits: { ...NO_LIMIT, items: 1 },
    };
    writeFileSync(profile, JSON.stringify(next));
    await send('tent', 'boat');
    await delivered(command, 2);

    await hangUp(command);
    await send('lamp', 'oven');
    await delivered(command, 3);

    const asBefore = ['POST', '/v1/inventory', 'Bearer token-1', undefined, undefined, 2];
    const asNow = ['PUT', '/v2/stock', undefined, 'token-1', 'harbour', 1];
    assert.deepEqual(
      // A fourth call may have been made by now, because there is one more item.
      updatesSeen()
        .slice(0, 3)
        .map(({ method, path, headers, body }) => [
          method,
          path,
          headers['Authorization'],
          headers['X-Key'],
          headers['X-Shop'],
          inventoryUpdate.parse(JSON.parse(body)).inventory.length,
        ]),
      [asBefore, asBefore, asNow],
    );
  });

  it('uses the changed client secret for the next token, and not before', async (t) => {
    const { command, secret, send, secretsSeen, forgetTokens } = await startBeforePortal(t);
    await send('kayak');
    await delivered(command, 1);
    writeFileSync(secret, 'second-secret');
    forgetTokens();
    await send('sauna');
    await delivered(command, 2);
    const before = secretsSeen();

    await hangUp(command);
    await send('tent');
    await delivered(command, 3);

    assert.deepEqual(before, ['first-secret', 'first-secret']);
    assert.deepEqual(secretsSeen(), [...before, 'second-secret']);
  });

  it('delivers edits that the portal rejected for the previous secret', async (t) => {
    const sandbox = createSandboxPortal({ clientId: 'guest-house', clientSecret: 'second-secret' });
    const portal = await listen((request) => sandbox.fetch(request), { host: '127.0.0.1', port: 0 });
    t.after(() => portal.close());
    const secret = settingFile('first-secret');
    const { command, send } = await startProxyProcess(t, {
      PORTAL_BASE_URL: portal.origin,
      PORTAL_CLIENT_SECRET: undefined,
      PORTAL_CLIENT_SECRET_FILE: secret,
    });
    await send('kayak');
    await command.says(/"reason":"portal_credentials","msg":"delivery is held"/);
    writeFileSync(secret, 'second-secret');

    await hangUp(command);
    await delivered(command, 1);

    await command.says(/"msg":"delivery goes on"/);
    assert.deepEqual(await journalOf(portal.origin), [
      ['token', 401, false],
      ['token', 200, false],
      ['update', 200, true],
    ]);
  });

  it('uses the connection timeout of the changed profile', async (t) => {
    const timeouts = { connect_ms: 600_000, call_ms: 600_000 };
    const profile = settingFile(JSON.stringify({ timeouts }));
    const { command, send } = await startProxyProcess(t, {
      PORTAL_BASE_URL: await deafAddress(t),
      PORTAL_PROFILE: profile,
    });
    writeFileSync(profile, JSON.stringify({ timeouts: { ...timeouts, connect_ms: 100 } }));
    await hangUp(command);

    assert.equal(await send('kayak'), 202);

    // With the old profile the call would fail after ten minutes.
    const [, line = ''] = await command.says(/^(.*"msg":"portal call".*)$/m);
    assert.match(line, /"error":"UND_ERR_CONNECT_TIMEOUT"/);
  });
});

function isOfToken(path = ''): boolean {
  return path === '/v1/oauth/token';
}

async function hangUp(command: Command): Promise<void> {
  command.signal('SIGHUP');
  await command.says(/"msg":"portal settings were read again"/);
}

/** Resolves once that many calls since the start have delivered. */
async function delivered(command: Command, calls: number): Promise<void> {
  await command.says(new RegExp(`(?:"code":"delivered"[^]*){${String(calls)}}`));
}

interface Entry {
  readonly kind: string;
  readonly status: number | null;
  readonly applied: boolean;
}

async function journalOf(origin: string): Promise<(readonly [string, number | null, boolean])[]> {
  const { entries } = (await (await fetch(`${origin}/sandbox/journal`)).json()) as {
    readonly entries: readonly Entry[];
  };
  return entries.map(({ kind, status: answered, applied }) => [kind, answered, applied]);
}
