import type { Permission } from '../../contract/widget.js';

/** RFC 7519 sets no limit for the lifetime of a token; the proxy sets this one. */
export const MAX_TOKEN_LIFETIME_SECONDS = 15 * 60;

/** A token is accepted this long before its start and after its end, because clocks differ. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** The authenticated caller, by an embed token or by the host's own `authenticate`. */
export interface ProxySession {
  readonly vendor: string;
  /** Id of the person at the host. */
  readonly subject: string;
  readonly name?: string | undefined;
  readonly permissions: ReadonlySet<Permission>;
  /** The item ids that the session may access; one trailing `*` makes a prefix. Absent: all items of the vendor. */
  readonly items?: readonly string[] | undefined;
  /** Id of the embed token (`jti`, RFC 7519 section 4.1.7), so that it can be revoked before it expires. */
  readonly tokenId?: string | undefined;
  /**
   * When the embed token was issued (`iat`), in milliseconds since the epoch. A sign-out revokes the tokens issued before
   * it.
   */
  readonly issuedAt?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Aborts when the session is revoked before it expires, for example because the keys that verified it were replaced. */
  readonly revokedSignal?: AbortSignal | undefined;
}

/** A unique key for a person of a vendor. Neither part contains a line break, so no two people share a key. */
export function personKey({ vendor, subject }: Pick<ProxySession, 'vendor' | 'subject'>): string {
  return `${vendor}\n${subject}`;
}

export interface AuthenticationContext {
  /** Id of the request, as in the response and in the proxy's log lines. */
  readonly requestId: string;
  /** Receives the reason of a rejection. The response shows it only if `debugSessions` is on. */
  readonly explain?: ((reason: string) => void) | undefined;
}

/** A session as the host's hook returns it. Every field is validated before use. */
export type HostSession = Omit<ProxySession, 'permissions' | 'revokedSignal'> & {
  readonly permissions: ReadonlySet<Permission> | readonly Permission[];
};

/**
 * Authenticates a request. Resolves to `undefined` for an unauthenticated caller; the reason goes to the operator's log
 * only. If the page sends a bearer token that is a JWT with the claims `vendor` and `sub`, the session has to name the same
 * two, because the page identifies the person by them while the proxy is unreachable.
 *
 * @throws {SessionUnverifiable} if the session cannot be checked now. Any other error is treated the same way.
 */
export type Authenticate = (request: Request, context: AuthenticationContext) => Promise<HostSession | undefined>;

/**
 * The session cannot be checked now, but possibly a moment later. This is no rejection: the person may well be signed in.
 */
export class SessionUnverifiable extends Error {
  override readonly name = 'SessionUnverifiable';
}

/** The host's keys are loaded and none of them signed this token. It may be a new key of the host, or a forged token. */
export class UnknownKey extends SessionUnverifiable {}

/** The token of `Authorization: Bearer` (RFC 6750 section 2.1), of any length; `undefined` without one. */
export function bearerToken(request: Request): string | undefined {
  const header = request.headers.get('Authorization') ?? '';
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}
