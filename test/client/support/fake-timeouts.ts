import { afterThisTest } from './clean-up.js';

/** Replaces time-outs by ones that the test ends. */
export function fakeTimeouts(): { asked: number[]; end: () => void; restore: () => void } {
  const { timeout } = AbortSignal;
  const controller = new AbortController();
  const asked: number[] = [];
  AbortSignal.timeout = (milliseconds) => {
    asked.push(milliseconds);
    return controller.signal;
  };
  const restore = (): void => {
    AbortSignal.timeout = timeout;
  };
  afterThisTest(restore);
  return {
    asked,
    restore,
    end: () => {
      controller.abort();
    },
  };
}
