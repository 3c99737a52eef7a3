import type { Viewer } from '../../src/proxy/outbox/outbox.js';

/** A person of this vendor. The default is the person whose batches the tests of the outboxes accept. */
export function viewerOf(vendor: string, subject = 'person-a'): Viewer {
  return { vendor, subject };
}
