import { afterThisTest } from '../../client/support/clean-up.js';
import { countListeners } from './listener-count.js';

/** Resources that the page has acquired and not released since the counting began. */
export interface Resources {
  readonly listeners: number;
  readonly timers: number;
  readonly observers: number;
  /** Event streams of the proxy that are still open. */
  readonly streams: number;
}

const NONE: Resources = { listeners: 0, timers: 0, observers: 0, streams: 0 };

export function noResources(): Resources {
  return NONE;
}

/** Starts counting. @returns a function that returns the present numbers */
export function countResources(): () => Resources {
  const listeners = countListeners();
  const timers = countTimers();
  const observers = [MutationObserver, ResizeObserver, IntersectionObserver].map(({ prototype }) =>
    countObservers(prototype),
  );
  const streams = countStreams();
  return () => ({
    listeners: listeners(),
    timers: timers(),
    observers: observers.reduce((sum, count) => sum + count(), 0),
    streams: streams(),
  });
}

function countTimers(): () => number {
  const real = {
    setTimeout: globalThis.setTimeout.bind(globalThis),
    clearTimeout: globalThis.clearTimeout.bind(globalThis),
  };
  const before = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const pending = new Set<number>();
  const set = (handler: TimerHandler, milliseconds?: number, ...given: unknown[]): number => {
    const timer = real.setTimeout(() => {
      pending.delete(timer);
      if (typeof handler === 'function') (handler as (...words: unknown[]) => void)(...given);
    }, milliseconds) as unknown as number;
    pending.add(timer);
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout(timer: number | undefined) {
      if (timer !== undefined) pending.delete(timer);
      real.clearTimeout(timer);
    },
  });
  afterThisTest(() => {
    Object.assign(globalThis, before);
  });
  return () => pending.size;
}

function countObservers(prototype: { observe: (...given: never[]) => void; disconnect: () => void }): () => number {
  const { observe, disconnect } = prototype;
  const watching = new Set<unknown>();
  Object.assign(prototype, {
    observe(this: unknown, ...given: never[]) {
      watching.add(this);
      observe.apply(this, given);
    },
    disconnect(this: unknown) {
      watching.delete(this);
      disconnect.apply(this);
    },
  });
  afterThisTest(() => {
    Object.assign(prototype, { observe, disconnect });
  });
  return () => watching.size;
}

function countStreams(): () => number {
  const real = globalThis.fetch;
  let open = 0;
  globalThis.fetch = async (input, init) => {
    const response = await real(input, init);
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response;
    open += 1;
    // ky passes a Request, which contains the signal.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.addEventListener('abort', () => (open -= 1), { once: true });
    return response;
  };
  afterThisTest(() => {
    globalThis.fetch = real;
  });
  return () => open;
}
