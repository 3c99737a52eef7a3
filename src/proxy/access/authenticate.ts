import { base64url } from 'jose';
import * as z from 'zod/mini';
import { permission, PERMISSIONS } from '../../contract/widget.js';
import {
  type Authenticate,
  type AuthenticationContext,
  bearerToken,
  type ProxySession,
  SessionUnverifiable,
} from './session.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';

// A lone surrogate has no UTF-8 form, so two vendors that differ only in one would be stored as the same vendor.
const name = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[^\p{Cc}\p{Cs}]*$/u));

/** The fields of a session, shared by the embed token and the host's `authenticate` hook. */
export const sessionFields = {
  // `.` and `..` cannot be written as a segment of the portal's path (WHATWG URL, double-dot segment).
  vendor: name.check(z.regex(/^(?!\.{1,2}$)/)),
  subject: name,
  // Hosts often send null for a missing name: databases, PHP and Python have no undefined.
  name: z.nullish(z.string().check(z.maxLength(200))),
  permissions: z.array(permission),
  items: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(201)))),
  tokenId: name,
};

/** Accepts a `Set` as well, for sessions that the host's code returns. */
export const permissionList = z.union([sessionFields.permissions, z.set(permission)]);

/** ISO timestamps on the wire have years of four digits. */
const MAX_EXPIRY = Date.UTC(9999, 11, 31);

const hostSession = z.object({
  ...sessionFields,
  permissions: permissionList,
  tokenId: z.optional(sessionFields.tokenId),
  issuedAt: z.optional(z.number().check(z.minimum(0), z.maximum(MAX_EXPIRY))),
  expiresAt: z.number().check(z.minimum(0), z.maximum(MAX_EXPIRY)),
});

const verified = new WeakSet<object>();

/** Marks a session as checked, its expiry included, and freezes it so that it cannot change afterwards. */
export function markVerified(session: ProxySession): ProxySession {
  verified.add(Object.freeze(session));
  return session;
}

/**
 * Calls the host's hook and validates its result. The hook is outside code, so its result has to pass a schema before it is
 * trusted.
 *
 * @returns `undefined` if there is no session or it has expired
 * @throws {SessionUnverifiable} when the hook failed or returned something that is not a session
 */
export async function authenticateRequest(
  authenticate: Authenticate,
  request: Request,
  { requestId, explain, clock, log, levelOf }: Authenticating,
): Promise<ProxySession | undefined> {
  const session = await callHook(authenticate, request, { requestId, explain });
  if (session === undefined || verified.has(session)) return session;
  const reason =
    session.expiresAt <= clock.wall() ? EXPIRED : namesOtherPerson(request, session) ? OTHER_PERSON : undefined;
  if (reason === undefined) return markVerified(session);
  log(levelOf(reason), 'session refused', { request_id: requestId, reason });
  explain?.(reason);
  return undefined;
}

const EXPIRED = 'expiresAt is over; it counts milliseconds since the epoch';
const OTHER_PERSON = 'the claims vendor and sub of the token that the page has name another person';

export interface Authenticating extends AuthenticationContext {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * @param kind reason of the rejection, from a closed list
   * @returns `warn` once a minute per kind, else `info`
   */
  readonly levelOf: (kind: string) => 'warn' | 'info';
}

async function callHook(
  authenticate: Authenticate,
  request: Request,
  context: AuthenticationContext,
): Promise<ProxySession | undefined> {
  try {
    const answer: unknown = await authenticate(request, context);
    // JavaScript hosts return null as often as undefined.
    if (answer === undefined || answer === null) return undefined;
    return isVerified(answer) ? answer : parseSession(answer);
  } catch (cause) {
    if (cause instanceof SessionUnverifiable) throw cause;
    throw new SessionUnverifiable(`authenticate failed: ${String(cause).slice(0, 500)}`, { cause });
  }
}

function isVerified(answer: unknown): answer is ProxySession {
  return typeof answer === 'object' && answer !== null && verified.has(answer);
}

/**
 * Whether the token of the page names another vendor or subject than the session. The page reads the same unverified claims
 * to show pending edits while it is offline. If the two differed, edits stored under one name would never be sent under the
 * other.
 */
function namesOtherPerson(request: Request, session: ProxySession): boolean {
  try {
    const payload = base64url.decode(bearerToken(request)?.split('.')[1] ?? '');
    const { vendor, sub } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    if (typeof vendor !== 'string' || typeof sub !== 'string') return false;
    return vendor !== session.vendor || sub !== session.subject;
  } catch {
    return false;
  }
}

function parseSession(answer: unknown): ProxySession {
  const parsed = hostSession.safeParse(answer);
  if (parsed.success) {
    const { name: displayName, permissions, ...rest } = parsed.data;
    return { ...rest, name: displayName ?? undefined, permissions: new Set(permissions) };
  }
  throw new SessionUnverifiable(
    `authenticate gave no session: ${describeFault(answer, parsed.error.issues[0]?.path[0])}`,
  );
}

/**
 * Describes why a value is not a valid session or claim.
 *
 * @param showsValue whether to show the value, as for a claim of a token or an argument of `signEmbedToken`. The result of
 *   a hook is described by its type only, because it may be anything, even a secret
 */
export function describeFault(answer: unknown, field: PropertyKey | undefined, showsValue = false): string {
  if (field === undefined) return `it has to be an object with the fields of a session; it is ${describeType(answer)}`;
  const expected = field in EXPECTED ? EXPECTED[field as keyof typeof EXPECTED] : NAME;
  const value = (answer as Record<PropertyKey, unknown>)[field];
  const isList = Array.isArray(value) && / list of /.test(expected);
  return `${String(field)} has to be ${expected}; it is ${isList ? 'a list with something else in it' : describeType(value)}${showsValue ? shownValue(value) : ''}`;
}

const NAME = 'a string of 1 to 200 characters, none of them a control character';
const EXPECTED = {
  vendor: `${NAME}, and neither . nor ..`,
  name: 'a string of at most 200 characters',
  permissions: `a Set or a list of ${PERMISSIONS.join(', ')}`,
  items: 'a list of strings of 1 to 201 characters',
  origin: 'the origin of the page alone, as in https://admin.example.com',
  expiresAt: 'a number, the milliseconds since the epoch (Date.prototype.getTime)',
};

/** Longest part of a value that an error message shows, in characters. */
const MAX_SHOWN = 100;

function shownValue(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return '';
  const text = value instanceof Set ? JSON.stringify([...value]) : JSON.stringify(value);
  return `: ${text.slice(0, MAX_SHOWN)}`;
}

function describeType(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
