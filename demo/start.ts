import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen, PortTaken } from '../src/proxy/node/server/http-server.js';
import { createHost } from './host/host.js';

/**
 * `npm start`: the demo's host page, the sandbox portal and the real proxy, three origins over real HTTP. The portal and
 * the proxy are processes of their own, started with the commands that an operator uses. Data lives in a fresh temporary
 * folder, and the secrets are made for this run.
 */
const ports = {
  PORT: port('PORT', 8080),
  PORTAL_PORT: port('PORTAL_PORT', 8081),
  PROXY_PORT: port('PROXY_PORT', 8082),
};
const urls = {
  host: `http://localhost:${String(ports.PORT)}`,
  portal: `http://localhost:${String(ports.PORTAL_PORT)}`,
  proxy: `http://localhost:${String(ports.PROXY_PORT)}`,
};
const bin = fileURLToPath(new URL('../dist/proxy/node/cli/bin.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-demo-'));
const children: ChildProcess[] = [];
const stops: (() => Promise<void>)[] = [];
let stopping = false;
/** The proxy process that the panel killed on purpose. */
let killed: ChildProcess | undefined;

function port(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (Number.isInteger(value) && value > 0 && value < 65536) return value;
  process.stderr.write(`${name} must be a port number\n`);
  process.exit(78);
}

function secretFile(name: string): { readonly path: string; readonly secret: string } {
  const secret = randomBytes(32).toString('base64url');
  const path = join(folder, name);
  writeFileSync(path, secret, { mode: 0o600 });
  return { path, secret };
}

/** Starts a command. Resolves when the command reports that it listens. */
function command(word: string, portName: keyof typeof ports, settings: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [bin, word], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(ports[portName]), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, so that Ctrl-C reaches this process only, which then stops the others in order.
    detached: true,
  });
  children.push(child);
  return new Promise((resolve) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('listens')) resolve(child);
      if (process.env['LOG_LEVEL'] !== undefined) process.stdout.write(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      const line = chunk.toString();
      process.stderr.write(line.includes('is taken') ? `${portName}: ${line}` : line);
    });
    child.on('exit', (_code, signal) => {
      if (stopping || child === killed) return;
      if (signal !== null) process.stderr.write(`${word} was ended by ${signal}, so all three stop\n`);
      void stop(1);
    });
  });
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const gone = children
    .filter((child) => child.exitCode === null && child.signalCode === null)
    .map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all([...gone, ...stops.map((stopOne) => stopOne())]);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));

const portal = secretFile('portal-secret');
const session = secretFile('session-secret');

const startProxy = (): Promise<ChildProcess> =>
  command('proxy', 'PROXY_PORT', {
    METRICS_PORT: 'off',
    PORTAL_BASE_URL: urls.portal,
    PORTAL_CLIENT_ID: 'demo',
    PORTAL_CLIENT_SECRET_FILE: portal.path,
    DATABASE_URL: `file:${join(folder, 'inventory.sqlite')}`,
    PUBLIC_URL: urls.proxy,
    ALLOWED_ORIGINS: urls.host,
    SESSION_ISSUER: urls.host,
    SESSION_SECRET_FILE: session.path,
    ...(process.env['LOG_LEVEL'] !== undefined && { LOG_LEVEL: process.env['LOG_LEVEL'] }),
  });
let proxy: ChildProcess | undefined;

const host = createHost({
  origin: urls.host,
  proxy: urls.proxy,
  portal: urls.portal,
  sessionSecret: session.secret,
  proxyProcess: {
    async kill() {
      killed = proxy;
      if (proxy?.kill('SIGKILL') === true) await once(proxy, 'exit');
    },
    async start() {
      proxy = await startProxy();
    },
  },
});
try {
  const server = await listen(host, { host: '127.0.0.1', port: ports.PORT });
  stops.push(() => server.close());
} catch (error) {
  if (!(error instanceof PortTaken)) throw error;
  process.stderr.write(`PORT: ${error.message}\n`);
  await stop(1);
}

await command('sandbox', 'PORTAL_PORT', { PORTAL_CLIENT_ID: 'demo', PORTAL_CLIENT_SECRET: portal.secret });
proxy = await startProxy();

process.stdout.write(`
ready

  host page       ${urls.host}/
  proxy           ${urls.proxy}/
  sandbox portal  ${urls.portal}/

Ctrl-C stops all three.
`);
