import { type InventoryUpdate, tokenAnswer, type TokenRequest } from '../../contract/portal.js';
import { type FieldError, fieldErrors } from '../../contract/validation-errors.js';
import type { Timestamp } from '../../domain/item.js';
import type { OpenEdit } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';
import { webDigest } from '../runtime/hash.js';
import type { Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import { readText } from '../runtime/read-body.js';
import { type Secret, redactSecrets } from '../runtime/secret.js';
import {
  isFromPortal,
  isTruncated,
  summarize,
  type PortalResponse,
  unexpectedEncoding,
  unexpectedContentType,
} from './answer.js';
import { parseUntrustedJson } from '../runtime/untrusted-json.js';
import { describeFailure, wasNotSent } from './call-errors.js';
import { type PortalClock, createClockChangeDetector } from './clock-offset.js';
import type { UpdateOutcome } from './outcome.js';
import { limitCode, errorCode, readUpdateResponse, type Unauthorized } from './read-answer.js';
import type { PortalProfile } from './profile.js';
import { requestedDelay } from './retry-after.js';
import {
  InvalidCredentials,
  type PortalToken,
  type TokenCache,
  type TokenGrant,
  TokenRequestFailed,
} from './token-cache.js';

/**
 * The two calls that the portal's document shows. Requests are built from nothing: no header of the browser travels on.
 * Redirects are never followed, so a token cannot be sent anywhere but to the configured portal. No retry here: delivery
 * is the one layer that retries.
 */
export const TOKEN_PATH = '/v1/oauth/token';
const MAX_MESSAGE_LENGTH = 200;
/** RFC 6749 section 5.2 has them come with 400 or 401; some portals have another status for them, be it 200. */
const CREDENTIAL_ERROR = /^\d+ (?:invalid_(?:client|grant|request|scope)|unauthorized_client|unsupported_grant_type)$/;

export interface PortalCredential {
  readonly clientId: string;
  readonly clientSecret: Secret;
}

export interface PortalClientOptions extends PortalTransport {
  readonly profile: PortalProfile;
  readonly metrics?: Metrics;
  readonly log?: Log;
}

/** How the calls of one lane reach the portal. */
export interface PortalConnection {
  /** Fingerprint of the credential in use: another one has to prove itself anew. */
  readonly credential: string | Promise<string>;
  /** Whose calls they are to the portal: lanes of one caller share its pace. */
  readonly clientId: string;
  /**
   * Never throws: every way to fail is an outcome.
   *
   * @param canSend asked right before the items leave, after a token was waited for; default: whenever they can
   */
  update(items: readonly OpenEdit[], canSend?: () => boolean): Promise<UpdateOutcome>;
}

interface UpdateRequest {
  readonly payload: string;
  /** The header of idempotency, where there is one. */
  readonly key: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
}

/**
 * Portal document, "Token request".
 * @throws {InvalidCredentials} when the portal says that the credentials are wrong; otherwise whatever went wrong
 */
export async function requestToken(calls: PortalClientOptions, credential: PortalCredential): Promise<TokenGrant> {
  try {
    const grant = await sendTokenRequest(calls, credential);
    calls.metrics?.tokenRequested('granted');
    return grant;
  } catch (error) {
    calls.metrics?.tokenRequested(error instanceof InvalidCredentials ? 'refused' : 'failed');
    throw error;
  }
}

async function sendTokenRequest(calls: PortalClientOptions, credential: PortalCredential): Promise<TokenGrant> {
  const { token } = calls.profile;
  const fields: TokenRequest & Record<string, string> = {
    ...token.extra_fields,
    client_id: credential.clientId,
    client_secret: credential.clientSecret.reveal(),
    grant_type: 'client_credentials',
  };
  const form = token.body === 'form';
  const answer = await send(calls, TOKEN_PATH, 'POST', {
    headers: { 'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: form ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
  });
  const { status } = answer;
  const secrets = [credential.clientSecret];
  const code = redactCode(errorCode(answer, calls.profile), secrets);
  const ofType = redactCode(unexpectedContentType(summarize(answer)), secrets);
  const isSuccess = status >= 200 && status < 300;
  // The parse error is not kept as the cause: it could quote the answer, and the answer holds a token.
  const granted = isSuccess ? tokenAnswer.safeParse(parseUntrustedJson(answer.text)) : undefined;
  if (granted?.success) return { accessToken: granted.data.access_token, expiresIn: granted.data.expires_in };
  const isBusy = status === 429 || status === 503;
  const afterMs = requestedDelay({ ...answer, isBusy });
  if ([400, 401, 403].includes(status) || (!isBusy && CREDENTIAL_ERROR.test(code))) {
    throw new InvalidCredentials(`the portal refused the token request: ${code}${ofType}`, afterMs);
  }
  if (!isSuccess) {
    throw new TokenRequestFailed(`the portal answered the token request with ${code}${ofType}`, afterMs);
  }
  const strange = unexpectedEncoding(answer);
  // Our own words, which quote nothing of the answer.
  const faults =
    granted === undefined
      ? []
      : fieldErrors(granted.error)
          .filter(({ pointer }) => pointer !== '')
          .map(describeField);
  throw new TokenRequestFailed(
    `the token answer (${[code + ofType, strange, ...faults].filter(Boolean).join(', ')}) is not the object of RFC 6749 section 5.1`,
    afterMs,
  );
}

function describeField({ pointer, message }: FieldError): string {
  return `${pointer.slice(1)} ${message}`.trim();
}

/** One lane's way to the portal: its path, and the token of its credential. */
export function createPortalConnection(
  calls: PortalClientOptions,
  lane: {
    readonly credential: PortalConnection['credential'];
    readonly vendor: string;
    readonly tokens: TokenCache;
    readonly secrets?: readonly Secret[];
  },
): Omit<PortalConnection, 'clientId'> {
  const { profile } = calls;
  const path = profile.update.path.replaceAll('{vendor}', encodeURIComponent(lane.vendor));

  async function attempt(
    { payload, key, ids }: UpdateRequest,
    token: PortalToken,
  ): Promise<UpdateOutcome | Unauthorized> {
    let answer: PortalResponse;
    try {
      answer = await send(calls, path, profile.update.method, {
        headers: {
          'Content-Type': 'application/json',
          ...profile.update.headers,
          ...key,
          [profile.authorization.header]: profile.authorization.prefix + token.value.reveal(),
        },
        body: payload,
      });
    } catch (error) {
      return {
        kind: wasNotSent(error) ? 'retry' : 'unknown',
        reason: 'portal_unreachable',
        failure: describeFailure(error),
      };
    }
    const outcome = readUpdateResponse(answer, profile, ids);
    return outcome.kind === 'unauthorized' ? outcome : redactOutcome(outcome, [token.value, ...(lane.secrets ?? [])]);
  }

  /** Generation of the token that the portal did not take at the last call. */
  let refusedToken: number | undefined;

  return {
    credential: lane.credential,
    async update(edits, mayLeave = () => true) {
      const payload = JSON.stringify(toInventoryUpdate(edits, profile));
      // Has to count each time, though a portal that goes by keys has had it already.
      const counting = edits.filter(({ again, isOverDoubt }) => again || isOverDoubt);
      const named = payload + counting.map(({ seq, attempts }) => ` ${String(seq)}.${String(attempts)}`).join('');
      const { header } = profile.idempotency;
      // The same batch has the same key on every resend. Vendors who are kept apart by the path may say the same of one id.
      const key = header === undefined ? {} : { [header]: await webDigest(`${path} ${named}`) };
      const request = { payload, key, ids: edits.map(({ id }) => id) };
      for (let renewals = 0; ; renewals += 1) {
        let token: PortalToken;
        try {
          token = await lane.tokens.get();
        } catch (error) {
          return redactOutcome(tokenFailure(error), lane.secrets ?? []);
        }
        if (!mayLeave()) return DEADLINE_PASSED;
        const outcome = await attempt(request, token);
        if (outcome.kind !== 'unauthorized') {
          refusedToken = undefined;
          return outcome;
        }
        lane.tokens.invalidate(token.generation);
        const { afterMs } = outcome;
        const again = renewals > 0 || (refusedToken ?? token.generation) < token.generation;
        refusedToken = token.generation;
        if (again) return { kind: 'held', reason: 'portal_credentials', ...(afterMs !== undefined && { afterMs }) };
        // The other token is for the next call, which may not follow yet.
        if (afterMs !== undefined) return { kind: 'retry', reason: 'portal_credentials', afterMs };
      }
    },
  };
}

const DEADLINE_PASSED: UpdateOutcome = { kind: 'retry', reason: 'portal_unreachable', failure: 'too late to leave' };

/** Of a call that was not made: what no token means for it, and when one may be asked for. */
function tokenFailure(error: unknown): UpdateOutcome {
  if (!(error instanceof TokenRequestFailed)) {
    return { kind: 'retry', reason: 'portal_unreachable', failure: describeFailure(error) };
  }
  const { afterMs, message: said } = error;
  const wait = afterMs === undefined ? {} : { afterMs };
  if (error instanceof InvalidCredentials) return { kind: 'held', reason: 'portal_credentials', said, ...wait };
  return { kind: 'retry', reason: 'portal_unreachable', said, ...wait };
}

/** A portal may say back what it was told. */
function redactOutcome(outcome: UpdateOutcome, secrets: readonly Secret[]): UpdateOutcome {
  const { came } = outcome;
  return {
    ...outcome,
    ...(came?.type !== undefined && { came: { ...came, type: redactCode(came.type, secrets) } }),
    ...(outcome.kind === 'refused' && { code: redactCode(outcome.code, secrets) }),
    ...(outcome.kind === 'delivered' &&
      outcome.refused && {
        refused: new Map(Array.from(outcome.refused, ([id, code]) => [id, redactCode(code, secrets)])),
      }),
    ...('said' in outcome &&
      outcome.said !== undefined && { said: redactSecrets(outcome.said, secrets).slice(0, MAX_MESSAGE_LENGTH) }),
  };
}

function redactCode(code: string, secrets: readonly Secret[]): string {
  return limitCode(redactSecrets(code, secrets));
}

/** Exactly the documented object, whatever else is known of an edit. */
function toInventoryUpdate(edits: readonly OpenEdit[], profile: PortalProfile): InventoryUpdate {
  const seconds = profile.stamps.precision === 'seconds';
  return {
    inventory: edits.map(({ id, available, updated_at }) => ({
      id,
      available,
      updated_at: seconds ? (updated_at.replace(/\.\d+Z$/, 'Z') as Timestamp) : updated_at,
    })),
  };
}

export const MAX_RESPONSE_BYTES = 1024 * 1024;

/** What a request to the portal travels by. */
export interface PortalTransport {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly profile: Pick<PortalProfile, 'timeouts'>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly portalClock: PortalClock;
}

/** One request, and its whole answer. The portal's clock is learned from it. */
export async function send(
  calls: PortalTransport,
  path: string,
  method: string,
  request: { readonly headers: Record<string, string>; readonly body?: string },
): Promise<PortalResponse> {
  const { clock, portalClock } = calls;
  const sent = clock.wall();
  const setSince = createClockChangeDetector(clock);
  const response = await calls.fetch(calls.baseUrl + path, {
    method,
    headers: withUniqueNames({ Accept: 'application/json', ...request.headers }),
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(calls.profile.timeouts.call_ms),
  });
  // Our clock may have been set while the call was on its way: half way between two clocks is no time at all.
  const set = setSince();
  const received = clock.wall();
  // A status line alone is no promise: only the whole answer counts.
  const text = await readText(response.body, MAX_RESPONSE_BYTES, 'lenient');
  const answer = { status: response.status, headers: response.headers, text, at: clock.wall() };
  if (tellsPortalTime(answer)) portalClock.observe(answer.headers.get('Date'), sent + set, received);
  return answer;
}

/**
 * Whether the `Date` of an answer is the portal's own: a complete success that no cache kept for a while (RFC 9111 section
 * 5.1). An error may come from a gateway, whose clock is not the one that the portal compares stamps with.
 */
function tellsPortalTime(answer: PortalResponse): boolean {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (!isSuccess || answer.headers.has('Age') || isTruncated(answer)) return false;
  return isFromPortal(answer, parseUntrustedJson(answer.text));
}

/** Case does not count in a header's name, and fetch would join two values: the profile may write one as it likes. */
function withUniqueNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  const byName = new Map(Object.entries(headers).map((header) => [header[0].toLowerCase(), header]));
  return Object.fromEntries(byName.values());
}
