import { waitUntil } from '@open-wc/testing';

/** The fault campaign gives up sooner, because it runs tests that have to wait in vain. */
const { TEST_WAIT_MS = 120_000 } = globalThis as { readonly TEST_WAIT_MS?: number };

/**
 * Polls often, because most conditions are met within milliseconds. The limit is no claim about speed: it ends a wait
 * for something that never comes, and a busy machine takes many seconds for what a quiet one does in one.
 */
export function until(condition: () => unknown, what: string): Promise<void> {
  return waitUntil(condition, what, { interval: 5, timeout: TEST_WAIT_MS });
}
