import { statSync } from 'node:fs';
import { authenticateByEmbedToken } from '../../access/embed-token.js';
import { createItemCatalog } from '../../access/item-catalog.js';
import type { ProxyOptions } from '../../options.js';
import type { Outbox } from '../../outbox/outbox.js';
import { createInventoryProxy } from '../../proxy.js';
import type { PublicFiles } from '../../routes/public-routes.js';
import type { Log } from '../../runtime/log.js';
import { createCalendarSource } from '../calendar/calendar-source.js';
import type { Environment } from '../config/env-reader.js';
import {
  type CatalogLocation,
  type DatabaseConfig,
  type ProxyConfig,
  readProxyConfig,
} from '../config/proxy-config.js';
import { diskRoomOf } from '../database/disk-space.js';
import { openPostgresOutbox } from '../database/postgres/outbox-postgres.js';
import { openSqliteOutbox } from '../database/sqlite/outbox-sqlite.js';
import type { OpenOptions } from '../database/sqlite/sqlite-database.js';
import { readCatalog } from '../item-catalog-reader.js';
import { nodeClock, nodeDigest } from '../node-defaults.js';
import { createPortalFetch, type PortalFetch } from '../portal-fetch.js';
import { listen } from '../server/http-server.js';
import { serveMetrics } from '../server/metrics-server.js';
import { operatorSocketPath, serveOperator } from '../server/operator-socket.js';
import { missingScripts, readWidgetFiles } from '../server/widget-files.js';
import { createJsonLog } from '../telemetry/json-log.js';
import { createPrometheus, type Prometheus } from '../telemetry/prometheus.js';
import { type ReloadableItems, type ReloadableParts, reloadProxy } from './reload-proxy.js';

/**
 * `vendor-inventory proxy`: runs the proxy alone, with settings from the environment.
 *
 * @param signal aborts a start that waits for another process
 * @returns a function that stops the proxy
 */
export async function startProxy(
  environment: Environment,
  signal: AbortSignal,
  options: OpenOptions = {},
): Promise<() => Promise<void>> {
  const hangUps = listenForHangUp();
  const settings = readProxyConfig(environment);
  // Only this user may read what the process writes: the database, its log, and the operator's socket.
  process.umask(0o077);
  const log = createJsonLog(settings.logLevel);
  const files = await readFiles(settings.widgetDirectory, log);
  const { database } = settings;
  const storage = await openStorage(database, log, signal, options);
  if (database.kind === 'file') warnOfOpenMode(database.path, log);
  const portalFetch = createPortalFetch(settings.portal.profile.timeouts.connect_ms, settings.forwardProxy);
  const prometheus = createPrometheus();
  const parts = createParts(settings, { storage, files, portalFetch, prometheus, log });
  const { proxy } = parts;
  const server = await listen((request, from) => proxy.fetch(request, from), {
    ...settings,
    ownsProcess: true,
  }).catch((error: unknown) => closeAndThrow(storage.outbox, error));
  // Started before the first request, because an accepted edit waits until the stored items match the settings.
  proxy.start();
  const closeSocket =
    database.kind === 'file'
      ? await serveOperator((request) => proxy.operate(request), operatorSocketPath(database.path), log)
      : () => undefined;
  log('info', 'proxy listens', { address: server.origin });
  const { forwardProxy } = portalFetch;
  if (forwardProxy) log('info', 'calls leave through a forward proxy', { address: forwardProxy.host });
  hangUps.call(() => {
    reloadProxy({ ...parts, portalFetch, log }, environment);
  });
  const { host, metricsPort: port } = settings;
  const closeMetrics =
    port === undefined ? () => Promise.resolve() : await serveMetrics(proxy, prometheus, { host, port }, log);
  return async () => {
    hangUps.ignore();
    closeSocket();
    // Both stop at the same time: open event streams keep the server open until the proxy ends them.
    await Promise.all([server.close(), proxy.stop(), closeMetrics()]);
    await portalFetch.close();
    await storage.outbox.close();
    log('info', 'proxy stopped');
  };
}

/**
 * SIGHUP reloads settings. Without a listener it would end the process, so the listener is set before a start that may take
 * long.
 */
function listenForHangUp(): { call(reload: () => void): void; ignore(): void } {
  let isPending = false;
  let onHangUp = (): void => {
    isPending = true;
  };
  process.on('SIGHUP', () => {
    onHangUp();
  });
  return {
    call(reload) {
      onHangUp = reload;
      if (isPending) reload();
    },
    ignore() {
      onHangUp = () => undefined;
    },
  };
}

type Storage = Pick<ProxyOptions, 'outbox' | 'shareToken' | 'endedSessions'>;

interface Surroundings {
  readonly storage: Storage;
  readonly files: PublicFiles;
  readonly portalFetch: PortalFetch;
  readonly prometheus: Prometheus;
  readonly log: Log;
}

function createParts(
  settings: ProxyConfig,
  { storage, files, portalFetch, prometheus, log }: Surroundings,
): Pick<ReloadableParts, 'proxy' | 'authenticate' | 'items'> {
  // The host is called directly unless the settings name a forward proxy.
  const hostFetch = portalFetch.forwardProxy && portalFetch.fetch;
  const items = openItems(settings.items, log, hostFetch);
  const authenticate = authenticateByEmbedToken({
    ...settings.session,
    publicOrigin: new URL(settings.publicUrl).origin,
    clock: nodeClock,
    digest: nodeDigest,
    ...(hostFetch && { fetch: hostFetch }),
    log,
  });
  const { database } = settings;
  const proxy = createInventoryProxy({
    portal: settings.portal.account,
    profile: settings.portal.profile,
    ...storage,
    authenticate,
    ...(settings.debugSessions !== undefined && { debugSessions: settings.debugSessions }),
    allowedOrigins: settings.allowedOrigins,
    publicUrl: settings.publicUrl,
    basePath: new URL(settings.publicUrl).pathname,
    // The disk of a PostgreSQL server is the concern of its own operator.
    ...(database.kind === 'file' && { hasDiskSpace: diskRoomOf(database.path) }),
    historyDays: settings.historyDays,
    maxLanes: settings.maxLanes,
    limits: settings.limits,
    clock: nodeClock,
    digest: nodeDigest,
    files,
    fetch: portalFetch.fetch,
    calendars: createCalendarSource(),
    ...(items && { itemCatalog: items.catalog }),
    log,
    metrics: prometheus.metrics,
  });
  return { proxy, authenticate, items };
}

async function readFiles(directory: string | undefined, log: Log): Promise<PublicFiles> {
  const files = await readWidgetFiles(directory);
  const missing = await missingScripts(files);
  if (missing.length > 0) log('warn', 'WIDGET_DIR lacks what pages load', { error: `no ${missing.join(', no ')}` });
  return files;
}

/**
 * Warns if others can read the file, which holds edits and names of people. An earlier version, a person or a restored
 * backup may have created it readable.
 */
function warnOfOpenMode(path: string, log: Log): void {
  if (process.platform === 'win32') return;
  for (const file of [path, `${path}-wal`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) continue;
    const reason = `mode ${(mode & 0o777).toString(8)}; it should be 600`;
    log('warn', 'the database file can be read or written by others', { address: file, reason });
  }
}

async function openStorage(
  database: DatabaseConfig,
  log: Log,
  signal: AbortSignal,
  { acceptLogDamage }: OpenOptions,
): Promise<Storage> {
  if (database.kind === 'file') {
    const outbox = openSqliteOutbox(database.path, { acceptLogDamage });
    if (acceptLogDamage === true) log('warn', 'a damaged log of the database was accepted, if there was one');
    return { outbox, endedSessions: outbox.endedSessions() };
  }
  const outbox = await openPostgresOutbox(database.url.reveal(), { log, signal });
  const endedSessions = await outbox
    .endedSessions(nodeClock, log)
    .catch((error: unknown) => closeAndThrow(outbox, error));
  return { outbox, shareToken: outbox.shareToken, endedSessions };
}

/** Closes the outbox after a failed start, because open connections to the database would keep the process alive. */
async function closeAndThrow(outbox: Outbox, error: unknown): Promise<never> {
  await outbox.close();
  throw error;
}

function openItems(
  location: CatalogLocation | undefined,
  log: Log,
  fetch: ProxyOptions['fetch'],
): ReloadableItems | undefined {
  if (location === undefined) return undefined;
  const { byVendor } = location;
  let current = location;
  const catalog = createItemCatalog({
    byVendor,
    read: (vendor, version) => readCatalog(current, vendor, version, fetch),
    clock: nodeClock,
    log,
  });
  // Read at start, so that the first page does not wait for it.
  if (!byVendor) void catalog.itemsOf('');
  return {
    catalog,
    reload(header) {
      current = { ...location, header };
      catalog.reload();
    },
  };
}
