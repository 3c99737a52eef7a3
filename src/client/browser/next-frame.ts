const MAX_WAIT_FOR_FRAME_MS = 200;

/** Does the work for each item, in slices between which the page can draw and handle input. */
export async function processInChunks<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < until) continue;
    await yieldToEventLoop();
    until = performance.now() + SLICE_MS;
  }
}

/** Resolves when the browser has drawn the last changes, so that other work does not delay them. */
export function afterNextPaint(): Promise<void> {
  return new Promise((resolve) => {
    // A hidden page draws no frame, and neither does an iframe far below the viewport.
    if (document.hidden) resolve();
    setTimeout(resolve, MAX_WAIT_FOR_FRAME_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Resolves in a new task. It uses a message, because browsers delay the timers of a hidden page by up to a second. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Decides when a slice of work ends and when the next one begins. */
export interface Scheduler {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Calls the work once, in another task. */
  readonly later: (work: () => void) => void;
}

/** Short enough that two slices and the drawing of a frame take less than 50 ms, also on a slow phone. */
export const SLICE_MS = 6;

/** A job yields after this many items, so that it does not read the clock for each. */
export const STEP = 256;

let idle: IdleDeadline | undefined;

/** For background work: slices run while the page is idle. */
export const idleScheduler: Scheduler = {
  now: () => performance.now(),
  later: (work) => {
    // A callback that is requested in an idle period runs in the next one, up to 50 ms later. While this period has time
    // left, a plain task uses it.
    if (typeof requestIdleCallback !== 'function' || (idle?.timeRemaining() ?? 0) > SLICE_MS) {
      void yieldToEventLoop().then(work);
      return;
    }
    const onIdle = (deadline: IdleDeadline): void => {
      idle = deadline;
      work();
    };
    // The timeout keeps the work going on a page that is hidden or never idle.
    requestIdleCallback(onIdle, { timeout: 500 });
  },
};

/** As `idleScheduler`, but the first slice waits until the browser has drawn the last changes. */
export function createAfterPaintScheduler(): Scheduler {
  let later: Scheduler['later'] = (work) => void afterNextPaint().then(() => void idleScheduler.later(work));
  return {
    now: idleScheduler.now,
    later: (work) => {
      later(work);
      later = idleScheduler.later;
    },
  };
}

/** Resolves when the page is idle; in a hidden page, which hardly gets idle callbacks, in the next task. */
export function untilIdle(): Promise<void> {
  return document.hidden ? yieldToEventLoop() : new Promise(idleScheduler.later);
}

/** For work whose result a person waits for: slices run one task after the other. */
export const immediateScheduler: Scheduler = {
  now: idleScheduler.now,
  later: (work) => void yieldToEventLoop().then(work),
};

/**
 * Runs a job to its end in slices. A slice ends at the first yield after its time.
 *
 * @param onSlice called after each slice, with whether more follow
 * @param start `now` runs the first slice before the function returns
 * @returns a function that cancels the rest of the job
 */
export function runInSlices(
  job: Iterator<void>,
  scheduler: Scheduler,
  onSlice: (more: boolean) => void,
  start: 'later' | 'now' = 'later',
): () => void {
  let dropped = false;
  const slice = (): void => {
    if (dropped) return;
    const end = scheduler.now() + SLICE_MS;
    let more: boolean;
    do more = job.next().done !== true;
    while (more && scheduler.now() < end);
    if (more) scheduler.later(slice);
    onSlice(more);
  };
  if (start === 'now') slice();
  else scheduler.later(slice);
  return () => {
    dropped = true;
  };
}
