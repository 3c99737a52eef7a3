export { openPostgresOutbox, type PostgresOutbox, type PostgresOutboxOptions } from './outbox-postgres.js';
export { openSqliteOutbox, type SqliteOutbox } from './outbox-sqlite.js';
export { createJsonLog } from './json-log.js';
export { listen, PortTaken, type Listening } from './listen.js';
export { createPortalFetch, type PortalFetch } from './portal-fetch.js';
export { nodeDefaults, type NodeDefaults } from './node-defaults.js';
export { nodeListener, type NodeListener } from './node-listener.js';
export { createPrometheus, type Prometheus } from './prometheus.js';
export { readWidgetFiles } from './widget-files.js';
