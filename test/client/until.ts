import { waitUntil } from '@open-wc/testing';

/** Looks often, because most of what a test waits for is a few milliseconds away, and long, because machines are busy. */
export function until(condition: () => unknown, what: string): Promise<void> {
  return waitUntil(condition, what, { interval: 5, timeout: 5_000 });
}
