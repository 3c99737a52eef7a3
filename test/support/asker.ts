import type { Asker } from '../../src/proxy/outbox/outbox.js';

/** Somebody of this vendor; the one whose batches the tests of the stores accept, where nobody else is named. */
export function askerOf(vendor: string, subject = 'person-a'): Asker {
  return { vendor, subject };
}
