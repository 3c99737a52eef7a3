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
   * Which clock leases run out on. The database's is the only one that all machines share; a test in virtual time has
   * its own.
   *
   * @default 'database'
   */
  readonly clock?: 'caller' | 'database';
  /** Told where opening has to wait for another process that makes the tables, and while other proxies are not heard. */
  readonly log?: Log;
  /** Ends that wait: opening rejects with its reason then. */
  readonly signal?: AbortSignal;
}

export interface PostgresOutbox extends Outbox {
  /** Where proxies on this database share their portal tokens: see `ProxyOptions.shareToken`. */
  readonly shareToken: (subject: TokenSubject) => TokenStore;
  /**
   * Where they share sign-outs, until the outbox is closed: see `ProxyOptions.endedSessions`.
   *
   * @param clock default: the machine's
   * @param log told while others' sign-outs cannot be looked for
   * @throws {StorageFailed}
   */
  readonly endedSessions: (clock?: Clock, log?: Log) => Promise<RevocationList>;
}

/**
 * The outbox in PostgreSQL: the store of several machines, any number of proxies on one database.
 *
 * @throws {StorageFailed} when the database cannot be used, or would not keep what it took
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
