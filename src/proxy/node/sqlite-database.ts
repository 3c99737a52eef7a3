import Database from 'better-sqlite3';
import { StorageFailed } from '../outbox.js';
import { MIGRATIONS } from './sqlite-schema.js';

/**
 * Opens the one connection of this process to its file, and refuses to go on where a promise could not be kept.
 *
 * WAL with `synchronous=NORMAL`, the default of several drivers, may drop acknowledged commits at a power cut; so FULL is
 * set and read back. An exclusive lock keeps a second process off the file.
 *
 * @throws {StorageFailed} with one clear line; the file is left as it is
 */
export function openDatabase(path: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    expectPragma(database, 'locking_mode = EXCLUSIVE', 'exclusive');
    expectPragma(database, 'journal_mode = WAL', 'wal');
    database.pragma('synchronous = FULL');
    expectPragma(database, 'synchronous', 2);
    expectPragma(database, 'quick_check(1)', 'ok');
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StorageFailed ? error : new StorageFailed(explain(path, error), { cause: error });
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
    if (version > MIGRATIONS.length) {
      throw new StorageFailed('the database was written by a newer version; start that version, or use another file');
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.pragma(`user_version = ${String(MIGRATIONS.length)}`);
  });
  // Immediate, so that the exclusive lock is taken now and not at the first edit.
  run.immediate();
}

function explain(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY')) return `${path} is in use by another process; one proxy per file`;
  if (code.startsWith('SQLITE_READONLY')) return `${path} cannot be written; check its owner and mode`;
  if (code.startsWith('SQLITE_CANTOPEN'))
    return `${path} cannot be opened; check that its folder exists and is writable`;
  if (code.startsWith('SQLITE_FULL')) return `no space left for ${path}`;
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return `${path} is damaged or no SQLite database; it was left as it is`;
  }
  return `${path}: ${error instanceof Error ? error.message : String(error)}`;
}
