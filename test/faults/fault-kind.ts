import type { Writable } from 'node:stream';
import type { PortalCall } from './portal-of-record.js';
import type { Random } from './random.js';

/** The context of a fault besides the call. */
export interface FaultContext {
  readonly random: Random;
  /** The call timeout of the proxy, in milliseconds. */
  readonly callMs: number;
  /** Another origin, which only a followed redirect calls. */
  readonly elsewhere: string;
  readonly clientSecret: string;
  expireTokens(): Promise<void>;
}

/** One kind of fault of a portal or of the connection to it. */
export interface FaultKind {
  readonly name: string;
  /** The calls that may have the fault. Default: inventory updates. */
  readonly on?: 'updates' | 'tokens' | 'both';
  /** Whether every such call has the fault, and not only some of them. */
  readonly always?: boolean;
  /** Whether it begins only after a success, because a credential without one is held at the first refusal. */
  readonly isLater?: boolean;
  /** Exactly the calls with one of these items have the fault, and no other item may be refused. */
  readonly poison?: ReadonlySet<string>;
  /** The outcome that the proxy may derive. Default: a refusal. */
  readonly outcome?: 'yes' | 'no' | 'unknown';
  /** Whether it cuts the call off before the body is read. */
  readonly isDeaf?: boolean;
  /** Whether it ends only with the timeout of the proxy, which is short for that reason. */
  readonly isSlow?: boolean;
  /** Whether late calls arrive after newer ones. */
  readonly isReordering?: boolean;
  /** The minimum number of calls with the fault. */
  readonly least?: number;
  /** @returns whether the call had the fault. Otherwise it has been served. */
  strike(call: PortalCall, context: FaultContext): Promise<boolean>;
}

export const POISON: ReadonlySet<string> = new Set(['boat-3', 'boat-11']);

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A response in place of the portal's, which has not applied the call. */
export async function respond(
  { response, body }: PortalCall,
  status: number,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
  content: string | Uint8Array = '{"error":"no"}',
): Promise<true> {
  await body();
  response.writeHead(status, headers).end(status === 304 ? undefined : content);
  await first(response, 'finish', 'close');
  return true;
}

/**
 * Writes exactly these bytes and leaves the connection open or ends it in the same step: between two steps, the next
 * call could come on the connection.
 *
 * @returns whether they were written: a connection that an earlier response has ended may still have carried a call
 */
export async function sendRaw({ request }: PortalCall, bytes: string | Uint8Array, end: boolean): Promise<boolean> {
  const { socket } = request;
  if (!socket.writable) return false;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('close', done);
      resolve();
    };
    socket.once('close', done);
    if (end) socket.end(bytes, done);
    else socket.write(bytes, done);
  });
  return true;
}

/** Resolves when the connection is closed by either side. */
export async function gone({ request: { socket } }: Pick<PortalCall, 'request'>): Promise<void> {
  await first(socket, 'close');
}

/** Like `once` of node:events, but a connection error does not reject. */
function first(stream: Writable, ...events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve();
    for (const event of events) stream.once(event, resolve);
  });
}

export function namesAny(body: Buffer, ids: ReadonlySet<string>): boolean {
  const text = body.toString();
  return [...ids].some((id) => text.includes(`"${id}"`));
}
