import type { Writable } from 'node:stream';
import type { PortalCall } from './portal-of-record.js';
import type { Random } from './random.js';

/** What a fault may use besides the call. */
export interface FaultContext {
  readonly random: Random;
  /** The time-out of the proxy for a call, in milliseconds. */
  readonly callMs: number;
  /** Another origin: whoever calls there has been lured. */
  readonly elsewhere: string;
  readonly clientSecret: string;
  expireTokens(): Promise<void>;
}

/** One way in which a portal, or the wire to it, misbehaves. */
export interface FaultKind {
  readonly name: string;
  /** Which calls it may strike, inventory updates if nothing is said. */
  readonly on?: 'updates' | 'tokens' | 'both';
  /** Every call, not only some of them. */
  readonly always?: boolean;
  /** Not before the portal has taken something: a credential that never had a yes is held at the first no. */
  readonly isLater?: boolean;
  /** It strikes exactly the calls that have one of these in them, and nothing else may be parked. */
  readonly poison?: ReadonlySet<string>;
  /** What the proxy may make of a call that was struck, a no if nothing is said. */
  readonly outcome?: 'yes' | 'no' | 'unknown';
  /** It breaks the call off before its body is read. */
  readonly isDeaf?: boolean;
  /** It ends only when the proxy times out, so the proxy has a short time-out. */
  readonly isSlow?: boolean;
  /** Late calls land after newer ones. */
  readonly isReordering?: boolean;
  /** So many strikes at least, however few are asked for. */
  readonly least?: number;
  /** @returns whether it struck; a call that it lets pass has been served */
  strike(call: PortalCall, context: FaultContext): Promise<boolean>;
}

export const POISON: ReadonlySet<string> = new Set(['boat-3', 'boat-11']);

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** An answer of its own; the portal has not acted. */
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
 * Bytes as they stand, and the connection is left open, or ended in the same step: between the two, the next call could
 * come on it and find it open.
 *
 * @returns whether they went out: a connection that an earlier answer has ended may still have brought a call
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

/** Resolves when the connection is gone, whoever ended it. */
export async function gone({ request: { socket } }: Pick<PortalCall, 'request'>): Promise<void> {
  await first(socket, 'close');
}

/** As `once` of the platform, but a connection that breaks is no error here. */
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
