/** @param most milliseconds; at least half of it passes, so that not all pages come back at once. `signal` ends it */
export function pause(most: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, (most * (1 + Math.random())) / 2);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
