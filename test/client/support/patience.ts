import { afterThisTest } from './clean-up.js';

/** Patience that ends when the test says so. */
export function patience(): { asked: number[]; end: () => void } {
  const { timeout } = AbortSignal;
  const controller = new AbortController();
  const asked: number[] = [];
  AbortSignal.timeout = (milliseconds) => {
    asked.push(milliseconds);
    return controller.signal;
  };
  afterThisTest(() => {
    AbortSignal.timeout = timeout;
  });
  return {
    asked,
    end: () => {
      controller.abort();
    },
  };
}
