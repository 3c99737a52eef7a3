import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly exit: Promise<number | null>;
}

/** Runs what `npm start` runs after its build. */
function start(settings: Record<string, string>): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said, exit: once(child, 'exit').then(([code]) => code as number | null) };
}

async function hear(started: Started, word: string): Promise<void> {
  while (!started.said().includes(word)) {
    await Promise.race([once(started.child.stdout as NodeJS.ReadableStream, 'data'), started.exit]);
    if (started.child.exitCode !== null) throw new Error(`it ended without "${word}": ${started.said()}`);
  }
}

async function threePorts(): Promise<Record<'PORT' | 'PORTAL_PORT' | 'PROXY_PORT', string>> {
  const [PORT, PORTAL_PORT, PROXY_PORT] = [await freePort(), await freePort(), await freePort()].map(String);
  return { PORT: PORT ?? '', PORTAL_PORT: PORTAL_PORT ?? '', PROXY_PORT: PROXY_PORT ?? '' };
}

/** The build runs in a copy, because it replaces the script that other tests serve at the same time. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-build-'));
  for (const name of ['src', 'demo', 'dist', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  }
  rmSync(join(folder, 'dist/.built-for-start'), { force: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

describe('the build of npm start', () => {
  it('prints its steps, and does nothing if no source has changed', (t) => {
    const cwd = copyOfSources();
    t.after(() => {
      rmSync(cwd, { recursive: true });
    });
    const build = (): string =>
      spawnSync(process.execPath, ['--import', 'tsx', 'demo/build.ts'], { cwd, encoding: 'utf8' }).stdout;

    const [first, second] = [build(), build()];

    assert.match(
      first,
      /^Building the elements, the proxy and the page \(1 of 2\) …\nBuilding the script that pages load \(2 of 2\) …\n[^]*Built in \d+ s\.\n$/,
    );
    assert.equal(second, 'Nothing has changed since the last build.\n');
  });
});

describe('npm start', () => {
  it('serves host page, proxy and sandbox portal, and leaves nothing behind after Ctrl-C', async () => {
    const ports = await threePorts();
    const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-start-'));
    const started = start({ ...ports, TMPDIR: folder });
    await hear(started, 'ready');
    const answers = await Promise.all(
      [`${ports.PORT}/`, `${ports.PROXY_PORT}/widget.js`, `${ports.PORTAL_PORT}/`].map((address) =>
        fetch(`http://localhost:${address}`),
      ),
    );
    const folders = readdirSync(folder).filter((name) => name.startsWith('vendor-inventory-demo-'));

    started.child.kill('SIGINT');
    const code = await started.exit;

    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200],
    );
    assert.equal(code, 0);
    assert.equal(folders.length, 1);
    assert.equal(existsSync(join(folder, folders[0] ?? '')), false);
    for (const port of Object.values(ports)) await assert.rejects(fetch(`http://localhost:${port}/`));
    rmSync(folder, { recursive: true });
  });

  for (const name of ['PORT', 'PORTAL_PORT', 'PROXY_PORT'] as const) {
    it(`prints one line if ${name} is taken, and stops all servers`, async () => {
      const ports = await threePorts();
      const squatter = createServer().listen(Number(ports[name]), '127.0.0.1');
      await once(squatter, 'listening');

      const started = start(ports);
      const code = await started.exit;

      squatter.close();
      assert.equal(code, 1);
      assert.equal(started.said().trim(), `${name}: port ${ports[name]} is taken; set another one`);
    });
  }
});
