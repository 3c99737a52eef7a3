import { systemClock, type Clock } from '../../../runtime/clock.js';
import type { RevocationList } from '../../../access/ended-sessions.js';
import type { Log } from '../../../runtime/log.js';
import { StorageFailed, type Outbox } from '../../../outbox/outbox.js';
import { createSqlOutbox } from '../../../outbox/sql/sql-outbox.js';
import { createSqlPortalLists } from '../../../outbox/sql-portal-lists/sql-portal-lists.js';
import { createSqlCalendarFeeds } from '../../../outbox/sql-schedules/sql-calendar-feeds.js';
import { createSqlSchedules } from '../../../outbox/sql-schedules/sql-schedules.js';
import type { TokenSubject } from '../../../portal/token-seal.js';
import type { TokenStore } from '../../../portal/token-store.js';
import { DEFAULT_SCHEMA } from './postgres-connection.js';
import { createTables } from './postgres-database.js';
import { PostgresDriver } from './postgres-driver.js';
import { revocationChannel, PostgresEndedSessions } from './postgres-ended-sessions.js';
import { PostgresTokenStore } from './postgres-tokens.js';

export interface PostgresOutboxOptions {
  /** Proxies that share work share a schema. @default 'vendor_inventory' */
  readonly schema?: string;
  /**
   * The clock by which leases expire. Only the database's clock is shared by all machines; a test with simulated time uses
   * its own.
   *
   * @default 'database'
   */
  readonly clock?: 'caller' | 'database';
  /**
   * Logs when opening waits for another process that creates the tables, and while notifications of other proxies do not
   * arrive.
   */
  readonly log?: Log;
  /** Aborts that wait: opening then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface PostgresOutbox extends Outbox {
  /** Shares portal tokens among the proxies on this database: see `ProxyOptions.shareToken`. */
  readonly shareToken: (subject: TokenSubject) => TokenStore;
  /**
   * Shares sign-outs among the proxies on this database, until the outbox is closed: see `ProxyOptions.endedSessions`.
   *
   * @param clock default: the machine's clock
   * @param log reports while sign-outs of other proxies cannot be read
   * @throws {StorageFailed}
   */
  readonly endedSessions: (clock?: Clock, log?: Log) => Promise<RevocationList>;
}

/**
 * Opens the outbox in PostgreSQL, the store for several machines: any number of proxies share one database.
 *
 * @throws {StorageFailed} if the database cannot be used, or is configured so that it could lose accepted edits
 */
export async function openPostgresOutbox(url: string, options: PostgresOutboxOptions = {}): Promise<PostgresOutbox> {
  const { schema = DEFAULT_SCHEMA, clock = 'database', log, signal } = options;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) throw new StorageFailed(`${schema} is no name of a schema`);
  const connection = { url, schema };
  await createTables(connection, { log, signal });
  const driver = new PostgresDriver(connection, clock, log);
  const revocations = new Set<PostgresEndedSessions>();
  driver.notifications.also(revocationChannel(schema), (payload) => {
    for (const ended of revocations) ended.onNotification(payload);
  });
  await driver.notifications.listen();
  return {
    ...createSqlOutbox(driver),
    schedules: createSqlSchedules(driver),
    calendarFeeds: createSqlCalendarFeeds(driver),
    portalLists: createSqlPortalLists(driver),
    shareToken: (subject: TokenSubject) => new PostgresTokenStore(driver.readers, subject),
    async endedSessions(endedClock: Clock = systemClock, endedLog?: Log) {
      const ended = new PostgresEndedSessions(driver.readers, schema, endedClock, endedLog);
      revocations.add(ended);
      return ended.start();
    },
    async close() {
      for (const ended of revocations) ended.close();
      await driver.close();
    },
  };
}
