import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../journeys/browser-user.js';
import type { Benchmark, Finding } from './benchmark.js';
import { BigInventory, idOf } from './big-inventory.js';
import { median, medianOfRounds } from './rounds.js';

const ITEMS = 100_000;
const ROUNDS = 5;
const FLIPS = 21;
/** Longer tasks are noticeable (RAIL; Long Tasks API, W3C). */
const LONG_MS = 50;
const ACTS = ['load', 'merge', 'diff'] as const;
type Act = (typeof ACTS)[number];

/**
 * The longest task of the page's main thread if the host and the proxy have 100,000 items each, and the time of one
 * toggle if the proxy has ten items and if it has that many. It is CPU time of that thread, so other load on the
 * machine does not count. The CPU is not slowed.
 */
export const longTasks: Benchmark = {
  name: 'tasks',
  title: `${ITEMS.toLocaleString('en')} items: the longest task of a page, and one toggle compared with ten items`,
  async run() {
    const browser = await openBrowser();
    try {
      return [...(await longest(browser)), await oneToggle(browser)];
    } finally {
      await browser.close();
    }
  },
};

async function longest(browser: Browser): Promise<Finding[]> {
  const told = new Map<Act, number[]>(ACTS.map((act) => [act, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const inventory = new BigInventory(ITEMS);
    const page = await openPage(browser, inventory);
    try {
      await page.evaluate(`void (globalThis.items = Array.from({ length: ${String(ITEMS)} }, (_, at) => (
        { id: 'tour-' + String(at).padStart(6, '0'), label: 'Tour ' + at, available: true, updated_at: '2026-11-20T08:00:00.000Z' }
      )))`);
      told.get('load')?.push(
        await longestTask(browser, page, async () => {
          await page.evaluate(`{
            globalThis.editor = document.createElement('inventory-editor');
            editor.items = items;
            document.body.append(editor);
          }`);
          await page.waitForFunction(`editor.shadowRoot.querySelector('[part=tools]') !== null && ${IS_COUNTED}`);
        }),
      );
      // The proxy now has another value for every item.
      inventory.isFlipped = true;
      told.get('merge')?.push(
        await longestTask(browser, page, async () => {
          await page.evaluate('editor.refresh()');
          await page.waitForFunction(IS_COUNTED);
        }),
      );
      // The host sets another array, in which every second item has another value.
      await page.evaluate('void (items = items.map((item, at) => (at % 2 ? item : { ...item, available: false })))');
      told.get('diff')?.push(
        await longestTask(browser, page, async () => {
          await page.evaluate('void (editor.items = items)');
          await page.waitForFunction(IS_COUNTED);
        }),
      );
    } finally {
      await page.close();
      inventory.close();
    }
  }
  return ACTS.map((act) => {
    const ms = median(told.get(act) ?? []);
    const what = `longest task of a ${act} / ${String(LONG_MS)} ms`;
    return { what, ratio: ms / LONG_MS, target: { atMost: 1 }, figures: `${ms.toFixed(1)} ms` };
  });
}

const IS_COUNTED = `editor.shadowRoot.querySelector('.total').textContent.trim() === '${ITEMS.toLocaleString('en')} items'`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The CPU time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** @returns the CPU time of the longest task in milliseconds */
async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${String(pid)} ${String(tid)}`;
  const pages = new Set(traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(thread));
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && pages.has(thread(event)));
  if (tasks.length === 0) throw new Error('the trace has no task');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

async function oneToggle(browser: Browser): Promise<Finding> {
  const costs = await medianOfRounds(ROUNDS, {
    few: () => costOfToggle(browser, 10),
    many: () => costOfToggle(browser, ITEMS),
  });
  return {
    what: 'one toggle beside 100,000 items / beside 10',
    ratio: costs.many / costs.few,
    target: { atMost: 1.15 },
    figures: `${costs.many.toFixed(2)} and ${costs.few.toFixed(2)} ms`,
  };
}

/** @returns the CPU time of the page's thread from the click to the status "on the portal", in milliseconds */
async function costOfToggle(browser: Browser, items: number): Promise<number> {
  const inventory = new BigInventory(items);
  const page = await openPage(browser, inventory);
  try {
    await page.evaluate(`{
      globalThis.toggle = document.createElement('availability-toggle');
      toggle.item = '${idOf(1)}';
      toggle.addEventListener('inventory-ready', () => (globalThis.isReady = true));
      document.body.append(toggle);
    }`);
    await page.waitForFunction('globalThis.isReady');
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
    };
    const costs: number[] = [];
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const before = await worked();
      await page.evaluate(`new Promise((resolve) => {
        toggle.addEventListener('inventory-receipt', function on({ truth }) {
          if (truth !== 'on-portal') return;
          toggle.removeEventListener('inventory-receipt', on);
          requestAnimationFrame(() => setTimeout(resolve));
        });
        toggle.click();
      })`);
      costs.push((await worked()) - before);
    }
    return median(costs);
  } finally {
    await page.close();
    inventory.close();
  }
}

async function openPage(browser: Browser, inventory: BigInventory): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(await inventory.open());
  await page.waitForFunction(`customElements.get('inventory-editor')`);
  return page;
}
