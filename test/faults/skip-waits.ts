import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Loaded into a proxy before its own code: on SIGUSR2 its steady clock jumps to whatever it waits for next, so that five
 * minutes between two probes cost no five minutes. The wall clock stays, and so do the time-outs of calls, which the
 * platform keeps. Nothing jumps while a call is on its way.
 *
 * Where the platform gives up an update because its time is over, its body is told on standard output: an answer that was
 * sent whole may not have been read, as when the process could not run meanwhile, and only here that can be told from one
 * that was read and not believed.
 */

// Work in memory needs some dozen turns of the event loop; what needs more has ended.
const MAX_TURNS = 40;

const UPDATE = '{"inventory":';
// As `given-up.ts` reads it.
const GIVEN_UP = 'given up ';

interface Waiting {
  readonly at: number;
  readonly fire: () => void;
}

const waiting = new Map<unknown, Waiting>();
const real = {
  now: performance.now.bind(performance),
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
};
// What the proxy imports by name is read from here, and only later.
const undici = createRequire(import.meta.url)('undici') as { fetch: (...request: unknown[]) => Promise<unknown> };
const { fetch: realFetch } = undici;
let ahead = 0;
let calls = 0;
/** Of the last update. Those of one lane leave one after the other. */
let update = '';
let inFlight = 0;
let isSkipping = false;

Object.defineProperty(performance, 'now', { value: () => real.now() + ahead });

globalThis.setTimeout = Object.assign((callback: (...words: unknown[]) => void, delay = 0, ...words: unknown[]) => {
  // The platform's own client keeps its time-outs with the same function.
  if (new Error().stack?.includes('/proxy/runtime/clock.js') !== true)
    return real.setTimeout(callback, delay, ...words);
  const fire = (): void => {
    real.clearTimeout(timer);
    if (waiting.delete(timer)) callback();
  };
  const timer = real.setTimeout(fire, delay);
  waiting.set(timer, { at: performance.now() + delay, fire });
  return timer;
}, real.setTimeout);

globalThis.clearTimeout = (timer) => {
  waiting.delete(timer);
  real.clearTimeout(timer);
};

undici.fetch = (...request) => {
  calls += 1;
  const [, { body } = {}] = request as [unknown, { body?: unknown }?];
  if (typeof body === 'string' && body.startsWith(UPDATE)) update = body;
  return during(realFetch(...request));
};

// Nor while an answer is still being read.
const reader = ReadableStreamDefaultReader.prototype;
const { read } = reader;
reader.read = function () {
  return during(read.call(this));
};

async function during<T>(work: Promise<T>): Promise<T> {
  inFlight += 1;
  try {
    return await work;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') process.stdout.write(`${GIVEN_UP}${update}\n`);
    throw error;
  } finally {
    inFlight -= 1;
  }
}

async function skip(): Promise<void> {
  const before = calls;
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    await nextTurn();
    // Asked in each: between two calls of one piece of work nothing is on its way.
    if (inFlight > 0 || calls !== before) return;
  }
  const next = Math.min(...[...waiting.values()].map(({ at }) => at));
  if (next === Infinity) return;
  ahead += Math.max(0, next - performance.now());
  const due = [...waiting.values()].filter(({ at }) => at <= performance.now());
  for (const { fire } of due.sort((a, b) => a.at - b.at)) fire();
}

process.on('SIGUSR2', () => {
  if (isSkipping) return;
  isSkipping = true;
  void skip().finally(() => {
    isSkipping = false;
  });
});
