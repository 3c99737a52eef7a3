import { request } from 'node:http';
import { resolve as resolvePath } from 'node:path';
import { text } from 'node:stream/consumers';
import type * as z from 'zod/mini';
import { problem } from '../../../contract/problem.js';
import { systemClock } from '../../runtime/clock.js';
import { parseUntrustedJson } from '../../runtime/untrusted-json.js';
import { createBackpressure, DEFAULT_HIGH_WATER_MARK } from '../../http/backpressure.js';
import { createOperatorHandler } from '../../routes/operator-routes.js';
import { operatorSocketPath, findSocketFault } from '../server/operator-socket.js';
import { openPostgresOutbox } from '../database/postgres/outbox-postgres.js';
import { DEFAULT_SCHEMA } from '../database/postgres/postgres-connection.js';
import { expectTables } from '../database/postgres/postgres-database.js';
import type { DatabaseConfig } from '../config/proxy-config.js';

/** The proxy that has the database open does not answer. */
export class ProxyUnreachable extends Error {
  override readonly name = 'ProxyNotThere';
}

/** An answer came, and it is none to what was asked. */
export class OperatorRequestFailed extends Error {
  override readonly name = 'DeskRefused';
}

/** Where the operator's questions are answered (`operator-handler.ts`). */
export interface OperatorClient {
  /** @throws {ProxyUnreachable} {@link OperatorRequestFailed} */
  ask<T>(schema: z.ZodMiniType<T>, method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

/**
 * A file belongs to one proxy, so that proxy is asked, over its socket. In PostgreSQL a person who has the address has the
 * rights too: the handler runs here, beside any number of proxies, and they hear of what it decides.
 *
 * @throws {import('../../outbox/outbox.js').StorageFailed}
 */
export async function openOperatorClient(database: DatabaseConfig): Promise<OperatorClient> {
  if (database.kind === 'postgres') return openHere(database.url.reveal());
  const socket = operatorSocketPath(database.path);
  const why = findSocketFault(socket);
  if (why !== undefined) throw new ProxyUnreachable(`no proxy can answer at ${socket}: ${why}`);
  return {
    ask: async (schema, ...asked) => read(schema, await askProxy(socket, ...asked)),
    close: () => Promise.resolve(),
  };
}

async function openHere(url: string): Promise<OperatorClient> {
  const { clockAhead } = await expectTables({ url, schema: DEFAULT_SCHEMA });
  const outbox = await openPostgresOutbox(url);
  // An operator's own machine may be any; a stamp from its clock could freeze an item.
  const clock = { ...systemClock, wall: () => systemClock.wall() + clockAhead };
  let failed: string | undefined;
  const handler = createOperatorHandler({
    outbox,
    clock,
    // No proxy has a line of its own about it.
    log: (_level, _message, fields) => {
      failed = fields?.error?.replace(/^StorageFailed: /, '');
    },
    // This process has not heard the portal, as the proxies have, nor read its profile: stamps a second apart differ for
    // every portal.
    timestampSettings: async () => ({ portalOffset: (await outbox.portalOffset(clock.wall())) ?? 0, stampUnit: 1000 }),
    wake: () => undefined,
    // This command knows no lists of items.
    isIsolated: () => true,
    // Its disk is its own operator's, as for the proxies.
    acceptsMore: createBackpressure({
      ...DEFAULT_HIGH_WATER_MARK,
      outbox,
      hasDiskSpace: () => Promise.resolve(true),
      clock,
    }),
  });
  return {
    async ask(schema, method, path, body) {
      failed = undefined;
      const answer = await handler(
        new Request(`http://operator${path}`, { method, body: body === undefined ? null : JSON.stringify(body) }),
      );
      // A commit whose answer got lost, or that waits for a standby, may be done yet.
      const mayBe = method === 'POST' ? '; it may be done all the same: look with edits list' : '';
      if (failed !== undefined) throw new OperatorRequestFailed(`${failed}${mayBe}`);
      return read(schema, { status: answer.status, said: await answer.text() });
    },
    close: () => outbox.close(),
  };
}

interface Said {
  readonly status: number;
  readonly said: string;
}

/** What an answer says, or in one line why it says nothing. */
function read<T>(schema: z.ZodMiniType<T>, { status, said }: Said): T {
  const json = parseUntrustedJson(said);
  const answer = schema.safeParse(json);
  if (status === 200 && answer.success) return answer.data;
  const told = problem.safeParse(json);
  const why = told.success ? (told.data.detail ?? told.data.title) : 'it may be of another version than this command';
  throw new OperatorRequestFailed(`the proxy answers with status ${String(status)}: ${why}`);
}

function askProxy(socketPath: string, method: string, path: string, body?: object): Promise<Said> {
  return new Promise((resolve, reject) => {
    const gone = (cause: unknown): void => {
      reject(
        new ProxyUnreachable(
          // Whole: a relative one is another file in each folder that the command is run in.
          `no proxy answers at ${resolvePath(socketPath)}; is it running, as the same user, on this DATABASE_URL?`,
          { cause },
        ),
      );
    };
    const asking = request(
      { socketPath, method, path, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        text(response).then((said) => {
          resolve({ status: response.statusCode ?? 0, said });
        }, gone);
      },
    );
    asking.once('error', gone);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
