import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Log } from '../../runtime/log.js';

/** The path of the socket at which the operator's command finds the proxy that has this database open. */
export function operatorSocketPath(databasePath: string): string {
  return `${databasePath}.sock`;
}

/**
 * Longest path of a Unix socket. The system silently truncates a longer one, and the result may be the socket of another
 * proxy.
 */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Why there can be no socket at this path; `undefined` if there can. */
export function findSocketFault(path: string): string | undefined {
  return Buffer.byteLength(path) > MAX_PATH_BYTES
    ? `its path has more than ${String(MAX_PATH_BYTES)} bytes; name the file in DATABASE_URL by a shorter one, or by a link`
    : undefined;
}

/**
 * Serves the operator's routes on a Unix socket that only the owner of the proxy can open. If the socket cannot be opened,
 * that is only logged, because the proxy works without it.
 *
 * @returns a function that closes the socket
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
    // The socket of a killed process. The exclusive lock on the database shows that no other proxy uses it.
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

/** Creates the socket with mode 0600 from the start; a later chmod would leave it open to others for a moment. */
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
