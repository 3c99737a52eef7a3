import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { receipts } from '../../../../src/contract/widget.js';
import { nodeListener } from '../../../../src/proxy/node/server/node-listener.js';
import type { Environment } from '../../../../src/proxy/node/config/env-reader.js';
import type { JournalEntry } from '../../../../src/sandbox/journal.js';
import { createSandboxPortal, type SandboxPortal } from '../../../../src/sandbox/sandbox-portal.js';
import { type ForwardProxyServer, openForwardProxy } from '../../../support/forward-proxy.js';
import { hostKey } from '../../../support/host-keys.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import { embedToken, HOST_ORIGIN, pageRequest, PROXY_URL } from '../../../support/page-request.js';
import { DEAD_ADDRESS } from '../../../support/portal-server.js';
import { Command, runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { selfSigned, type SelfSigned } from '../../../support/self-signed.js';
import { addressOf } from '../../../support/serve.js';

/** Only the forward proxy resolves these names, so every request that arrives has passed through it. */
const PORTAL = 'portal.egress.invalid';
const HOST = 'admin.egress.invalid';

const SECRETS = /canary|Y2FuYXJ5/;

interface Network {
  readonly forwardProxy: ForwardProxyServer;
  readonly sandbox: SandboxPortal;
  /** The environment of a process in this network. */
  readonly environment: Environment;
}

/** A portal and a host over https, which can only be reached through a forward proxy. */
async function network(t: TestContext, host: RequestListener = (_, response) => response.end()): Promise<Network> {
  const certificate = selfSigned(PORTAL, HOST);
  const sandbox = createSandboxPortal({ clientId: 'guest-house', clientSecret: 'portal-secret' });
  const forwardProxy = await openForwardProxy(t, {
    [`${PORTAL}:443`]: await serveTls(t, certificate, nodeListener(sandbox)),
    [`${HOST}:443`]: await serveTls(t, certificate, host),
  });
  const environment = {
    ...minimalSettings(),
    PORTAL_BASE_URL: `https://${PORTAL}`,
    NODE_EXTRA_CA_CERTS: settingFile(certificate.cert),
    HTTPS_PROXY: forwardProxy.url.replace('//', '//canary-user:canary%20word@'),
  };
  return { forwardProxy, sandbox, environment };
}

function serveTls(t: TestContext, certificate: SelfSigned, listener: RequestListener): Promise<string> {
  return addressOf(t, createServer(certificate, listener).listen(0, '127.0.0.1'));
}

/**
 * Runs the command as a process, because only a process that starts with NODE_EXTRA_CA_CERTS trusts these certificates.
 */
function start(t: TestContext, args: readonly string[], settings: Environment): Command {
  const environment = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  return new Command(t, args, { environment: environment as Record<string, string> });
}

/** @returns the command, and functions that post an edit and read receipts */
async function startProxy(t: TestContext, settings: Environment) {
  const command = start(t, ['proxy'], {
    ...settings,
    PORT: '0',
    METRICS_PORT: 'off',
    DATABASE_URL: `file:${join(scratchFolder(), 'inventory.sqlite')}`,
    SESSION_ISSUER: HOST_ORIGIN,
    SESSION_AUDIENCE: PROXY_URL,
    PUBLIC_URL: PROXY_URL,
    ALLOWED_ORIGINS: HOST_ORIGIN,
  });
  const [, url = ''] = await command.says(/"address":"(http:[^"]+)","msg":"proxy listens"/);
  const token = await embedToken();
  const updated_at = new Date().toISOString();

  async function ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<string[]> {
    const request = pageRequest(method, path, { token, headers, body });
    const sent = method === 'GET' ? undefined : await request.text();
    const answer = await fetch(url + path, { method, headers: request.headers, ...(sent && { body: sent }) });
    return receipts.parse(await answer.json()).receipts.map(({ state }) => state);
  }

  return {
    command,
    edit: (edit_id: string, wait: number) =>
      ask(
        'POST',
        '/v1/inventory',
        { Prefer: `wait=${String(wait)}` },
        { inventory: [{ id: 'kayak', available: true, updated_at, edit_id }] },
      ),
    states: (...ids: readonly string[]) => ask('GET', `/v1/receipts?ids=${ids.join(',')}`, {}),
  };
}

async function journalOf(sandbox: SandboxPortal): Promise<readonly JournalEntry[]> {
  const answer = await sandbox.fetch(new Request('http://portal.test/sandbox/journal'));
  return ((await answer.json()) as { entries: JournalEntry[] }).entries;
}

describe('a proxy behind a forward proxy', { concurrency: 2 }, () => {
  it('delivers through it, and sends its user and password to no other server', async (t) => {
    const { forwardProxy, sandbox, environment } = await network(t);
    const { command, edit } = await startProxy(t, { ...environment, LOG_LEVEL: 'debug' });

    assert.deepEqual(await edit('one', 10), ['delivered']);

    const authorization = `Basic ${Buffer.from('canary-user:canary word').toString('base64')}`;
    assert.deepEqual(new Set(forwardProxy.asked.map((asked) => asked.target)), new Set([`${PORTAL}:443`]));
    assert.ok(forwardProxy.asked.every((asked) => asked.authorization === authorization));
    const journal = await journalOf(sandbox);
    assert.deepEqual(
      journal.map(({ kind, status }) => [kind, status]),
      [
        ['token', 200],
        ['update', 200],
      ],
    );
    assert.ok(journal.every(({ headers }) => !headers.some((name) => name.startsWith('proxy-'))));
    await command.says(/"address":"127\.0\.0\.1:\d+","msg":"calls leave through a forward proxy"/);
    assert.doesNotMatch(command.stdout + command.stderr, SECRETS);
  });

  it('keeps edits and logs what to change while it refuses, and delivers once it allows the connection', async (t) => {
    const { forwardProxy, sandbox, environment } = await network(t);
    forwardProxy.refuses = 407;
    const { command, edit, states } = await startProxy(t, environment);

    assert.deepEqual(await edit('one', 0), ['received']);
    await command.says(
      /"portal_unreachable","error":"the forward proxy 127\.0\.0\.1:\d+ wants another user or password \(407\): check those in HTTPS_PROXY"/,
    );
    assert.deepEqual(await states('one'), ['received']);
    forwardProxy.refuses = undefined;

    assert.deepEqual(await edit('one', 20), ['delivered']);
    const updates = (await journalOf(sandbox)).filter(({ kind }) => kind === 'update');
    assert.deepEqual(
      updates.map(({ applied, inventory }) => [applied, inventory?.map(({ id }) => id)]),
      [[true, ['kayak']]],
    );
    assert.doesNotMatch(command.stdout + command.stderr, SECRETS);
  });
});

describe('vendor-inventory check behind a forward proxy', { concurrency: 2 }, () => {
  it('prints which servers are called through it: the portal, and the host for keys and items', async (t) => {
    const { publicKey } = await hostKey('one');
    const { environment } = await network(t, ({ url }, response) =>
      response.end(JSON.stringify(url === '/jwks' ? { keys: [publicKey] } : [{ id: 'kayak' }])),
    );

    const command = start(t, ['check'], {
      ...environment,
      SESSION_SECRET_FILE: undefined,
      SESSION_JWKS: `https://${HOST}/jwks`,
      ITEMS_SOURCE: `https://${HOST}/items`,
    });

    assert.equal(await command.exitCode(), 0, command.stdout);
    const printed = command.stdout + command.stderr;
    assert.match(
      printed,
      /^Forward proxy: 127\.0\.0\.1:\d+\. Called through it: admin\.egress\.invalid:443, portal\.egress\.invalid:443;/m,
    );
    assert.match(printed, /^Items: 1 in the list/m);
    assert.match(printed, /^Sign-in: 1 key /m);
    assert.doesNotMatch(printed, SECRETS);
  });

  it('calls the hosts of NO_PROXY directly', async (t) => {
    const { forwardProxy, environment } = await network(t);

    // A DNS server may take long to answer.
    const PORTAL_PROFILE = settingFile('{"timeouts":{"connect_ms":60000,"call_ms":60000}}');

    const { printed } = await runCommand(['check'], { ...environment, PORTAL_PROFILE, NO_PROXY: ' .egress.invalid ' });

    assert.deepEqual(forwardProxy.asked, []);
    assert.match(printed, /^Forward proxy: 127\.0\.0\.1:\d+\. Called through it: none;/m);
    assert.match(printed, /^Token with the first secret: failed \(E(?:NOTFOUND|AI_AGAIN): .* Check PORTAL_BASE_URL/m);
  });

  const rejections: readonly (readonly [what: string, status: number, says: RegExp])[] = [
    ['wants credentials', 407, /wants another user or password \(407\): check those in HTTPS_PROXY\)\.$/m],
    [
      'forbids the portal',
      403,
      /does not let us through to portal\.egress\.invalid:443 \(403\): have it allow that host, or name the host in NO_PROXY\)\.$/m,
    ],
    ['does not find the portal', 502, /does not reach portal\.egress\.invalid:443 \(502\): check that address/],
  ];
  for (const [what, status, says] of rejections) {
    it(`prints what to change if it ${what}, and exits with 1`, async (t) => {
      const { forwardProxy, environment } = await network(t);
      forwardProxy.refuses = status;

      const { code, printed } = await runCommand(['check'], environment);

      assert.equal(code, 1);
      assert.match(printed, says);
      assert.match(printed, /^Token with the first secret: failed \(the forward proxy 127\.0\.0\.1:\d+ /m);
      assert.doesNotMatch(printed, SECRETS);
    });
  }

  it('prints that nothing listens if it is down, and exits with 1', async (t) => {
    const { environment } = await network(t);
    const dead = DEAD_ADDRESS.replace('//', '//canary:canary@');

    const { code, printed } = await runCommand(['check'], {
      ...environment,
      HTTPS_PROXY: undefined,
      https_proxy: dead,
    });

    assert.equal(code, 1);
    assert.match(
      printed,
      /: failed \(the forward proxy 127\.0\.0\.1:\d+ cannot be used \(ECONNREFUSED: nothing listens at this address\): check https_proxy, and whether it runs\)\.$/m,
    );
    assert.doesNotMatch(printed, SECRETS);
  });

  it('prints that the certificate of the portal is not trusted, and exits with 1', async (t) => {
    const { environment } = await network(t);

    const { code, printed } = await runCommand(['check'], { ...environment, NODE_EXTRA_CA_CERTS: undefined });

    assert.equal(code, 1);
    assert.match(printed, /failed \(DEPTH_ZERO_SELF_SIGNED_CERT: its certificate is not one .* Check PORTAL_BASE_URL/);
  });
});
