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
  override readonly name = 'ProxyUnreachable';
}

/** The answer is an error, or does not fit the request. */
export class OperatorRequestFailed extends Error {
  override readonly name = 'OperatorRequestFailed';
}

/** Calls the operator's routes (`operator-routes.ts`). */
export interface OperatorClient {
  /** @throws {ProxyUnreachable} {@link OperatorRequestFailed} */
  ask<T>(schema: z.ZodMiniType<T>, method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens the operator's client. A SQLite file belongs to one proxy, so the calls go to that proxy over its socket. With
 * PostgreSQL, a person with the URL has full access anyway: the handler runs in this process, beside any number of proxies,
 * and the database notifies them of changes.
 *
 * @throws {import('../../outbox/outbox.js').StorageFailed}
 */
export async function openOperatorClient(database: DatabaseConfig): Promise<OperatorClient> {
  if (database.kind === 'postgres') return openHere(database.url.reveal());
  const socket = operatorSocketPath(database.path);
  const why = findSocketFault(socket);
  if (why !== undefined) throw new ProxyUnreachable(`no proxy can answer at ${socket}: ${why}`);
  return {
    ask: async (schema, ...call) => read(schema, await askProxy(socket, ...call)),
    close: () => Promise.resolve(),
  };
}

async function openHere(url: string): Promise<OperatorClient> {
  const { clockAhead } = await expectTables({ url, schema: DEFAULT_SCHEMA });
  const outbox = await openPostgresOutbox(url);
  // The clock of the operator's machine may be ahead, and a timestamp from it would make later edits of the item look old.
  const clock = { ...systemClock, wall: () => systemClock.wall() + clockAhead };
  let failed: string | undefined;
  const handler = createOperatorHandler({
    outbox,
    clock,
    // The error is shown to the operator, since no proxy logs it.
    log: (_level, _message, fields) => {
      failed = fields?.error?.replace(/^StorageFailed: /, '');
    },
    // This process knows neither the portal's clock nor its profile. Timestamps a second apart differ for every portal.
    timestampSettings: async () => ({
      portalOffset: (await outbox.portalOffset(clock.wall())) ?? 0,
      timestampUnit: 1000,
    }),
    wake: () => undefined,
    // This command reads no item catalog.
    isIsolated: () => true,
    // The disk of a PostgreSQL server is the concern of its own operator.
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
      // A commit may have succeeded although its response was lost or it still waits for a standby.
      const hint = method === 'POST' ? '; it may be done all the same: look with edits list' : '';
      if (failed !== undefined) throw new OperatorRequestFailed(`${failed}${hint}`);
      return read(schema, { status: answer.status, body: await answer.text() });
    },
    close: () => outbox.close(),
  };
}

interface OperatorResponse {
  readonly status: number;
  readonly body: string;
}

/** @throws {OperatorRequestFailed} with the reason in one line */
function read<T>(schema: z.ZodMiniType<T>, { status, body }: OperatorResponse): T {
  const json = parseUntrustedJson(body);
  const answer = schema.safeParse(json);
  if (status === 200 && answer.success) return answer.data;
  const failure = problem.safeParse(json);
  const why = failure.success
    ? (failure.data.detail ?? failure.data.title)
    : 'it may be of another version than this command';
  throw new OperatorRequestFailed(`the proxy answers with status ${String(status)}: ${why}`);
}

function askProxy(socketPath: string, method: string, path: string, body?: object): Promise<OperatorResponse> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      reject(
        new ProxyUnreachable(
          // The whole path, because a relative one depends on the folder that the command is run in.
          `no proxy answers at ${resolvePath(socketPath)}; is it running, as the same user, on this DATABASE_URL?`,
          { cause },
        ),
      );
    };
    const asking = request(
      { socketPath, method, path, headers: { 'Content-Type': 'application/json' } },
      (response) => {
        text(response).then((received) => {
          resolve({ status: response.statusCode ?? 0, body: received });
        }, fail);
      },
    );
    asking.once('error', fail);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
