import { waitUntil } from '@open-wc/testing';

/**
 * Looks often, because most of what a test waits for is a few milliseconds away; and for long, because a busy machine makes
 * seconds of them, and that is no fault of the product.
 */
export function until(condition: () => unknown, what: string): Promise<void> {
  return waitUntil(condition, what, { interval: 5, timeout: 30_000 });
}
