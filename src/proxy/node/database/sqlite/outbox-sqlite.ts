import type Database from 'better-sqlite3';
import { systemClock, type Clock } from '../../../runtime/clock.js';
import type { Outbox } from '../../../outbox/outbox.js';
import { createSqlOutbox } from '../../../outbox/sql/sql-outbox.js';
import { createSqlSchedules } from '../../../outbox/sql-schedules/sql-schedules.js';
import { openDatabase, openInMemory } from './sqlite-database.js';
import { SqliteDriver } from './sqlite-driver.js';
import { KeptEndedSessions, type EndedRow } from './sqlite-ended-sessions.js';

export interface SqliteOutbox extends Outbox {
  /** Sign-outs that outlive the process, in the same file: see `ProxyOptions.endedSessions`. @param clock default: the machine's */
  readonly endedSessions: (clock?: Clock) => KeptEndedSessions;
}

/**
 * The outbox in one SQLite file: the store of a single machine.
 *
 * @throws {StorageFailed} when the file cannot be used
 */
export function openSqliteOutbox(path: string): SqliteOutbox {
  return outboxOn(openDatabase(path));
}

/** For tests: the same outbox without a file. It ends with the process. */
export function openMemoryOutbox(): SqliteOutbox {
  return outboxOn(openInMemory());
}

function outboxOn(database: Database.Database): SqliteOutbox {
  // The process that held them is gone: only one has the file.
  database.exec('UPDATE lane SET lease_until = 0');
  const driver = new SqliteDriver(database);
  const endedSessions = (clock: Clock = systemClock): KeptEndedSessions => {
    const rows = database.prepare<[], EndedRow>('SELECT token, until FROM ended_session').all();
    return new KeptEndedSessions(driver, rows, clock);
  };
  return { ...createSqlOutbox(driver), schedules: createSqlSchedules(driver), endedSessions };
}
