import type Database from 'better-sqlite3';
import { systemClock, type Clock } from '../../../runtime/clock.js';
import type { RevocationList } from '../../../access/ended-sessions.js';
import type { Outbox } from '../../../outbox/outbox.js';
import { createSqlOutbox } from '../../../outbox/sql/sql-outbox.js';
import { createSqlPortalLists } from '../../../outbox/sql-portal-lists/sql-portal-lists.js';
import { createSqlCalendarFeeds } from '../../../outbox/sql-schedules/sql-calendar-feeds.js';
import { createSqlSchedules } from '../../../outbox/sql-schedules/sql-schedules.js';
import { openDatabase, openInMemory, type OpenOptions } from './sqlite-database.js';
import { SqliteDriver } from './sqlite-driver.js';
import type { RevocationRow } from '../revocation-rows.js';
import { storedSignOuts } from './sqlite-ended-sessions.js';

export interface SqliteOutbox extends Outbox {
  /**
   * Sign-outs in the same file, which survive a restart: see `ProxyOptions.endedSessions`.
   *
   * @param clock default: the machine's clock
   */
  readonly endedSessions: (clock?: Clock) => RevocationList;
}

/**
 * Opens the outbox in one SQLite file, the store for a single machine.
 *
 * @throws {StorageFailed} if the file cannot be used
 */
export function openSqliteOutbox(path: string, options?: OpenOptions): SqliteOutbox {
  return outboxOn(openDatabase(path, options));
}

/** The same outbox in memory, for tests. It ends with the process. */
export function openMemoryOutbox(): SqliteOutbox {
  return outboxOn(openInMemory());
}

function outboxOn(database: Database.Database): SqliteOutbox {
  // Leases and claims of an earlier process are void, because only one process can have the file open.
  database.exec('UPDATE lane SET lease_until = 0; UPDATE portal_list SET claimed_until = 0');
  const driver = new SqliteDriver(database);
  const endedSessions = (clock: Clock = systemClock): RevocationList => {
    const rows = database.prepare<[], RevocationRow>('SELECT token, until, issued_until FROM revoked_token').all();
    return storedSignOuts(driver, rows, clock);
  };
  return {
    ...createSqlOutbox(driver),
    schedules: createSqlSchedules(driver),
    calendarFeeds: createSqlCalendarFeeds(driver),
    portalLists: createSqlPortalLists(driver),
    endedSessions,
  };
}
