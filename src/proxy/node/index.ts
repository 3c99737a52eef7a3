export { openPostgresOutbox, type PostgresOutboxOptions } from './outbox-postgres.js';
export { openSqliteOutbox } from './outbox-sqlite.js';
export { createJsonLog } from './json-log.js';
export { listen, PortTaken, type Listening } from './listen.js';
export { createPortalFetch, type PortalFetch } from './portal-fetch.js';
export { readWidgetFiles } from './widget-files.js';
