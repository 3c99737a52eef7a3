import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * A module that is loaded into a proxy before its code. On SIGUSR2 its monotonic clock jumps to the next timer, so that
 * five minutes between two trial calls take no time. The wall clock does not change, nor do the timeouts of calls,
 * which the platform keeps. The clock does not jump while a call is in flight.
 *
 * If an update times out, its body is printed on standard output: a response that was sent completely may not have been
 * read, for example because the process was not scheduled, and only this module can distinguish that from one that was
 * read and not accepted.
 */

// Work in memory ends within some dozen turns of the event loop.
const MAX_TURNS = 40;

const UPDATE = '{"inventory":';
// The format that `given-up.ts` parses.
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
// The proxy imports these by name, and only later.
const undici = createRequire(import.meta.url)('undici') as { fetch: (...request: unknown[]) => Promise<unknown> };
const { fetch: realFetch } = undici;
let ahead = 0;
let calls = 0;
/** The body of the last update. The updates of one lane are sent one after the other. */
let update = '';
let inFlight = 0;
let isSkipping = false;

Object.defineProperty(performance, 'now', { value: () => real.now() + ahead });

globalThis.setTimeout = Object.assign((callback: (...words: unknown[]) => void, delay = 0, ...words: unknown[]) => {
  // The fetch of the platform uses the same function for its timeouts.
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

// The clock does not jump while a response is being read, either.
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
    // Checked in each turn, because between two calls of one task nothing is in flight.
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
