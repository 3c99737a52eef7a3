import { statSync } from 'node:fs';
import { authenticateByEmbedToken } from '../../access/embed-token.js';
import { createInventoryProxy } from '../../proxy.js';
import type { ProxyOptions } from '../../options.js';
import type { Log } from '../../runtime/log.js';
import { createItemCatalog, type ItemCatalog } from '../../access/item-catalog.js';
import type { Outbox } from '../../outbox/outbox.js';
import { diskRoomOf } from '../database/disk-space.js';
import { createJsonLog } from '../telemetry/json-log.js';
import { listen } from '../server/http-server.js';
import { nodeClock, nodeDigest } from '../node-defaults.js';
import { openPostgresOutbox } from '../database/postgres/outbox-postgres.js';
import { openSqliteOutbox } from '../database/sqlite/outbox-sqlite.js';
import type { OpenOptions } from '../database/sqlite/sqlite-database.js';
import { createPrometheus } from '../telemetry/prometheus.js';
import { readCatalog } from '../item-catalog-reader.js';
import {
  type DatabaseConfig,
  requireCatalog,
  type CatalogHeader,
  type CatalogLocation,
  readCatalogHeader,
  readProxyConfig,
  readSessionKey,
} from '../config/proxy-config.js';
import { serveMetrics } from '../server/metrics-server.js';
import { operatorSocketPath, serveOperator } from '../server/operator-socket.js';
import { createPortalFetch } from '../portal-fetch.js';
import { readPortalConfig } from '../config/portal-config.js';
import { EnvReader, InvalidSettings, type Environment } from '../config/env-reader.js';
import { missingScripts, readWidgetFiles } from '../server/widget-files.js';

/**
 * `vendor-inventory proxy`: the proxy alone, from the environment. Resolves to what stops it.
 *
 * @param signal ends a start that waits for another process
 */
export async function startProxy(
  environment: Environment,
  signal: AbortSignal,
  options: OpenOptions = {},
): Promise<() => Promise<void>> {
  let isAsked = false;
  let reload = (): void => {
    isAsked = true;
  };
  const onHangUp = (): void => {
    reload();
  };
  // From the first moment on: unheard, it would end the process, and a start may take long.
  process.on('SIGHUP', onHangUp);
  const settings = readProxyConfig(environment);
  // What it writes (the file, its log, the operator's socket) is this user's alone.
  process.umask(0o077);
  const log = createJsonLog(settings.logLevel);
  const files = await readWidgetFiles(settings.widgetDirectory);
  const missing = await missingScripts(files);
  if (missing.length > 0) log('warn', 'WIDGET_DIR lacks what pages load', { error: `no ${missing.join(', no ')}` });
  const { database } = settings;
  const storage = await openStorage(database, log, signal, options);
  if (database.kind === 'file') warnOfOpenMode(database.path, log);
  const portalFetch = createPortalFetch(settings.portal.profile.timeouts.connect_ms, settings.forwardProxy);
  // The host is called as ever where nothing says otherwise.
  const hostFetch = portalFetch.forwardProxy && portalFetch.fetch;
  const itemsSource = openItemsSource(settings.items, log, hostFetch);
  const prometheus = createPrometheus();
  const authenticate = authenticateByEmbedToken({
    ...settings.session,
    publicOrigin: new URL(settings.publicUrl).origin,
    clock: nodeClock,
    digest: nodeDigest,
    ...(hostFetch && { fetch: hostFetch }),
    log,
  });
  const proxy = createInventoryProxy({
    portal: settings.portal.account,
    profile: settings.portal.profile,
    ...storage,
    authenticate,
    ...(settings.debugSessions !== undefined && { debugSessions: settings.debugSessions }),
    allowedOrigins: settings.allowedOrigins,
    publicUrl: settings.publicUrl,
    basePath: new URL(settings.publicUrl).pathname,
    // The disk of a PostgreSQL is its own operator's.
    ...(database.kind === 'file' && { hasDiskSpace: diskRoomOf(database.path) }),
    historyDays: settings.historyDays,
    maxLanes: settings.maxLanes,
    limits: settings.limits,
    clock: nodeClock,
    digest: nodeDigest,
    files,
    fetch: portalFetch.fetch,
    ...(itemsSource && { itemCatalog: itemsSource }),
    log,
    metrics: prometheus.metrics,
  });
  const server = await listen((request, from) => proxy.fetch(request, from), {
    ...settings,
    ownsProcess: true,
  }).catch((error: unknown) => closeAndThrow(storage.outbox, error));
  // At once, ahead of the first request: what it accepts waits until the items are where the settings want them.
  proxy.start();
  const closeSocket =
    database.kind === 'file'
      ? await serveOperator((request) => proxy.operate(request), operatorSocketPath(database.path), log)
      : () => undefined;
  reload = () => {
    reloadSettings(PORTAL_WORDS, log, environment, (reader) => {
      const portal = readPortalConfig(reader);
      requireCatalog(reader, portal);
      reader.finish();
      const { account, profile } = portal;
      portalFetch.connectMs = profile.timeouts.connect_ms;
      proxy.reload(account, profile);
    });
    reloadSettings(KEYS_WORDS, log, environment, (reader) => {
      const key = readSessionKey(reader);
      reader.finish();
      authenticate.reload(key);
    });
    reloadSettings(ITEMS_WORDS, log, environment, (reader) => {
      const header = readCatalogHeader(reader);
      reader.finish();
      itemsSource?.reload(header);
    });
  };
  log('info', 'proxy listens', { address: server.origin });
  const { forwardProxy } = portalFetch;
  if (forwardProxy) log('info', 'calls leave through a forward proxy', { address: forwardProxy.host });
  if (isAsked) reload();
  const { host, metricsPort: port } = settings;
  const closeMetrics =
    port === undefined ? () => Promise.resolve() : await serveMetrics(proxy, prometheus, { host, port }, log);
  return async () => {
    // While it stops it has nothing to read, and no reason to end at once.
    reload = () => undefined;
    closeSocket();
    // Together: what streams would keep the server open until its sessions end.
    await Promise.all([server.close(), proxy.stop(), closeMetrics()]);
    await portalFetch.close();
    await storage.outbox.close();
    log('info', 'proxy stopped');
  };
}

/** The file holds what people did, and their names. It was made by an earlier version, by hand, or brought back from a copy. */
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
): Promise<Pick<ProxyOptions, 'outbox' | 'shareToken' | 'endedSessions'>> {
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

/** There is no proxy: connections to the database that stayed open would keep the process alive without one. */
async function closeAndThrow(outbox: Outbox, error: unknown): Promise<never> {
  await outbox.close();
  throw error;
}

function openItemsSource(
  location: CatalogLocation | undefined,
  log: Log,
  fetch: ProxyOptions['fetch'],
): (Omit<ItemCatalog, 'reload'> & { reload(header?: CatalogHeader): void }) | undefined {
  if (location === undefined) return undefined;
  const { byVendor } = location;
  let current = location;
  const source = createItemCatalog({
    byVendor,
    read: (vendor, version) => readCatalog(current, vendor, version, fetch),
    clock: nodeClock,
    log,
  });
  // So that the first page waits for nothing.
  if (!byVendor) void source.itemsOf('');
  return {
    ...source,
    reload(header) {
      current = { ...location, header };
      source.reload();
    },
  };
}

/** Written out, so that a search for a line of the log finds them. */
interface ReloadWords {
  readonly done: string;
  readonly refused: string;
}

const PORTAL_WORDS: ReloadWords = {
  done: 'portal settings were read again',
  refused: 'portal settings are refused; the old ones stay',
};
const ITEMS_WORDS: ReloadWords = {
  done: 'the lists of items are read again',
  refused: 'the header for lists of items is refused; the old one stays',
};
const KEYS_WORDS: ReloadWords = {
  done: 'keys of embed tokens were read again',
  refused: 'keys of embed tokens are refused; the old ones stay',
};

/** SIGHUP: other secrets, keys or another profile without a restart. A bad setting is logged, and the old ones stay in force. */
function reloadSettings(
  words: ReloadWords,
  log: Log,
  environment: Environment,
  reload: (reader: EnvReader) => void,
): void {
  try {
    reload(new EnvReader(environment));
    log('info', words.done);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    for (const fault of error.faults) log('error', words.refused, { error: fault });
  }
}
