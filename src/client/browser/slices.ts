/** A slice of work, with room for the page's own in a frame of 16 ms on a machine four times slower. */
const SLICE_MS = 8;

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

/** What was just changed can be seen: whatever else there is to do need not keep a person waiting. */
export function nextPicture(): Promise<void> {
  return new Promise((resolve) => {
    // A page that nobody sees draws none, and neither does a frame far below the screen.
    if (document.hidden) resolve();
    setTimeout(resolve, MOST_MS_TO_PICTURE);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** A message, and no timer: browsers hold timers back, to a second where nobody looks. */
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
