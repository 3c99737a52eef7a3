/** The code that a page needs once its first rows are usable: sending edits, and live updates. It is loaded as one chunk. */
export { Handover } from './handover.js';
export { findOrphanedEdits } from './orphaned-edits.js';
export { LiveUpdates } from '../sync/live-updates.js';

// This is for the developer of the page; its visitor can do nothing about it.
if (!isSecureContext) {
  console.info('vendor-inventory-widget: without https browsers may clear what waits here.');
}
