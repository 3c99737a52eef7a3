const MOST_MS_TO_PICTURE = 200;

/** Does the work for each, and lets the page draw and hear its person in between. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < until) continue;
    await nextTask();
    until = performance.now() + SLICE_MS;
  }
}

/** Resolves when the browser has drawn what was just changed, so that other work keeps no person waiting. */
export function nextPicture(): Promise<void> {
  return new Promise((resolve) => {
    // A hidden page draws no frame, and neither does an iframe far below the viewport.
    if (document.hidden) resolve();
    setTimeout(resolve, MOST_MS_TO_PICTURE);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** A new task by a message, because browsers delay the timers of a hidden page by up to a second. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** When a slice of work ends, and when the next one begins. */
export interface Pace {
  /** Milliseconds that only go up. */
  readonly now: () => number;
  /** Calls once, in another task. */
  readonly later: (work: () => void) => void;
}

/** Two slices of work and a frame's drawing fit into the 50 ms after which a page feels slow, also on a slow phone. */
export const SLICE_MS = 6;

/** Items between two looks at the clock: a job yields after as many. */
export const STEP = 256;

let idle: IdleDeadline | undefined;

/** For what nobody waits for. */
export const whenIdle: Pace = {
  now: () => performance.now(),
  later: (work) => {
    // What is asked for in an idle period comes in the next one, up to 50 ms later: the rest of this one would be lost.
    if (typeof requestIdleCallback !== 'function' || (idle?.timeRemaining() ?? 0) > SLICE_MS) {
      void nextTask().then(work);
      return;
    }
    const onIdle = (deadline: IdleDeadline): void => {
      idle = deadline;
      work();
    };
    // A page that is never idle, or hidden, goes on all the same.
    requestIdleCallback(onIdle, { timeout: 500 });
  },
};

/** The same, but nothing before what was just made can be seen. */
export function whenSeen(): Pace {
  let later: Pace['later'] = (work) => void nextPicture().then(() => void whenIdle.later(work));
  return {
    now: whenIdle.now,
    later: (work) => {
      later(work);
      later = whenIdle.later;
    },
  };
}

/** For the next piece of what nobody waits for; where nobody looks, at once, because idle callbacks hardly come there. */
export function nextIdle(): Promise<void> {
  return document.hidden ? nextTask() : new Promise(whenIdle.later);
}

/** For what a person looks at. */
export const rightAway: Pace = { now: whenIdle.now, later: (work) => void nextTask().then(work) };

/**
 * Runs a job to its end in slices: each ends at the first yield after its time is up.
 *
 * @param onSlice after each slice, with whether more follows
 * @param start whether the first slice is done on return
 * @returns drops what is left
 */
export function workOff(
  job: Iterator<void>,
  pace: Pace,
  onSlice: (more: boolean) => void,
  start: 'later' | 'now' = 'later',
): () => void {
  let dropped = false;
  const slice = (): void => {
    if (dropped) return;
    const end = pace.now() + SLICE_MS;
    let more: boolean;
    do more = job.next().done !== true;
    while (more && pace.now() < end);
    if (more) pace.later(slice);
    onSlice(more);
  };
  if (start === 'now') slice();
  else pace.later(slice);
  return () => {
    dropped = true;
  };
}
