import type { Viewer } from '../../src/proxy/outbox/outbox.js';

/** Somebody of this vendor; the one whose batches the tests of the stores accept, where nobody else is named. */
export function viewerOf(vendor: string, subject = 'person-a'): Viewer {
  return { vendor, subject };
}
