import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StorageFailed } from '../outbox.js';
import { MIGRATIONS } from './sqlite-schema.js';

/**
 * Opens the one connection of this process to its file, and refuses to go on where a promise could not be kept.
 *
 * WAL with `synchronous=NORMAL`, the default of several drivers, may drop acknowledged commits at a power cut; so FULL is
 * set and read back. An exclusive lock keeps a second process off the file.
 *
 * @throws {StorageFailed} with one clear line; the file and its log are left as they are
 */
export function openDatabase(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    const inspected = statSync(path, { throwIfNoEntry: false })?.isFile() === true && inspect(path);
    database = new Database(path, { timeout: 0 });
    expectPragma(database, 'locking_mode = EXCLUSIVE', 'exclusive');
    expectPragma(database, 'journal_mode = WAL', 'wal');
    database.pragma('synchronous = FULL');
    expectPragma(database, 'synchronous', 2);
    if (!inspected) refuseUnfit(database, path);
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StorageFailed ? error : new StorageFailed(explain(path, error), { cause: error });
  }
}

/**
 * Looks at the file by a connection that cannot write. One that can folds the log of a crash into the file when it
 * closes, and nobody could rescue anything from a damaged file after that.
 *
 * @returns whether it could look: some states need a repair before anybody can read
 */
function inspect(path: string): boolean {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, timeout: 0 });
    refuseUnfit(database, path);
    return true;
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_READONLY')) return false;
    throw error;
  } finally {
    database?.close();
  }
}

function refuseUnfit(database: Database.Database, path: string): void {
  const damage: unknown = database.pragma('quick_check(1)', { simple: true });
  if (damage !== 'ok') throw new StorageFailed(damaged(path), { cause: damage });
  if (Number(database.pragma('user_version', { simple: true })) > MIGRATIONS.length) {
    throw new StorageFailed(`${path} was written by a newer version; start that version, or use another file`);
  }
}

function expectPragma(database: Database.Database, pragma: string, expected: unknown): void {
  const value: unknown = database.pragma(pragma, { simple: true });
  if (value !== expected)
    throw new StorageFailed(`PRAGMA ${pragma} answered ${String(value)}, not ${String(expected)}`);
}

function migrate(database: Database.Database): void {
  const run = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }));
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.pragma(`user_version = ${String(MIGRATIONS.length)}`);
  });
  // Immediate, so that the exclusive lock is taken now and not at the first edit.
  run.immediate();
}

function explain(path: string, error: unknown): string {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_BUSY')) return `${path} is in use by another process; one proxy per file`;
  if (code.startsWith('SQLITE_READONLY')) return `${path} cannot be written; check its owner and mode`;
  if (code.startsWith('SQLITE_CANTOPEN'))
    return `${path} cannot be opened; check that its folder exists and is writable`;
  if (code.startsWith('SQLITE_FULL')) return `no space left for ${path}`;
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return damaged(path);
  }
  return `${path}: ${error instanceof Error ? error.message : String(error)}`;
}

function damaged(path: string): string {
  return `${path} is damaged or no SQLite database; it was left as it is`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
