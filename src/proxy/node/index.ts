export {
  openPostgresOutbox,
  type PostgresOutbox,
  type PostgresOutboxOptions,
} from './database/postgres/outbox-postgres.js';
export { openSqliteOutbox, type SqliteOutbox } from './database/sqlite/outbox-sqlite.js';
export type { ForwardProxy } from './config/proxy-config.js';
export { createJsonLog } from './telemetry/json-log.js';
export { listen, PortTaken, type Listening } from './server/http-server.js';
export { createPortalFetch, type PortalFetch } from './portal-fetch.js';
export { createCalendarSource } from './calendar/calendar-source.js';
export { nodeDefaults, type NodeDefaults } from './node-defaults.js';
export { nodeListener, type NodeListener } from './server/node-listener.js';
export { createPrometheus, type Prometheus } from './telemetry/prometheus.js';
export { readWidgetFiles } from './server/widget-files.js';
