import { authenticateByEmbedToken } from '../embed-token.js';
import { systemClock } from '../clock.js';
import { createInventoryProxy } from '../handler.js';
import { createJsonLog } from './json-log.js';
import { listen } from './listen.js';
import { openSqliteOutbox } from './outbox-sqlite.js';
import { readProxySettings } from './proxy-settings.js';
import type { Environment } from './settings.js';
import { readWidgetFiles } from './widget-files.js';

/** `vendor-inventory proxy`: the proxy alone, from the environment. Resolves to what stops it. */
export async function startProxy(environment: Environment): Promise<() => Promise<void>> {
  const settings = readProxySettings(environment);
  const log = createJsonLog(settings.logLevel);
  const outbox = openSqliteOutbox(settings.databasePath);
  const proxy = createInventoryProxy({
    portal: settings.portal,
    profile: settings.profile,
    outbox,
    authenticate: authenticateByEmbedToken({
      ...settings.session,
      publicOrigin: new URL(settings.publicUrl).origin,
      clock: systemClock,
      log,
    }),
    allowedOrigins: settings.allowedOrigins,
    publicUrl: settings.publicUrl,
    basePath: new URL(settings.publicUrl).pathname,
    limits: settings.limits,
    files: await readWidgetFiles(settings.widgetDirectory),
    log,
  });
  const server = await listen((request) => proxy.fetch(request), settings);
  proxy.start();
  log('info', 'proxy listens', { address: `http://${settings.host}:${String(server.port)}` });
  return async () => {
    await server.close();
    await proxy.stop();
    await outbox.close();
    log('info', 'proxy stopped');
  };
}
