import { copyFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StorageFailed } from '../../../outbox/outbox.js';
import { nodeVersionFault } from '../../node-version.js';
import { writeLogAgain } from './sqlite-log-again.js';
import { findLogDamage } from './sqlite-log-check.js';
import { schemaFor, SCHEMA_VERSION } from '../../../outbox/sql/tables/schema.js';
import { SQLITE } from '../../../outbox/sql/tables/database.js';

/** "Vnvt", so that the file of another program is recognized. */
const APPLICATION_ID = 0x566e7674;

/** Size to which the write-ahead log grows before it is written back to the file. */
const LOG_BYTES = 16 * 1024 * 1024;

/**
 * Opens this process's only connection to its file, and fails if a promise could not be kept.
 *
 * WAL with `synchronous=NORMAL`, the default of several drivers, may lose acknowledged commits at a power cut, so FULL is
 * set and read back. An exclusive lock excludes other processes from the file.
 *
 * @throws {StorageFailed} with one clear line; the file and its log are left unchanged
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database.Database {
  // A host that mounts the proxy does not use the command, which checks the version first.
  if (nodeVersionFault !== undefined) throw new StorageFailed(nodeVersionFault);
  let database: Database.Database | undefined;
  try {
    const inspected = statSync(path, { throwIfNoEntry: false })?.isFile() === true && inspect(path);
    // Only after it is known that no other process writes to the log.
    handleLogDamage(path, options);
    database = new Database(path, { timeout: 0 });
    expectPragma(database, 'locking_mode = EXCLUSIVE', 'exclusive');
    if (!inspected) refuseWhatIsNotOurs(database, path);
    // For a new file only: a commit writes each page with two calls, so fewer, larger pages are faster.
    database.pragma('page_size = 8192');
    expectPragma(database, 'journal_mode = WAL', 'wal');
    writeLogAgain(path);
    database.pragma('synchronous = FULL');
    expectPragma(database, 'synchronous', 2);
    // Fewer checkpoints: a page that many commits change is written back only once.
    const pages = Math.ceil(LOG_BYTES / Number(read(database, 'page_size')));
    database.pragma(`wal_autocheckpoint = ${String(pages)}`);
    // The statement journal of triggers is kept in memory; in a temporary file it takes a third of the time for accepting a
    // batch.
    database.pragma('temp_store = MEMORY');
    // In KiB, half the default: pending edits should take space on the disk, not in memory.
    database.pragma('cache_size = -8000');
    // Makes a sync reach the disk on macOS, too, where a plain fsync does not.
    database.pragma('fullfsync = ON');
    database.pragma('checkpoint_fullfsync = ON');
    createTables(database);
    enforceForeignKeys(database);
    return database;
  } catch (error) {
    database?.close();
    throw storageFailed(path, error);
  }
}

export interface OpenOptions {
  /**
   * Accepts the loss of the edits in a damaged part of the log. A copy of the log is kept beside it. Default: a file with a
   * damaged log is not opened.
   */
  readonly acceptLogDamage?: boolean | undefined;
}

function handleLogDamage(path: string, { acceptLogDamage }: OpenOptions): void {
  const damage = findLogDamage(path);
  if (damage === undefined) return;
  if (acceptLogDamage === true) {
    copyFileSync(damage.path, `${damage.path}.damaged`);
    return;
  }
  throw new StorageFailed(
    `${damage.path} is damaged at byte ${String(damage.atByte)}: ${String(damage.commits)} commits of accepted changes behind it ` +
      'would be lost; it was left as it is; see "The log is damaged" in the runbook',
  );
}

/** The same tables in memory; nothing is stored. */
export function openInMemory(): Database.Database {
  const database = new Database(':memory:');
  createTables(database);
  enforceForeignKeys(database);
  return database;
}

function enforceForeignKeys(database: Database.Database): void {
  database.pragma('foreign_keys = ON');
  expectPragma(database, 'foreign_keys', 1);
}

/** Whether the disk or the file is at fault, and not the statement. */
export function isStorageError(error: unknown): boolean {
  return (
    codeOf(error).startsWith('SQLITE_') &&
    !/^SQLITE_(CONSTRAINT|ERROR|MISUSE|RANGE|MISMATCH|TOOBIG)/.test(codeOf(error))
  );
}

export function storageFailed(path: string, error: unknown): StorageFailed {
  return error instanceof StorageFailed ? error : new StorageFailed(explain(path, error), { cause: error });
}

function expectPragma(database: Database.Database, pragma: string, expected: unknown): void {
  const value = read(database, pragma);
  if (value !== expected)
    throw new StorageFailed(`PRAGMA ${pragma} answered ${String(value)}, not ${String(expected)}`);
}

/**
 * Inspects the file with a read-only connection. A writable connection would write the log of a crash back into the file
 * when it closes, and a damaged file could not be rescued after that.
 *
 * @returns whether the inspection was possible: some states need a repair before they can be read
 */
function inspect(path: string): boolean {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, timeout: 0 });
    refuseWhatIsNotOurs(database, path);
    return true;
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_READONLY')) return false;
    throw error;
  } finally {
    database?.close();
  }
}

/** Called before the first write, so that a rejected file stays unchanged. */
function refuseWhatIsNotOurs(database: Database.Database, path: string): void {
  if (read(database, 'quick_check(1)') !== 'ok') throw new StorageFailed(damaged(path));
  if (hasNoTables(database)) return;
  if (read(database, 'application_id') !== APPLICATION_ID) {
    throw new StorageFailed(`${path} is the database of another program; use another file`);
  }
  const version = Number(read(database, 'user_version'));
  if (version > SCHEMA_VERSION) {
    throw new StorageFailed(`${path} was written by a newer version; start that version, or use another file`);
  }
  if (version < SCHEMA_VERSION) {
    throw new StorageFailed(`${path} was written by an older version; start that version, or use another file`);
  }
}

function createTables(database: Database.Database): void {
  const run = database.transaction(() => {
    if (!hasNoTables(database)) return;
    database.exec(schemaFor(SQLITE));
    database.pragma(`application_id = ${String(APPLICATION_ID)}`);
    database.pragma(`user_version = ${String(SCHEMA_VERSION)}`);
  });
  // Immediate, so that the exclusive lock is taken now and not at the first edit.
  run.immediate();
}

function hasNoTables(database: Database.Database): boolean {
  return database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

function read(database: Database.Database, pragma: string): unknown {
  return database.pragma(pragma, { simple: true });
}

function explain(path: string, error: unknown): string {
  const code = codeOf(error);
  if (code.startsWith('SQLITE_BUSY')) return `${path} is in use by another process; one proxy per file`;
  // The exclusive lock needs a writable file, and the log needs a folder in which a file can be created.
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_IOERR_LOCK') {
    return `${path} cannot be written; check its owner and mode, and those of its folder, and that its disk knows locks`;
  }
  // The driver's own error has no code.
  if (code.startsWith('SQLITE_CANTOPEN') || (error instanceof TypeError && error.message.includes('directory')))
    return `${path} cannot be opened; check its owner and mode, and that its folder exists and is writable`;
  // ENOSPC comes from `writeLogAgain`: some file systems need free space even to overwrite bytes.
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') return `no space left for ${path}`;
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
