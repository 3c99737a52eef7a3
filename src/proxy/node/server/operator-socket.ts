import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Log } from '../../runtime/log.js';

/** Where the operator's command finds the proxy that has this database open. */
export function operatorSocketPath(databasePath: string): string {
  return `${databasePath}.sock`;
}

/** The system cuts a longer path in silence, and what is left may be that of another proxy. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Why there can be no socket at this path. */
export function findSocketFault(path: string): string | undefined {
  return Buffer.byteLength(path) > MAX_PATH_BYTES
    ? `its path has more than ${String(MAX_PATH_BYTES)} bytes; name the file in DATABASE_URL by a shorter one, or by a link`
    : undefined;
}

/**
 * Serves the operator's view on a unix socket that only the owner of the proxy can open. A proxy without it still does its
 * work, so a socket that cannot be made is only logged. @returns what closes it
 */
export async function serveOperator(
  handler: (request: Request) => Promise<Response>,
  path: string,
  log: Log,
): Promise<() => void> {
  const server = createAdaptorServer({ fetch: handler, overrideGlobalObjects: false });
  const without = (error: unknown): (() => void) => {
    log('warn', 'the operator socket cannot be opened', { address: path, error: String(error) });
    return () => undefined;
  };
  const why = findSocketFault(path);
  if (why !== undefined) return without(why);
  try {
    // Left by a process that was killed; the exclusive lock on the database shows that no other proxy is here.
    rmSync(path, { force: true });
    await listenAlone(server, path);
  } catch (error) {
    return without(error);
  }
  return () => {
    server.close();
    rmSync(path, { force: true });
  };
}

/** On a socket that is the owner's alone from the first moment on, and not only after a chmod. */
async function listenAlone(server: ServerType, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    const listening = once(server, 'listening');
    server.listen(path);
    await listening;
  } finally {
    process.umask(before);
  }
}
