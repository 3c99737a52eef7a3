import { hash } from 'node:crypto';
import { uptime } from 'node:os';
import { resolve } from 'node:path';
import type { ProxyOptions } from '../options.js';
import { portalProfile, type PortalProfile } from '../portal/profile.js';
import { type Clock, systemClock } from '../runtime/clock.js';
import type { Digest } from '../runtime/hash.js';
import type { LogLevel } from '../runtime/log.js';
import { diskRoomOf } from './database/disk-space.js';
import { openSqliteOutbox, type SqliteOutbox } from './database/sqlite/outbox-sqlite.js';
import { createPortalFetch } from './portal-fetch.js';
import { readWidgetFiles } from './server/widget-files.js';
import { createJsonLog } from './telemetry/json-log.js';

/** What a proxy has of Node. Any of it may be put in another's place by an option that follows. */
export type NodeDefaults = Required<
  Pick<ProxyOptions, 'profile' | 'endedSessions' | 'hasDiskSpace' | 'files' | 'fetch' | 'clock' | 'digest' | 'log'>
> & { readonly outbox: SqliteOutbox };

/**
 * What `vendor-inventory proxy` gives its proxy beside the settings, for one that a host mounts: changes and sign-outs in
 * a file, no more taken in once its disk is full, the drop-in's script, a log, a clock that
 * knows sleep, and a fetch whose time-out for connecting is the profile's. Metrics are not among it, since somebody has to serve them: `createPrometheus`.
 *
 * @param database path of the SQLite file, which is made where there is none. One proxy a file
 * @throws {TypeError} for a URL or a profile that is none, {StorageFailed} when the file cannot be used
 * @example
 * createInventoryProxy({ ...(await nodeDefaults('inventory.sqlite')), portal, authenticate, allowedOrigins: [], publicUrl })
 */
export async function nodeDefaults(
  database: string,
  { profile: given, logLevel = 'info' }: { profile?: PortalProfile; logLevel?: LogLevel } = {},
): Promise<NodeDefaults> {
  // As in DATABASE_URL: it would become part of a file's name, and a password with it. A drive has one letter.
  if (/^[a-z]{2,}:/i.test(database)) {
    throw new TypeError(
      'nodeDefaults takes the path of a SQLite file, and no URL; PostgreSQL is opened by openPostgresOutbox',
    );
  }
  // Before the file, whose lock would stay if one of these failed.
  const profile = portalProfile.parse(given ?? {});
  const files = await readWidgetFiles();
  // As SQLite does: the host may go to another folder.
  const path = resolve(database);
  const outbox = openSqliteOutbox(path);
  return {
    profile,
    outbox,
    endedSessions: outbox.endedSessions(),
    hasDiskSpace: diskRoomOf(path),
    files,
    fetch: createPortalFetch(profile.timeouts.connect_ms).fetch,
    clock: nodeClock,
    digest: nodeDigest,
    log: createJsonLog(logLevel),
  };
}

/** The clocks of this machine, with the one that knows how long it has slept. */
export const nodeClock: Clock = { ...systemClock, uptime: () => uptime() * 1000 };

/** At once: the web's digest would take a way through another thread, which costs more than a small text does. */
export const nodeDigest = ((text) => hash('sha256', text)) satisfies Digest;
