/** What a page needs once its first rows can be used: the way out for edits, and the way in for news. Loaded as one part. */
export { editCalls } from './edit-calls.js';
export { Handover } from './handover.js';
export { askAboutUnclaimed } from './unclaimed.js';
export { Updates } from './updates.js';

// For whoever builds the page; the person at it can do nothing about it.
if (!isSecureContext) {
  console.info(
    'vendor-inventory-widget: this page is not served by https, so the browser lets its tabs not take turns in sending ' +
      '(harmless: the proxy knows each edit by its id), and may clear what waits on this device. Serve it by https.',
  );
}
