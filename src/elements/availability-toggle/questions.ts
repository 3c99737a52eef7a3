/** What a toggle asks its person now and then. One part of the script: it has the hash of each. */
export * from './confirm-question.js';
export * from '../shared/item-trouble.js';
