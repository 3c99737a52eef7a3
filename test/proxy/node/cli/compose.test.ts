import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { receipts } from '../../../../src/contract/widget.js';
import { signEmbedToken } from '../../../../src/proxy/access/sign-embed-token.js';
import { readProxyConfig } from '../../../../src/proxy/node/config/proxy-config.js';
import { SETTINGS } from '../../../../src/proxy/node/config/settings.js';
import { scriptFolder } from '../../../support/minimal-settings.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { Command } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const POLL_MS = 50;
const FOLDER = 'src/proxy/node/operating';
const compose = readFileSync(join(FOLDER, 'compose.yml'), 'utf8');

describe('compose.yml', () => {
  const { folder, password } = prepare();
  const environment = environmentOf('proxy');

  it('sets only settings that exist', () => {
    const known = SETTINGS.flatMap(({ settings }) => settings.flatMap(({ names }) => names));

    assert.deepEqual(
      Object.keys(environment).filter((name) => !known.includes(name)),
      [],
    );
  });

  it('gives the proxy valid settings', () => {
    const settings = readProxyConfig({ ...environment, WIDGET_DIR: scriptFolder() });

    assert.equal(settings.database.kind, 'postgres');
    assert.equal(settings.portal.account.baseUrl, 'http://localhost:8081');
  });

  it('runs the sandbox portal at the URL that the proxy calls', () => {
    assert.equal(environment['PORTAL_BASE_URL'], `http://localhost:${environmentOf('portal')['PORT'] ?? ''}`);
    assert.match(serviceOf('portal'), /^ {4}network_mode: service:proxy$/m);
  });

  it('refers only to services, secrets and volumes that it defines', () => {
    const has = (section: string): string[] =>
      [
        ...(new RegExp(`^${section}:\\n((?: {2,}.*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '').matchAll(/^ {2}(\w+):/gm),
      ].map(([, name = '']) => name);
    const services = has('services');
    const text = services.map(serviceOf).join('\n');

    assert.deepEqual(services, ['proxy', 'portal', 'database', 'gateway']);
    for (const [, name = ''] of text.matchAll(/(?:service:|@)(\w+)/g)) assert.ok(services.includes(name), name);
    for (const [, name = ''] of text.matchAll(/depends_on:\s+(\w+):/g)) assert.ok(services.includes(name), name);
    for (const [, names = ''] of text.matchAll(/secrets: \[(.*)\]/g))
      assert.deepEqual(names.split(', '), has('secrets'));
    for (const [, name = ''] of text.matchAll(/\b(\w+):\/(?:var|data)/g))
      assert.ok(has('volumes').includes(name), name);
  });

  it('has a gateway that calls the port of the proxy from a network that the proxy trusts', () => {
    const [, host, port] = /reverse_proxy (\w+):(\d+)/.exec(readFileSync(join(FOLDER, 'Caddyfile'), 'utf8')) ?? [];
    const setting = SETTINGS.flatMap(({ settings }) => settings).find(({ names }) => names.includes('PORT'));

    assert.deepEqual([host, port], ['proxy', environment['PORT'] ?? setting?.fallback]);
    assert.match(compose, new RegExp(`subnet: ${environment['TRUSTED_PROXIES'] ?? 'none'}\n`));
    assert.match(readFileSync(join(FOLDER, 'Dockerfile'), 'utf8'), new RegExp(`^EXPOSE .*\\b${port ?? ''}\\b`, 'm'));
  });

  it('delivers an edit to its portal, with its settings but without containers', async (t) => {
    const database = await PostgresServer.start();
    t.after(() => database.stop());
    const own = { HOST: '127.0.0.1', PORT: '0', METRICS_PORT: 'off' };
    const sandbox = new Command(t, ['sandbox'], { environment: { ...environmentOf('portal'), ...own } });
    const [, portal = ''] = await sandbox.says(/listens on (http:\S+)/);
    const proxy = new Command(t, ['proxy'], {
      environment: { ...environment, ...own, PORTAL_BASE_URL: portal, DATABASE_URL: database.url },
    });
    const [, address = ''] = await proxy.says(/"address":"(http:[^"]+)","msg":"proxy listens"/);
    const origin = environment['ALLOWED_ORIGINS'] ?? '';
    const token = await signEmbedToken(readFileSync(join(folder, 'secrets/session'), 'utf8').trim(), {
      issuer: environment['SESSION_ISSUER'] ?? '',
      audience: environment['PUBLIC_URL'] ?? '',
      origin,
      subject: 'ada',
      vendor: 'boat-tours',
      permissions: ['view', 'edit'],
    });

    const answer = await fetch(`${address}/v1/inventory`, {
      method: 'POST',
      headers: {
        Origin: origin,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'X-Requested-With': 'inventory-widget',
        'Idempotency-Key': 'key-1',
        Prefer: 'wait=10',
      },
      body: '{"inventory":[{"id":"kayak","available":false,"updated_at":"2026-11-21T08:30:00.000Z"}]}',
    });

    assert.ok([200, 202].includes(answer.status), await answer.clone().text());
    assert.equal(receipts.parse(await answer.json()).receipts.length, 1);
    while (!(await (await fetch(`${portal}/sandbox/items`)).text()).includes('kayak')) await wait(POLL_MS);
  });

  it('keeps the password of PostgreSQL over restarts', () => {
    assert.match(password, /^[0-9a-f]{32}$/);
    assert.match(
      compose,
      /^# +docker compose --env-file secrets\/compose\.env -f src\/proxy\/node\/operating\/compose\.yml up/m,
    );
  });

  /** Runs the set-up commands of its first comment. Node makes the random numbers in place of `openssl`. */
  function prepare(): { readonly folder: string; readonly password: string } {
    const target = scratchFolder();
    const commands = [...compose.matchAll(/^# {3}(mkdir|echo)(.*)$/gm)].map(([, program = '', rest = '']) =>
      (program + rest)
        .replace(/\$\(openssl rand -hex (\d+)\)/g, (_, bytes) => hex(Number(bytes)))
        .replace(/openssl rand -hex (\d+)/g, (_, bytes) => `echo ${hex(Number(bytes))}`),
    );
    assert.equal(commands.length, 2);
    for (const command of commands) execFileSync('sh', ['-c', command], { cwd: target });
    const [, found = ''] =
      /^POSTGRES_PASSWORD=(.*)$/m.exec(readFileSync(join(target, 'secrets/compose.env'), 'utf8')) ?? [];
    return { folder: target, password: found };
  }

  function hex(bytes: number): string {
    return randomBytes(bytes).toString('hex');
  }

  /** The environment of a service, with the password and with the paths of the secrets outside a container. */
  function environmentOf(name: string): Readonly<Record<string, string>> {
    const block = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(serviceOf(name))?.[1] ?? '';
    return Object.fromEntries(
      [...block.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, variable = '', value = '']) => [
        variable,
        value
          .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
          .replace(/\$\{POSTGRES_PASSWORD:\?\}/g, password)
          .replace('/run/secrets', join(folder, 'secrets')),
      ]),
    );
  }
});

function serviceOf(name: string): string {
  return new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '';
}
