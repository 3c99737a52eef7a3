import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { VERSION } from '../../../../src/contract/version.js';
import { receipts } from '../../../../src/contract/widget.js';
import { LOG_FIELDS } from '../../../../src/proxy/runtime/log.js';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { listen, originOf } from '../../../../src/proxy/node/server/http-server.js';
import { createSandboxPortal } from '../../../../src/sandbox/sandbox-portal.js';
import { freePort } from '../../../journeys/free-port.js';
import { scriptFolder } from '../../../support/minimal-settings.js';
import { embedToken, HOST_ORIGIN, pageRequest, PROXY_URL, SESSION_SECRET } from '../../../support/page-request.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { Command, runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const PORTAL_SECRET = 'canary-of-the-portal-secret';
/** The fields that a log line may have. */
const ALLOWED_FIELDS = new Set<string>(['level', 'time', 'msg', ...LOG_FIELDS]);
const STACK = /^\s+at .+:\d+:\d+/m;

describe('vendor-inventory', { concurrency: 4 }, () => {
  for (const args of [
    ['--help'],
    ['-h'],
    ['help'],
    ['proxy', '--help'],
    ['check', '-h'],
    ['edits', 'retry', '--help'],
  ]) {
    it(`prints its usage: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runCommand(args);

      assert.equal(code, 0);
      assert.match(stdout, /^Usage: vendor-inventory COMMAND\n[^]*\bproxy\b[^]*\bsandbox\b/);
      assert.equal(stderr, '');
    });
  }

  it('lists the settings: proxy --help', async () => {
    const { code, stdout } = await runCommand(['proxy', '--help']);

    assert.equal(code, 0);
    assert.match(stdout, /^ {2}PORTAL_BASE_URL \(required\)\n {6}base address of the portal/m);
    assert.match(stdout, /^ {2}LOG_LEVEL \(info\)\n/m);
  });

  it('prints its version', async () => {
    const { code, stdout, stderr } = await runCommand(['--version']);

    assert.deepEqual([code, stdout, stderr], [0, `${VERSION}\n`, '']);
  });

  for (const args of [[], ['deliver'], ['proxy', 'now'], ['constructor'], ['--version', 'now']]) {
    it(`prints its usage and exits with 64 for the arguments "${args.join(' ')}"`, async () => {
      const { code, stdout, stderr } = await runCommand(args);

      assert.equal(code, 64);
      assert.match(stderr, /^Usage: vendor-inventory COMMAND\n/);
      assert.equal(stdout, '');
    });
  }

  it('prints to stdout or stderr of its process and exits with its code', async (t) => {
    const [right, wrong] = [new Command(t, ['--help']), new Command(t, ['deliver'])];

    assert.deepEqual([await right.exitCode(), await wrong.exitCode()], [0, 64]);
    assert.equal(right.stdout, wrong.stderr);
    assert.match(right.stdout, /^Usage: vendor-inventory COMMAND\n/);
    assert.deepEqual([right.stderr, wrong.stdout], ['', '']);
  });

  it('exits with 0 if the reader of its output has closed the pipe', async (t) => {
    const command = new Command(t, ['proxy', '--help']);
    command.stopReading();

    assert.equal(await command.exitCode(), 0);
    assert.equal(command.stderr, '');
  });

  for (const args of [
    ['check', '--unavailable'],
    ['check', '--vendor', 'pottery'],
  ]) {
    it(`prints which options belong together and exits with 64: "${args.join(' ')}"`, async () => {
      const { code, stdout, stderr } = await runCommand(args);

      assert.equal(code, 64);
      assert.match(stderr, /^check takes: \[--send ID \[--unavailable\] \[--vendor NAME\] /);
      assert.equal(stdout, '');
    });
  }

  for (const version of ['20.11.1', '22.12.0', '8.17.0']) {
    it(`prints one line and exits with 1 on Node ${version}, which is too old`, async (t) => {
      const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

      const command = new Command(t, ['--help'], { node: ['--import', `data:text/javascript,${versions}`] });

      assert.equal(await command.exitCode(), 1);
      assert.equal(command.stderr, `vendor-inventory needs Node.js 22.13 or newer; this is ${version}\n`);
      assert.equal(command.stdout, '');
    });
  }

  it('runs on the oldest supported Node', async (t) => {
    const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.13.0'}})`;

    const command = new Command(t, ['--help'], { node: ['--import', `data:text/javascript,${versions}`] });

    assert.equal(await command.exitCode(), 0);
  });
});

describe('vendor-inventory proxy', { concurrency: 4 }, () => {
  it('prints every invalid setting, a line each, and exits with 78', async (t) => {
    const command = new Command(t, ['proxy'], {
      environment: { PORTAL_CLIENT_SECRET: PORTAL_SECRET, PORT: 'http', ALLOWED_ORIGINS: '*' },
    });

    assert.equal(await command.exitCode(), 78);
    const lines = command.stderr.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => /[A-Z_]{4,}/.exec(line)?.[0]),
      ['PORT', 'PORTAL_BASE_URL', 'PORTAL_CLIENT_ID', 'ALLOWED_ORIGINS', 'SESSION_SECRET_FILE', 'SESSION_ISSUER'],
    );
    assert.equal(command.stdout, '');
    assert.doesNotMatch(command.stderr, /canary/);
  });

  const failures: readonly (readonly [
    what: string,
    changes: (t: TestContext) => Promise<object> | object,
    line: RegExp,
  ])[] = [
    [
      'its port is taken',
      async (t) => ({ PORT: String(await takenPort(t)) }),
      /^port \d+ is taken; set another one\n$/,
    ],
    ['its address is not on this machine', () => ({ HOST: '192.0.2.1' }), /^cannot listen on 192\.0\.2\.1:0: .+\n$/],
    [
      'the folder of its file is missing',
      () => ({ DATABASE_URL: 'file:/nowhere/x.sqlite' }),
      /^\/nowhere\/x\.sqlite.+\n$/,
    ],
    ['its file is damaged', () => ({ DATABASE_URL: `file:${damagedFile()}` }), /is damaged or no SQLite database.+\n$/],
  ];

  for (const [what, changes, line] of failures) {
    it(`prints one line if ${what}, and exits with 1`, async (t) => {
      const command = new Command(t, ['proxy'], { environment: { ...settings(), ...(await changes(t)) } });

      assert.equal(await command.exitCode(), 1);
      assert.match(command.stderr, line);
      assert.equal(command.stderr.split('\n').length, 2);
      assert.doesNotMatch(command.stderr, STACK);
    });
  }

  it('exits with 1 if its port is taken while it has connections to PostgreSQL', async (t) => {
    const server = await PostgresServer.start();
    t.after(() => server.stop());
    const changes = { DATABASE_URL: server.url, PORT: String(await takenPort(t)) };
    const command = new Command(t, ['proxy'], { environment: { ...settings(), ...changes } });

    assert.equal(await command.exitCode(), 1);
    assert.match(command.stderr, /^port \d+ is taken; set another one\n$/);
  });

  it('logs what its start waits for, and exits at once at SIGTERM', async (t) => {
    const server = await PostgresServer.start();
    t.after(() => server.stop());
    const other = new Client(server.url);
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(hashtextextended('migrate vendor_inventory', 0))`);
    const command = new Command(t, ['proxy'], { environment: { ...settings(), DATABASE_URL: server.url } });
    await command.says(/"msg":"another process creates the tables; waiting for it"/);

    command.signal('SIGTERM');

    // It would exit with 1 if it waited until the time limit of a stop.
    assert.equal(await command.exitCode(), 0);
    assert.equal(command.stderr, '');
    await other.end();
  });

  it('creates its database files and its socket without access for other users', async (t) => {
    const environment = settings();
    const folder = dirname((environment['DATABASE_URL'] ?? '').replace(/^file:/, ''));

    await new Command(t, ['proxy'], { environment }).says(/proxy listens/);

    const files = readdirSync(folder).filter((name) => name.includes('.sqlite'));
    assert.ok(files.length >= 3, files.join(' '));
    for (const name of files) assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
  });

  it('warns if other users can read or write the file of the database', async (t) => {
    const environment = settings();
    const path = (environment['DATABASE_URL'] ?? '').replace(/^file:/, '');
    await openSqliteOutbox(path).close();
    chmodSync(path, 0o644);

    const [line] = await new Command(t, ['proxy'], { environment }).says(/.*can be read or written by others.*/);

    assert.match(line, /"level":"warn".*"reason":"mode 644; it should be 600"/);
  });

  it('does not start the debugger at SIGUSR1', async (t) => {
    const command = new Command(t, ['proxy'], { environment: settings() });
    await command.says(/proxy listens/);

    command.signal('SIGUSR1');
    command.signal('SIGTERM');

    assert.equal(await command.exitCode(), 0);
    assert.doesNotMatch(command.stderr, /Debugger/);
  });

  it('accepts --accept-log-damage, which no other command does', async (t) => {
    const command = new Command(t, ['proxy', '--accept-log-damage'], { environment: settings() });
    await command.says(/proxy listens/);

    const other = await runCommand(['sandbox', '--accept-log-damage']);

    assert.equal(other.code, 64);
  });

  it('exits with 1 if another process uses its database file', async (t) => {
    const environment = settings();
    const first = new Command(t, ['proxy'], { environment });
    await first.says(/proxy listens/);

    const second = new Command(t, ['proxy'], { environment });

    assert.equal(await second.exitCode(), 1);
    assert.match(second.stderr, /^.+ is in use by another process; one proxy per file\n$/);
  });

  it('logs an error if the port of its metrics is taken, and serves requests', async (t) => {
    const METRICS_PORT = String(await takenPort(t));
    const command = new Command(t, ['proxy'], { environment: { ...settings(), METRICS_PORT } });

    const [, address = ''] = await command.says(/"address":"([^"]+)"/);
    await command.says(/"level":"error",.*"msg":"metrics cannot be served"/);

    assert.equal((await fetch(`${address}/readyz`)).status, 200);
  });

  it('logs its address as a URL, also for IPv6', () => {
    const origins = ['::1', '127.0.0.1', 'localhost'].map((host) => originOf(host, 8080));

    assert.deepEqual(origins, ['http://[::1]:8080', 'http://127.0.0.1:8080', 'http://localhost:8080']);
  });

  it('serves no metrics if they are off', async (t) => {
    const command = new Command(t, ['proxy'], { environment: { ...settings(), METRICS_PORT: 'off' } });

    await command.says(/proxy listens/);
    command.signal('SIGTERM');

    assert.equal(await command.exitCode(), 0);
    assert.doesNotMatch(command.stdout, /metrics/);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`exits with 0 on ${signal}, and leaves no write-ahead log`, async (t) => {
      const environment = settings();
      const command = new Command(t, ['proxy'], { environment });
      await command.says(/proxy listens/);

      command.signal(signal);

      assert.equal(await command.exitCode(), 0);
      assert.equal(command.stderr, '');
      assert.match(command.stdout, /proxy stopped/);
      assert.throws(() => readFileSync(`${environment['DATABASE_URL']?.slice('file:'.length)}-wal`), /ENOENT/);
    });
  }

  it('serves requests and exits with 0 if its log cannot be written', async (t) => {
    const [full, port] = [openSync('/dev/full', 'w'), await freePort()];
    t.after(() => closeSync(full));
    const environment = { ...settings(), PORT: String(port) };
    const command = new Command(t, ['proxy'], { environment, stdout: full });
    let hasEnded = false;
    void command.exitCode().then(() => (hasEnded = true));
    const isReady = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${String(port)}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!hasEnded && !(await isReady())) await wait(20);

    // Each signal causes a log line that cannot be written.
    for (let lines = 0; lines < 20; lines += 1) {
      command.signal('SIGHUP');
      assert.equal(await isReady(), true);
    }
    command.signal('SIGTERM');

    assert.equal(await command.exitCode(), 0);
    assert.equal(command.stderr, '');
  });

  it('refuses a token after a restart if its person had signed out', async (t) => {
    const environment = settings();
    const [token, other] = [await embedToken(), await embedToken({ subject: 'bea' })];
    const before = new Command(t, ['proxy'], { environment });
    const [, address = ''] = await before.says(/"address":"([^"]+)"/);
    const ended = await ask(address, 'DELETE', '/v1/session', token);
    before.signal('SIGKILL');
    await before.exitCode();

    const after = new Command(t, ['proxy'], { environment });
    const [, again = ''] = await after.says(/"address":"([^"]+)"/);
    const answers = [await ask(again, 'GET', '/v1/session', token), await ask(again, 'GET', '/v1/session', other)];

    assert.equal(ended.status, 204);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 200],
    );
  });

  it('warns if WIDGET_DIR lacks a script, and starts nevertheless', async (t) => {
    const folder = scriptFolder();
    rmSync(join(folder, `widget-${VERSION}.js`));
    const command = new Command(t, ['proxy'], { environment: { ...settings(), WIDGET_DIR: folder } });

    const [warning] = await command.says(/^.*WIDGET_DIR lacks what pages load.*$/m);
    await command.says(/"msg":"proxy listens"/);
    command.signal('SIGTERM');

    assert.match(warning, new RegExp(`"level":"warn".*"error":"no widget-${VERSION}\\.js"`));
    assert.equal(await command.exitCode(), 0);
  });

  it('delivers an edit, serves the script, and reveals no secret', async (t) => {
    const sandbox = createSandboxPortal({ clientId: 'guest-house', clientSecret: PORTAL_SECRET });
    const portal = await listen((request) => sandbox.fetch(request), { host: '127.0.0.1', port: 0 });
    t.after(() => portal.close());
    const environment = {
      ...settings(),
      PORTAL_BASE_URL: `http://127.0.0.1:${portal.port}`,
      LOG_LEVEL: 'debug',
    };
    const command = new Command(t, ['proxy'], { environment });
    const [, address = ''] = await command.says(/"address":"([^"]+)"/);
    const [, metrics = ''] = await command.says(/"address":"([^"]+\/metrics)"/);
    const token = await embedToken();
    const forged = await embedToken({ origin: 'https://evil.example.com' });

    const script = await fetch(`${address}/widget.js`);
    const refused = await ask(address, 'GET', '/v1/session', forged);
    const edit = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' };
    const accepted = await ask(address, 'POST', '/v1/inventory', token, { inventory: [edit] });
    await command.says(/"code":"delivered"/);
    const scrape = async (): Promise<string> => (await fetch(metrics)).text();
    let scraped = await scrape();
    // The outcome of the call is logged before it is stored.
    while (!/^inventory_edits\{state="delivered"\} 1$/m.test(scraped)) scraped = await scrape();
    command.signal('SIGTERM');

    assert.equal(await command.exitCode(), 0);
    assert.equal(await script.text(), 'export {};\n');
    assert.equal(refused.status, 401);
    assert.equal(accepted.status, 202);
    assert.equal(receipts.parse(await accepted.json()).receipts[0]?.state, 'received');
    const said = command.stdout + command.stderr + scraped;
    for (const line of command.stdout.trimEnd().split('\n')) {
      const unknown = Object.keys(JSON.parse(line) as object).filter((field) => !ALLOWED_FIELDS.has(field));
      assert.deepEqual(unknown, []);
    }
    for (const secret of [PORTAL_SECRET, SESSION_SECRET, 'sandbox-token-', ...token.split('.'), ...forged.split('.')]) {
      assert.ok(!said.includes(secret), secret);
    }
  });
});

describe('vendor-inventory secret', () => {
  it('prints a new random secret of 32 bytes each time', async () => {
    const commands = [await runCommand(['secret']), await runCommand(['secret'])];

    const secrets = commands.map(({ stdout }) => stdout);
    assert.deepEqual(
      commands.map(({ code }) => code),
      [0, 0],
    );
    for (const secret of secrets) assert.match(secret, /^[\w-]{43}\n$/);
    assert.equal(new Set(secrets).size, 2);
  });
});

describe('vendor-inventory sandbox', () => {
  it('prints the settings for a proxy that calls it', async (t) => {
    const command = new Command(t, ['sandbox'], { environment: { PORT: '0' } });
    const [, address = ''] = await command.says(/listens on (http:\/\/\S+)/);

    const [line] = await command.says(/PORTAL_BASE_URL=.*/);

    assert.match(
      line,
      new RegExp(`PORTAL_BASE_URL=${address} PORTAL_CLIENT_ID=sandbox-client PORTAL_CLIENT_SECRET=sandbox-secret`),
    );
    command.signal('SIGTERM');
    assert.equal(await command.exitCode(), 0);
  });

  it('does not print a secret of its operator', async (t) => {
    const secret = 'a secret of the operator';
    const command = new Command(t, ['sandbox'], { environment: { PORT: '0', PORTAL_CLIENT_SECRET: secret } });

    await command.says(/PORTAL_CLIENT_SECRET=\.\.\. /);

    assert.ok(!command.stdout.includes(secret));
    command.signal('SIGTERM');
    assert.equal(await command.exitCode(), 0);
  });

  it('serves the portal until SIGTERM', async (t) => {
    const command = new Command(t, ['sandbox'], { environment: { PORT: '0' } });
    const [, address = ''] = await command.says(/listens on (http:\/\/\S+)/);

    const answer = await fetch(`${address}/sandbox/items`);
    command.signal('SIGTERM');

    assert.deepEqual(await answer.json(), { items: [] });
    assert.equal(await command.exitCode(), 0);
    assert.equal(command.stderr, '');
  });

  it('exits with 78 for an invalid port', async () => {
    const { code, stderr } = await runCommand(['sandbox'], { PORT: 'http' });

    assert.equal(code, 78);
    assert.equal(stderr, 'PORT must be a whole number from 0 to 65535\n');
  });
});

function settings(): Record<string, string> {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'session-secret'), SESSION_SECRET);
  return {
    PORTAL_BASE_URL: 'https://portal.example.com',
    PORTAL_CLIENT_ID: 'guest-house',
    PORTAL_CLIENT_SECRET: PORTAL_SECRET,
    DATABASE_URL: `file:${join(folder, 'inventory.sqlite')}`,
    PORT: '0',
    METRICS_PORT: '0',
    PUBLIC_URL: PROXY_URL,
    ALLOWED_ORIGINS: HOST_ORIGIN,
    SESSION_ISSUER: HOST_ORIGIN,
    SESSION_SECRET_FILE: join(folder, 'session-secret'),
    WIDGET_DIR: scriptFolder(),
  };
}

async function takenPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

function damagedFile(): string {
  const path = join(scratchFolder(), 'inventory.sqlite');
  writeFileSync(path, 'no database');
  return path;
}

/** Sends the request of a page over a socket. */
function ask(address: string, method: string, path: string, token: string, body?: object): Promise<Response> {
  const { headers } = pageRequest(method, path, { token });
  return fetch(address + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
}
