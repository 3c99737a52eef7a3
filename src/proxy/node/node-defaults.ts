import { hash } from 'node:crypto';
import { uptime } from 'node:os';
import { resolve } from 'node:path';
import type { ProxyOptions } from '../options.js';
import { portalProfile, type PortalProfile } from '../portal/profile.js';
import { type Clock, systemClock } from '../runtime/clock.js';
import type { Digest } from '../runtime/hash.js';
import type { LogLevel } from '../runtime/log.js';
import { createCalendarSource } from './calendar/calendar-source.js';
import { diskRoomOf } from './database/disk-space.js';
import { openSqliteOutbox, type SqliteOutbox } from './database/sqlite/outbox-sqlite.js';
import { createPortalFetch } from './portal-fetch.js';
import { readWidgetFiles } from './server/widget-files.js';
import { createJsonLog } from './telemetry/json-log.js';

/** The options of a proxy that depend on Node. An option that follows in the object replaces any of them. */
export type NodeDefaults = Required<
  Pick<
    ProxyOptions,
    'profile' | 'endedSessions' | 'hasDiskSpace' | 'files' | 'fetch' | 'calendars' | 'clock' | 'digest' | 'log'
  >
> & { readonly outbox: SqliteOutbox };

/**
 * The options that `vendor-inventory proxy` uses beside its settings, for a proxy that a host mounts: storage in a SQLite
 * file, a check for free disk space, the drop-in's script, a reader of calendars, a log, a clock that knows how long the machine slept, and a
 * fetch with the profile's timeout for connecting. Metrics are left out, because the host has to serve them: see
 * `createPrometheus`.
 *
 * @param database path of the SQLite file, which is created if it does not exist. Each proxy needs a file of its own
 * @throws {TypeError} if the path is a URL, zod's error for an invalid profile, {StorageFailed} if the file cannot be used
 * @example
 * createInventoryProxy({ ...(await nodeDefaults('inventory.sqlite')), portal, authenticate, allowedOrigins: [], publicUrl })
 */
export async function nodeDefaults(
  database: string,
  { profile: given, logLevel = 'info' }: { profile?: PortalProfile; logLevel?: LogLevel } = {},
): Promise<NodeDefaults> {
  // A URL as in DATABASE_URL would become a file name that holds a password. The scheme of a drive has one letter.
  if (/^[a-z]{2,}:/i.test(database)) {
    throw new TypeError(
      'nodeDefaults takes the path of a SQLite file, and no URL; PostgreSQL is opened by openPostgresOutbox',
    );
  }
  // Both come before the file is opened: if one of them fails, the file must not stay locked.
  const profile = portalProfile.parse(given ?? {});
  const files = await readWidgetFiles();
  // Resolved as SQLite does when it opens the file, because the host may change its working directory later.
  const path = resolve(database);
  const outbox = openSqliteOutbox(path);
  return {
    profile,
    outbox,
    endedSessions: outbox.endedSessions(),
    hasDiskSpace: diskRoomOf(path),
    files,
    fetch: createPortalFetch(profile.timeouts.connect_ms).fetch,
    calendars: createCalendarSource(),
    clock: nodeClock,
    digest: nodeDigest,
    log: createJsonLog(logLevel),
  };
}

/** The clocks of this machine, including the uptime, which counts its sleep. */
export const nodeClock: Clock = { ...systemClock, uptime: () => uptime() * 1000 };

/** Synchronous, because Web Crypto hashes in another thread, which takes longer than hashing a small text. */
export const nodeDigest = ((text) => hash('sha256', text)) satisfies Digest;
