import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { findBrowser } from '../support/find-browser.js';
import type { Benchmark, Finding } from './benchmark.js';
import { serveLists } from './list-pages.js';
import { installPeers } from './peers.js';
import { median, medianOfRounds } from './rounds.js';

const SIZES = [100, 1_000, 10_000, 100_000];
/** Single runs differ by a quarter, so that a median of five is not stable enough for a target. */
const ROUNDS = 5;
const ROUNDS_WITH_TARGETS = 17;
/** The first rows of the largest list are compared with those of the smallest. */
const SIZES_WITH_TARGETS = [100, 100_000];
const KINDS = ['plain', 'tanstack', 'ours'] as const;
type Kind = (typeof KINDS)[number];
const ACTS = ['rows', 'toggle', 'firstKey', 'nextKey', 'bulk', 'jump'] as const;
type Act = (typeof ACTS)[number];

/**
 * The figures of one run of a list: milliseconds from the action to the frame that shows it, and the number of nodes.
 */
type Report = Readonly<Record<Act | 'preview' | 'nodes', number>>;

/**
 * Ten seconds of scrolling: dropped frames in percent, the longest task in milliseconds, and samples with a blank area.
 */
interface Ride {
  readonly dropped: number;
  readonly longest: number;
  readonly blank: number;
}

/** `[targets of ours over plain DOM, over tanstack]`; performance targets are for 100,000 items. */
const TARGETS: Readonly<Partial<Record<Act, readonly [plain: number | undefined, tanstack: number | undefined]>>> = {
  rows: [1.6, 0.65],
  toggle: [1.3, undefined],
  firstKey: [1, undefined],
  nextKey: [0.4, undefined],
  bulk: [0.3, undefined],
};

const MOST_HEAP_BYTES = (items: number): number => 1_000_000 + 8 * items;

/**
 * Compares the editor with all its features with a list of plain DOM with recycled rows and one of
 * @tanstack/lit-virtual, in a browser that is slowed four times. Each run has a new page, and the lists take turns.
 *
 * `bulk` is the time of the press that selects all and of the press that sets them, each to its frame. The preview
 * dialog of the editor is measured separately.
 */
export const list: Benchmark = {
  name: 'list',
  title: 'the editor compared with lists of plain DOM and of @tanstack/lit-virtual, CPU slowed 4 times',
  run: async () => {
    installPeers();
    const server = await serveLists();
    const browser = await chromium.launch({
      executablePath: findBrowser(),
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const findings: Finding[] = [];
      const firstRows: number[] = [];
      for (const size of SIZES) findings.push(...(await compare(browser, origin, size, firstRows)));
      const [few = NaN] = firstRows;
      const many = firstRows.at(-1) ?? NaN;
      findings.push({
        what: 'first rows of 100,000 items / of 100',
        ratio: many / few,
        target: { atMost: 1.15 },
        figures: `ours ${many.toFixed(1)} and ${few.toFixed(1)} ms`,
      });
      findings.push(...(await rides(browser, origin)), await heaps(browser, origin));
      return findings;
    } finally {
      await browser.close();
      server.close();
    }
  },
};

async function compare(browser: Browser, origin: string, size: number, firstRows: number[]): Promise<Finding[]> {
  const reports = new Map<Kind, Report[]>(KINDS.map((kind) => [kind, []]));
  const live = (kind: Kind) => async (): Promise<number> => {
    const report = (await onPage(browser, origin, kind, (page) =>
      page.evaluate(`globalThis.live(${String(size)})`),
    )) as Report;
    reports.get(kind)?.push(report);
    return report.rows;
  };
  const rounds = SIZES_WITH_TARGETS.includes(size) ? ROUNDS_WITH_TARGETS : ROUNDS;
  await medianOfRounds(rounds, { plain: live('plain'), tanstack: live('tanstack'), ours: live('ours') });
  const middle = (kind: Kind, what: keyof Report): number =>
    median((reports.get(kind) ?? []).map((report) => report[what]));
  firstRows.push(middle('ours', 'rows'));
  const findings = ACTS.flatMap((act): Finding[] => {
    const [plain, tanstack, ours] = KINDS.map((kind) => middle(kind, act)) as [number, number, number];
    const preview = act === 'bulk' ? `; its preview ${middle('ours', 'preview').toFixed(1)} ms` : '';
    const figures = `ours ${ours.toFixed(1)}, plain ${plain.toFixed(1)}, tanstack ${tanstack.toFixed(1)} ms${preview}`;
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

/** Scrolls the list for ten seconds, by 30 px a frame. */
async function rides(browser: Browser, origin: string): Promise<Finding[]> {
  const told = new Map<Kind, Ride[]>(KINDS.map((kind) => [kind, []]));
  const ride = (kind: Kind) => async (): Promise<number> => {
    const one = (await onPage(browser, origin, kind, (page) => page.evaluate('globalThis.ride(100000)'))) as Ride;
    told.get(kind)?.push(one);
    return one.dropped;
  };
  await medianOfRounds(3, { plain: ride('plain'), tanstack: ride('tanstack'), ours: ride('ours') });
  const middle = (kind: Kind, what: keyof Ride): number => median((told.get(kind) ?? []).map((one) => one[what]));
  const figures = (what: keyof Ride, unit: string): string =>
    KINDS.map((kind) => `${kind} ${middle(kind, what).toFixed(1)}`).join(', ') + unit;
  return [
    {
      what: 'frames dropped in a scroll of 10 s / 1 %',
      ratio: middle('ours', 'dropped'),
      target: { atMost: 1 },
      figures: figures('dropped', ' %'),
    },
    {
      what: 'longest task of that scroll / 50 ms',
      ratio: middle('ours', 'longest') / 50,
      target: { atMost: 1 },
      figures: figures('longest', ' ms'),
    },
    {
      what: 'looks at that scroll that met an empty strip',
      ratio: middle('ours', 'blank'),
      target: { atMost: 0 },
      figures: figures('blank', ''),
    },
  ];
}

/** The memory of an idle list of 100,000 items, without the array of the items itself. */
async function heaps(browser: Browser, origin: string): Promise<Finding> {
  const size = 100_000;
  const bytes = await medianOfRounds(3, {
    plain: () => heapOf(browser, origin, 'plain', size),
    tanstack: () => heapOf(browser, origin, 'tanstack', size),
    ours: () => heapOf(browser, origin, 'ours', size),
  });
  const megabytes = (kind: Kind): string => (bytes[kind] / 1_000_000).toFixed(2);
  return {
    what: 'heap over the items given / 1 MB and 8 B an item',
    ratio: bytes.ours / MOST_HEAP_BYTES(size),
    target: { atMost: 1 },
    figures: `ours ${megabytes('ours')}, plain ${megabytes('plain')}, tanstack ${megabytes('tanstack')} MB`,
  };
}

function heapOf(browser: Browser, origin: string, kind: Kind, size: number): Promise<number> {
  return onPage(browser, origin, kind, async (page, session) => {
    await page.evaluate(`globalThis.makeItems(${String(size)})`);
    const before = await heap(session);
    await page.evaluate('globalThis.openList()');
    return (await heap(session)) - before;
  });
}

/** The memory of objects and typed arrays, in bytes. */
async function heap(session: CDPSession): Promise<number> {
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage');
  const usage = (await session.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

async function onPage<T>(
  browser: Browser,
  origin: string,
  kind: Kind,
  work: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  const page = await context.newPage();
  try {
    await page.goto(`${origin}/${kind}.html`);
    await page.waitForFunction('globalThis.list !== undefined');
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    return await work(page, session);
  } finally {
    await context.close();
  }
}
