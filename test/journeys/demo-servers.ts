import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHost } from '../../demo/host/host.js';
import { listen } from '../../src/proxy/node/server/http-server.js';
import { freePort } from './free-port.js';

const BIN = fileURLToPath(new URL('../../dist/proxy/node/cli/bin.js', import.meta.url));

/** A command in a child process, which a test may kill and start again with the same settings. */
export interface ServerProcess {
  /** @param settings for this start only, in addition to those of the demo */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Kills the process. Resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

export interface DemoOptions {
  /** The script that Node runs as the proxy. Default: the command. */
  readonly proxyProgram?: readonly string[];
  /** Settings of the proxy in addition to those of every demo. */
  readonly proxySettings?: Readonly<Record<string, string>>;
}

/** A host page, the proxy and the sandbox portal on three origins, as in a real installation. */
export interface DemoServers {
  readonly hostUrl: string;
  readonly proxyUrl: string;
  readonly portalUrl: string;
  readonly portal: ServerProcess;
  readonly proxy: ServerProcess;
  readonly clientSecret: string;
  readonly sessionSecret: string;
  /** The output of all processes, and the content of the database file. */
  records(): string;
  close(): Promise<void>;
}

export async function startDemoServers({
  proxyProgram = [BIN, 'proxy'],
  proxySettings,
}: DemoOptions = {}): Promise<DemoServers> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-journey-'));
  const [hostPort, portalPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const [hostUrl, portalUrl, proxyUrl] = [hostPort, portalPort, proxyPort].map(
    (port) => `http://localhost:${String(port)}`,
  ) as [string, string, string];
  const clientSecret = randomBytes(24).toString('base64url');
  const sessionSecret = randomBytes(32).toString('base64url');
  writeFileSync(join(folder, 'client-secret'), clientSecret);
  writeFileSync(join(folder, 'session-secret'), sessionSecret);
  const log: string[] = [];
  const portal = serverProcess([BIN, 'sandbox'], log, {
    PORT: String(portalPort),
    PORTAL_CLIENT_ID: 'journey',
    PORTAL_CLIENT_SECRET: clientSecret,
  });
  const proxy = serverProcess(proxyProgram, log, {
    PORT: String(proxyPort),
    METRICS_PORT: 'off',
    PORTAL_BASE_URL: portalUrl,
    PORTAL_CLIENT_ID: 'journey',
    PORTAL_CLIENT_SECRET_FILE: join(folder, 'client-secret'),
    DATABASE_URL: `file:${join(folder, 'inventory.sqlite')}`,
    PUBLIC_URL: proxyUrl,
    ALLOWED_ORIGINS: hostUrl,
    SESSION_ISSUER: hostUrl,
    SESSION_SECRET_FILE: join(folder, 'session-secret'),
    LOG_LEVEL: 'debug',
    ...proxySettings,
  });
  const proxyProcess = { kill: () => proxy.end('SIGKILL'), start: () => proxy.start() };
  const host = await listen(
    createHost({ origin: hostUrl, proxy: proxyUrl, portal: portalUrl, sessionSecret, proxyProcess }),
    { host: '127.0.0.1', port: hostPort },
  );
  await Promise.all([portal.start(), proxy.start()]);
  return {
    hostUrl,
    proxyUrl,
    portalUrl,
    portal,
    proxy,
    clientSecret,
    sessionSecret,
    records() {
      const database = readdirSync(folder).filter((name) => /^inventory\.sqlite(?!\.sock)/.test(name));
      return [...log, ...database.map((name) => readFileSync(join(folder, name), 'latin1'))].join('\n');
    },
    async close() {
      await host.close();
      await Promise.all([proxy.end('SIGTERM'), portal.end('SIGTERM')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverProcess(program: readonly string[], log: string[], settings: Record<string, string>): ServerProcess {
  let child: ChildProcess | undefined;
  return {
    async start(more = {}) {
      const started = spawn(process.execPath, program, {
        env: { ...settings, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      await new Promise<void>((resolve, reject) => {
        const onOutput = (chunk: Buffer): void => {
          log.push(chunk.toString());
          if (chunk.includes('listens')) resolve();
        };
        started.stdout.on('data', onOutput);
        started.stderr.on('data', onOutput);
        started.once('exit', (code) => {
          reject(new Error(`${program.join(' ')} ended with ${String(code)}: ${log.slice(-3).join('')}`));
        });
      });
    },
    async end(signal) {
      if (child?.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
      return child.exitCode;
    },
  };
}
