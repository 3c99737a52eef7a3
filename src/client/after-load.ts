/** What a page needs once its first rows can be used: the way out for edits, and the way in for news. Loaded as one part. */
export { Handover } from './handover.js';
export { Updates } from './updates.js';
