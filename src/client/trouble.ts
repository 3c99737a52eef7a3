/** What a visit without trouble never loads. One part of the script: it has the hash of each. */
export * from './decisions.js';
export { refusalOf } from './refusal.js';
