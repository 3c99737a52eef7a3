import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { listing } from '../../../../src/contract/widget.js';
import { goodClaims, signed } from '../../../support/forged-tokens.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import { embedToken, HOST_ORIGIN, SESSION_SECRET } from '../../../support/page-request.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { startProxyProcess } from '../../../support/started-proxy.js';
import { Command } from '../../../support/run-command.js';

interface Running {
  readonly command: Command;
  readonly profile: string;
  readonly items: string;
  readonly secret: string;
  /** The status that a page gets with a token signed with this secret. */
  statusWith(secret: string): Promise<number>;
  ids(): Promise<string[]>;
}

async function startProxy(t: TestContext): Promise<Running> {
  const profile = settingFile('{"timeouts":{"connect_ms":2000}}');
  const secret = settingFile(SESSION_SECRET);
  const items = settingFile('[{"id":"kayak"}]');
  const { command, url } = await startProxyProcess(t, {
    SESSION_SECRET_FILE: secret,
    PORTAL_PROFILE: profile,
    ITEMS_SOURCE: items,
  });
  return {
    command,
    profile,
    items,
    secret,
    async statusWith(sharedSecret) {
      const token = await signed(goodClaims(Math.floor(Date.now() / 1000)), undefined, Buffer.from(sharedSecret));
      const headers = { Origin: HOST_ORIGIN, Authorization: `Bearer ${token}` };
      return (await fetch(`${url}/v1/session`, { headers })).status;
    },
    async ids() {
      const headers = { Origin: HOST_ORIGIN, Authorization: `Bearer ${await embedToken()}` };
      const answer = await fetch(`${url}/v1/inventory`, { headers });
      return listing.parse(await answer.json()).inventory.map(({ id }) => id);
    },
  };
}

describe('a proxy that gets SIGHUP while it starts', () => {
  it('starts, and reloads its settings then', async (t) => {
    const server = await PostgresServer.start();
    t.after(() => server.stop());
    const other = new Client({ connectionString: server.url });
    await other.connect();
    // Another proxy that creates the tables holds this lock. The started proxy waits for it.
    await other.query(`SELECT pg_advisory_lock(hashtextextended('migrate vendor_inventory', 0))`);
    const settings = { ...minimalSettings(), PORT: '0', METRICS_PORT: 'off', DATABASE_URL: server.url };
    const command = new Command(t, ['proxy'], { environment: settings as Record<string, string> });
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    while ((await other.query(waiting)).rows.length === 0) await nextTurn();

    command.signal('SIGHUP');
    await other.end();

    await command.says(/"msg":"proxy listens"/);
    await command.says(/portal settings were read again/);
    command.signal('SIGTERM');
    assert.equal(await command.exitCode(), 0);
  });
});

describe('a proxy that gets SIGHUP', () => {
  it('reloads the profile and the item catalog', async (t) => {
    const { command, items, ids } = await startProxy(t);
    const before = await ids();
    writeFileSync(items, '[{"id":"kayak"},{"id":"sauna"}]');

    command.signal('SIGHUP');
    await command.says(/portal settings were read again/);
    // The first request after a change starts a reload and does not wait for it.
    let after = await ids();
    while (after.length < 2) after = await ids();

    assert.deepEqual([before, after], [['kayak'], ['kayak', 'sauna']]);
  });

  it('reloads the secrets of embed tokens, and keeps the old ones if the new ones are invalid', async (t) => {
    const { command, secret, statusWith } = await startProxy(t);
    const next = 'next-session-secret-of-at-least-32-bytes';
    const before = [await statusWith(SESSION_SECRET), await statusWith(next)];

    writeFileSync(secret, `${next}\n${SESSION_SECRET}\n`);
    command.signal('SIGHUP');
    await command.says(/keys of embed tokens were read again/);
    const meanwhile = [await statusWith(SESSION_SECRET), await statusWith(next)];
    writeFileSync(secret, 'short');
    command.signal('SIGHUP');
    await command.says(/SESSION_SECRET_FILE.*keys of embed tokens are refused; the old ones stay/);

    assert.deepEqual(
      [before, meanwhile],
      [
        [200, 401],
        [200, 200],
      ],
    );
    assert.equal(await statusWith(next), 200);
  });

  it('rejects settings with which it could not start', async (t) => {
    const { command, profile } = await startProxy(t);
    writeFileSync(profile, '{"update":{"path":"/v1/vendors/{vendor}/inventory"}}');

    command.signal('SIGHUP');

    await command.says(/ITEMS_SOURCE must name \{vendor\}.*portal settings are refused; the old ones stay/);
  });

  it('logs the fault of an invalid profile or item catalog, and keeps the previous one', async (t) => {
    const { command, profile, items, ids } = await startProxy(t);
    await ids();
    writeFileSync(profile, '{"timeouts":{"connect_ms":0}}');
    writeFileSync(items, '[{"id":""}]');

    command.signal('SIGHUP');
    await command.says(/PORTAL_PROFILE at \/timeouts\/connect_ms.*the old ones stay/);
    await ids();
    await command.says(/the list is of another shape, at \/inventory\/0\/id.*the list before stays/);

    assert.deepEqual(await ids(), ['kayak']);
  });
});
