import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { openBrowser } from '../journeys/browser-user.js';
import type { Benchmark, Finding } from './benchmark.js';
import { installPeers } from './peers.js';
import { median } from './rounds.js';

const ENTRY = fileURLToPath(new URL('../peers/switches.js', import.meta.url));
const COUNT = 10_000;
const ROUNDS = 7;
const KINDS = ['native', 'plain', 'lit', 'ours', 'wa'] as const;
type Kind = (typeof KINDS)[number];

const NAMES: Readonly<Record<Kind, string>> = {
  native: 'native checkbox in a label',
  plain: 'the same picture in a plain custom element',
  lit: 'the same picture in bare Lit',
  ours: 'availability-toggle',
  wa: 'Web Awesome switch',
};

interface Shown {
  /** The CPU time of the page's thread from the creation to the layout, in milliseconds. */
  readonly ms: number;
  /** The JavaScript heap of each switch, in bytes. */
  readonly bytes: number;
  readonly nodes: number;
}

/** Ten thousand switches on one page: the time until they are laid out, and the memory of each of them. */
export const switches: Benchmark = {
  name: 'switches',
  title: `${String(COUNT)} switches on one page, compared with the same picture in a plain custom element`,
  async run() {
    installPeers();
    const code = await bundled();
    const browser = await openBrowser();
    const shown = new Map<Kind, Shown[]>(KINDS.map((kind) => [kind, []]));
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const first = round % KINDS.length;
        for (const kind of [...KINDS.slice(first), ...KINDS.slice(0, first)]) {
          shown.get(kind)?.push(await show(browser, code, kind));
        }
      }
    } finally {
      await browser.close();
    }
    return findings(shown);
  },
};

function findings(shown: ReadonlyMap<Kind, readonly Shown[]>): Finding[] {
  const middle = (kind: Kind, what: keyof Shown): number => median((shown.get(kind) ?? []).map((each) => each[what]));
  const ours: Finding[] = [
    {
      what: 'nodes inside of ours, x 4',
      ratio: middle('ours', 'nodes') / 4,
      target: { atMost: 1 },
      figures: `${middle('ours', 'nodes')}`,
    },
    {
      what: 'JavaScript heap of ours, x 600 B each',
      ratio: middle('ours', 'bytes') / 600,
      target: { atMost: 1 },
      figures: `${middle('ours', 'bytes').toFixed(0)} B`,
    },
  ];
  const times = KINDS.map((kind): Finding => {
    const [ms, bytes, nodes] = [middle(kind, 'ms'), middle(kind, 'bytes'), middle(kind, 'nodes')];
    return {
      what: NAMES[kind],
      ratio: ms / middle('plain', 'ms'),
      target: kind === 'ours' ? { atMost: 1.25 } : undefined,
      figures: `${ms.toFixed(0)} ms, ${bytes.toFixed(0)} B and ${String(nodes)} nodes each`,
    };
  });
  return [...times, ...ours];
}

async function show(browser: Browser, code: string, kind: Kind): Promise<Shown> {
  const page = await browser.newPage();
  try {
    await page.setContent('<!doctype html><html lang="en"><title>Switches</title><body></body></html>');
    await page.addScriptTag({ type: 'module', content: code });
    await page.waitForFunction('globalThis.showSwitches');
    const session = await page.context().newCDPSession(page);
    const heap = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    // It is CPU time of the page's thread, so other load on the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
    };
    const [before, start] = [await heap(), await busy()];
    await page.evaluate(`showSwitches('${kind}', ${String(COUNT)})`);
    const ms = (await busy()) - start;
    const bytes = ((await heap()) - before) / COUNT;
    return { ms, bytes, nodes: await page.evaluate<number>('nodesInside()') };
  } finally {
    await page.close();
  }
}

async function bundled(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: ENTRY, formats: ['es'], fileName: () => 'switches.js' },
      // The page has no URL from which it could load chunks.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
  const entry = output?.output.find((file) => file.type === 'chunk' && file.isEntry);
  if (entry?.type !== 'chunk') throw new Error('the build made no script');
  return entry.code;
}
