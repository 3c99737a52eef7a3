import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserLauncher, SessionResult } from '@web/test-runner';
import { freePort } from '../journeys/free-port.js';
import type { EnginePrograms } from './find-engine.js';

type Programs = EnginePrograms['webkit'];

const START_MS = 120_000;

/** Keys that have a name instead of a character (WebDriver, section 17.4.2, "normalised key value"). */
const KEYS: Readonly<Record<string, string>> = {
  ArrowDown: '\uE015',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  ArrowUp: '\uE013',
  Backspace: '\uE003',
  Control: '\uE009',
  End: '\uE010',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
  PageDown: '\uE00F',
  PageUp: '\uE00E',
  Shift: '\uE008',
  Tab: '\uE004',
};

type Position = readonly [x: number, y: number];

/** The interface of a page for `@web/test-runner-commands`. */
interface Page {
  readonly keyboard: Readonly<Record<'type' | 'press' | 'down' | 'up', (keys: string) => Promise<void>>>;
  readonly mouse: {
    move(...position: Position): Promise<void>;
    click(...position: Position): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  readonly touchscreen: {
    touchStart(...position: Position): Promise<void>;
    touchMove(...position: Position): Promise<void>;
    touchEnd(): Promise<void>;
  };
}

/**
 * Runs Web Test Runner in WebKitGTK, through its own WebDriver (W3C) and on a virtual screen, because it has no headless
 * mode. The test files run one after the other, each in a browser of its own, because the driver sometimes hangs when it
 * leaves a page.
 */
export function webkitLauncher(programs: Programs): BrowserLauncher & { getPage(): Page } {
  let browser: Promise<Driver> | undefined;
  let active: string | undefined;

  return {
    name: 'WebKitGTK',
    // The commands choose the interface of a launcher by its type. Of the types that they know, this one has all that this
    // launcher offers.
    type: 'playwright',
    concurrency: 1,
    async startSession(id, url) {
      active = id;
      browser = Driver.start(programs);
      await (await browser).post('/url', { url });
    },
    isActive: (id) => id === active,
    getBrowserUrl: () => undefined,
    async stopSession(): Promise<SessionResult> {
      active = undefined;
      (await browser)?.stop();
      browser = undefined;
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('WebKitGTK runs on a screen that nobody sees.')),
    async stop() {
      (await browser)?.stop();
    },
    getPage: () => pageOf(async (actions) => (await browser)?.post('/actions', { actions })),
  };
}

function pageOf(act: (actions: unknown) => Promise<unknown>): Page {
  const key = async (keys: readonly string[], ...types: readonly ('keyDown' | 'keyUp')[]): Promise<void> => {
    const actions = keys.flatMap((name) => types.map((type) => ({ type, value: KEYS[name] ?? name })));
    await act([{ type: 'key', id: 'keyboard', actions }]);
  };
  const pointer =
    (pointerType: 'mouse' | 'touch') =>
    async (...actions: readonly object[]): Promise<void> => {
      await act([{ type: 'pointer', id: pointerType, parameters: { pointerType }, actions }]);
    };
  const [point, touch] = [pointer('mouse'), pointer('touch')];
  const to = (x: number, y: number): object => ({ type: 'pointerMove', duration: 0, x, y });
  const [down, up] = [
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
  return {
    keyboard: {
      type: (keys) => key([...keys], 'keyDown', 'keyUp'),
      press: (name) => key([name], 'keyDown', 'keyUp'),
      down: (name) => key([name], 'keyDown'),
      up: (name) => key([name], 'keyUp'),
    },
    mouse: {
      move: (x, y) => point(to(x, y)),
      click: (x, y) => point(to(x, y), down, up),
      down: () => point(down),
      up: () => point(up),
    },
    touchscreen: {
      touchStart: (x, y) => touch(to(x, y), down),
      touchMove: (x, y) => touch({ ...to(x, y), duration: 20 }),
      touchEnd: () => touch(up),
    },
  };
}

/** One browser window, and the processes that it needs. */
class Driver {
  readonly #children: readonly ChildProcess[];
  readonly #session: string;

  private constructor(children: readonly ChildProcess[], session: string) {
    this.#children = children;
    this.#session = session;
  }

  static async start({ screen, webDriver, miniBrowser }: Programs): Promise<Driver> {
    const xvfb = spawn(screen, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const display = await firstLine(xvfb);
    const port = await freePort();
    const driver = spawn(webDriver, [`--port=${String(port)}`, '--host=127.0.0.1'], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, DISPLAY: `:${display}`, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    });
    // The processes end with this one, however it ends.
    process.once('exit', () => {
      for (const child of [driver, xvfb]) end(child);
    });
    const server = `http://127.0.0.1:${String(port)}`;
    await untilReady(server);
    const { sessionId } = (await call('POST', `${server}/session`, {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
        },
      },
    })) as { sessionId: string };
    return new Driver([driver, xvfb], `${server}/session/${sessionId}`);
  }

  post(path: string, body: object): Promise<unknown> {
    return call('POST', `${this.#session}${path}`, body);
  }

  /** Ends the processes, and with them everything that the page still does. */
  stop(): void {
    for (const child of this.#children) end(child);
  }
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: unknown };
  if (!answer.ok) throw new Error(`WebKitWebDriver refused ${method} ${url}: ${JSON.stringify(value)}`);
  return value;
}

async function untilReady(server: string): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      await call('GET', `${server}/status`);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await wait(50);
    }
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3];
  if (pipe === undefined || pipe === null) throw new Error('the screen has no pipe');
  const [text] = (await once(pipe, 'data', { signal: AbortSignal.timeout(START_MS) })) as [Buffer];
  return text.toString().trim();
}

/** Ends a process and all that it has started. */
function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
