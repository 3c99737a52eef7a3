/** What a page needs once its first rows can be used: the way out for edits, and the way in for news. Loaded as one part. */
export { editCalls } from '../api/proxy-client.js';
export { Handover } from './handover.js';
export { findOrphanedEdits } from './orphaned-edits.js';
export { LiveUpdates } from '../sync/live-updates.js';

// For whoever builds the page; the person at it can do nothing about it.
if (!isSecureContext) {
  console.info('vendor-inventory-widget: without https browsers may clear what waits here.');
}
