import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { systemClock } from '../clock.js';
import { createOperatorHandler } from '../operator-handler.js';
import { operatorSocketOf } from './operator-socket.js';
import { openPostgresOutbox } from './outbox-postgres.js';
import { DEFAULT_SCHEMA } from './postgres-connection.js';
import { expectTables } from './postgres-database.js';
import type { Database } from './proxy-settings.js';

/** The proxy that has the database open does not answer. */
export class ProxyNotThere extends Error {
  override readonly name = 'ProxyNotThere';
}

/** Where the operator's questions are answered (`operator-handler.ts`). */
export interface OperatorDesk {
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * A file belongs to one proxy, so that proxy is asked, over its socket. In PostgreSQL whoever has the address has the
 * rights too: the handler runs here, beside any number of proxies, and they hear of what it decides.
 *
 * @throws {import('../outbox.js').StorageFailed}
 */
export async function openOperatorDesk(database: Database): Promise<OperatorDesk> {
  if (database.kind === 'postgres') return openHere(database.url.reveal());
  const socket = operatorSocketOf(database.path);
  return { ask: (method, path, body) => askProxy(socket, method, path, body), close: () => Promise.resolve() };
}

async function openHere(url: string): Promise<OperatorDesk> {
  const { clockAhead } = await expectTables({ url, schema: DEFAULT_SCHEMA });
  const outbox = await openPostgresOutbox(url);
  const handler = createOperatorHandler({
    outbox,
    // An operator's own machine may be any; a stamp from its clock could freeze an item.
    clock: { ...systemClock, wall: () => systemClock.wall() + clockAhead },
    // This process has not heard the portal, nor read its profile: stamps a second apart differ for every portal.
    stamping: () => ({ portalOffset: 0, stampUnit: 1000 }),
    wake: () => undefined,
  });
  return {
    async ask(method, path, body) {
      const answer = await handler(
        new Request(`http://operator${path}`, { method, body: body === undefined ? null : JSON.stringify(body) }),
      );
      return answer.json();
    },
    close: () => outbox.close(),
  };
}

function askProxy(socketPath: string, method: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { socketPath, method, path, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        text(response).then((said) => {
          resolve(JSON.parse(said));
        }, reject);
      },
    );
    asking.once('error', (cause) => {
      reject(
        new ProxyNotThere(`no proxy answers at ${socketPath}; is it running, as the same user, on this DATABASE_URL?`, {
          cause,
        }),
      );
    });
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
