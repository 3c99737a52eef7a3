import type { Permission } from '../../contract/widget.js';

/** RFC 7519 sets no limit for the lifetime of a token; the proxy does. */
export const MAX_TOKEN_LIFETIME_SECONDS = 15 * 60;

/** A token is accepted so long before its start and after its end, because clocks differ. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** Who is asking, proven by an embed token or by the host's own `authenticate`. */
export interface ProxySession {
  readonly vendor: string;
  /** The person, as the host names them. */
  readonly subject: string;
  readonly name?: string | undefined;
  readonly permissions: ReadonlySet<Permission>;
  /** Item ids that the session is confined to; one trailing `*` makes a prefix. Absent: all of the vendor's. */
  readonly items?: readonly string[] | undefined;
  /** Names the embed token (`jti`, RFC 7519 section 4.1.7), so that it can be ended before its time. */
  readonly tokenId?: string | undefined;
  /** When the embed token was issued (`iat`), in milliseconds since the epoch: a sign-out ends what was issued before it. */
  readonly issuedAt?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Aborts where what proved the session counts no more, before its end. */
  readonly revokedSignal?: AbortSignal | undefined;
}

/** One name for a person of a vendor. Neither part holds a line break, so no two people have the same name. */
export function personKey({ vendor, subject }: Pick<ProxySession, 'vendor' | 'subject'>): string {
  return `${vendor}\n${subject}`;
}

export interface AuthenticationContext {
  /** As in the answer and in the proxy's own log lines. */
  readonly requestId: string;
  /** Takes why the caller is not believed. The answer has it where `debugSessions` is on, and nowhere else. */
  readonly explain?: ((reason: string) => void) | undefined;
}

/** A session as a host's hook may write it down. It is checked before anybody believes it. */
export type HostSession = Omit<ProxySession, 'permissions' | 'revokedSignal'> & {
  readonly permissions: ReadonlySet<Permission> | readonly Permission[];
};

/**
 * Resolves to `undefined` for anybody who has not proven who they are; why is the operator's business alone. Where the page
 * has a bearer token that is a JWT with the claims `vendor` and `sub`, the session has to name the same two: the page goes
 * by them while the proxy cannot be asked.
 *
 * @throws {SessionUnverifiable} when that cannot be found out now. Anything else that is thrown is taken for the same.
 */
export type Authenticate = (request: Request, context: AuthenticationContext) => Promise<HostSession | undefined>;

/** Nothing is wrong with the person: who they are cannot be checked now, and may be a moment later. */
export class SessionUnverifiable extends Error {
  override readonly name = 'SessionUnverifiable';
}

/** The host's keys are there, and none of them signed this token: the next one of the host, or anybody's invention. */
export class UnknownKey extends SessionUnverifiable {}

/** What `Authorization: Bearer` says (RFC 6750 section 2.1), however long; `undefined` where there is none. */
export function bearerToken(request: Request): string | undefined {
  const header = request.headers.get('Authorization') ?? '';
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}
