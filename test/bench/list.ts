import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { findBrowser } from '../support/find-browser.js';
import type { Benchmark, Finding } from './benchmark.js';
import { installPeers } from './peers.js';
import { medianOfRounds } from './rounds.js';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 5;
const SIZES = [100, 1_000, 10_000, 100_000];
const KINDS = ['plain', 'tanstack', 'ours'] as const;
type Kind = (typeof KINDS)[number];
const ACTS = ['rows', 'toggle', 'firstKey', 'nextKey', 'bulk', 'jump'] as const;
type Act = (typeof ACTS)[number];

/** What a page tells of one life of a list: milliseconds from the act to the picture that shows it, and its size. */
type Report = Readonly<Record<Act | 'nodes', number>>;

/** `[targets of ours over plain DOM, over tanstack]`; performance targets are for 100,000 items. */
const TARGETS: Readonly<Partial<Record<Act, readonly [plain: number | undefined, tanstack: number | undefined]>>> = {
  rows: [1.6, 0.65],
  toggle: [1.3, undefined],
  firstKey: [1, undefined],
  nextKey: [0.4, undefined],
  bulk: [0.3, undefined],
};

/**
 * The editor with all its features, beside a list of plain DOM with recycled rows and one of @tanstack/lit-virtual, in a
 * browser that is slowed four times. A fresh page for each life; the contestants take turns.
 */
export const list: Benchmark = {
  name: 'list',
  title: 'the editor beside lists of plain DOM and of @tanstack/lit-virtual, CPU slowed 4 times',
  run: async () => {
    installPeers();
    const server = await serve();
    const browser = await chromium.launch({
      executablePath: findBrowser(),
      args: ['--disable-gpu', '--js-flags=--expose-gc', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const findings: Finding[] = [];
      for (const size of SIZES) findings.push(...(await compare(browser, origin, size)));
      return findings;
    } finally {
      await browser.close();
      server.close();
    }
  },
};

async function compare(browser: Browser, origin: string, size: number): Promise<Finding[]> {
  const reports = new Map<Kind, Report[]>(KINDS.map((kind) => [kind, []]));
  const live = (kind: Kind) => async (): Promise<number> => {
    const report = await oneLife(browser, origin, kind, size);
    reports.get(kind)?.push(report);
    return report.rows;
  };
  await medianOfRounds(ROUNDS, { plain: live('plain'), tanstack: live('tanstack'), ours: live('ours') });
  const middle = (kind: Kind, what: Act | 'nodes'): number => {
    const sorted = (reports.get(kind) ?? []).map((report) => report[what]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
  };
  const findings = ACTS.flatMap((act): Finding[] => {
    const [plain, tanstack, ours] = KINDS.map((kind) => middle(kind, act)) as [number, number, number];
    const figures = `ours ${ours.toFixed(1)}, plain ${plain.toFixed(1)}, tanstack ${tanstack.toFixed(1)} ms`;
    const [overPlain, overTanstack] = (size === 100_000 ? TARGETS[act] : undefined) ?? [];
    const name = `${size.toLocaleString('en')} items: ${act}`;
    const target = (most: number | undefined): Finding['target'] => (most === undefined ? undefined : { atMost: most });
    return [
      { what: `${name} / plain DOM`, ratio: ours / plain, target: target(overPlain), figures },
      { what: `${name} / tanstack`, ratio: ours / tanstack, target: target(overTanstack), figures },
    ];
  });
  const nodes = middle('ours', 'nodes');
  const target = size === 100_000 ? { atMost: 1 } : undefined;
  findings.push({
    what: `${size.toLocaleString('en')} items: nodes / 355`,
    ratio: nodes / 355,
    target,
    figures: `ours ${String(nodes)}, plain ${String(middle('plain', 'nodes'))}, tanstack ${String(middle('tanstack', 'nodes'))}`,
  });
  return findings;
}

async function oneLife(browser: Browser, origin: string, kind: Kind, size: number): Promise<Report> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  const page: Page = await context.newPage();
  try {
    await page.goto(`${origin}/${kind}.html`);
    await page.waitForFunction('globalThis.list !== undefined');
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    return (await page.evaluate(`globalThis.live(${String(size)})`)) as Report;
  } finally {
    await context.close();
  }
}

/** The pages, our built script, and a proxy that knows nobody's items. */
async function serve(): Promise<Server> {
  const scripts = new Map<string, string>();
  for (const name of ['list-driver', 'plain-list', 'tanstack-list', 'our-list']) {
    scripts.set(`/${name}.js`, await bundle(join(ROOT, 'test/peers', `${name}.js`)));
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    void answer(path, scripts).then(([status, type, body]) => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function answer(path: string, scripts: ReadonlyMap<string, string>): Promise<[number, string, string]> {
  const script = scripts.get(path);
  if (script !== undefined) return [200, 'text/javascript', script];
  if (path.endsWith('.html')) {
    const kind = path === '/ours.html' ? 'our' : path.slice(1, -5);
    return [200, 'text/html', PAGE.replace('KIND', kind)];
  }
  if (path.endsWith('/v1/session')) return [200, 'application/json', JSON.stringify(session())];
  if (path.endsWith('/v1/inventory')) return [200, 'application/json', '{"inventory":[],"revision":1}'];
  if (path.startsWith('/widget/') && path.endsWith('.js')) {
    const file = join(ROOT, 'dist', path);
    return [200, 'text/javascript', await readFile(file, 'utf8')];
  }
  return [404, 'text/plain', ''];
}

function session(): object {
  const now = Date.now();
  return {
    vendor: 'boats',
    subject: 'anna',
    permissions: ['view', 'edit', 'bulk'],
    limits: { max_edits: 500, max_body_bytes: 262_144 },
    server_time: new Date(now).toISOString(),
    expires_at: new Date(now + 900_000).toISOString(),
    version: '0.1.0',
  };
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>list</title>
<style>body{margin:0;font:16px system-ui}</style><body>
<script type="module" src="/KIND-list.js"></script><script type="module" src="/list-driver.js"></script></body></html>`;

async function bundle(entry: string): Promise<string> {
  const result = (await build({
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    root: join(ROOT, 'test/peers'),
    build: {
      write: false,
      minify: true,
      rolldownOptions: { external: [/^\/widget\//] },
      lib: { entry, formats: ['es'], fileName: 'list' },
    },
  })) as Rolldown.RolldownOutput[];
  const [output] = Array.isArray(result) ? result : [result];
  return output?.output.find((part) => part.type === 'chunk')?.code ?? '';
}
