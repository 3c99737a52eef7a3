import Database from 'better-sqlite3';

// For `node --import`: a proxy with a defect that the campaign has to detect. Commits are not synced, and the pragma
// reports that they are.
const honest = Object.getOwnPropertyDescriptor(Database.prototype, 'pragma')?.value as typeof Database.prototype.pragma;

Database.prototype.pragma = function (this: Database.Database, source: string, options?: Database.PragmaOptions) {
  if (source === 'synchronous') return 2;
  return honest.call(this, source.replace('synchronous = FULL', 'synchronous = NORMAL'), options);
};
