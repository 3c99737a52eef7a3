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
 * The two calls that the portal's document describes. Requests are built from scratch: no header of the browser is
 * forwarded. Redirects are not followed, so a token reaches only the configured portal. Nothing is retried here:
 * delivery is the only layer that retries.
 */
export const TOKEN_PATH = '/v1/oauth/token';
const MAX_MESSAGE_LENGTH = 200;
/** RFC 6749 section 5.2 sends these codes with 400 or 401. Some portals use another status, even 200. */
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
  /** Fingerprint of the credential in use. A changed credential is verified again. */
  readonly credential: string | Promise<string>;
  /** The client at the portal. Lanes of one client share its rate limit. */
  readonly clientId: string;
  /**
   * Never throws: each failure is an outcome.
   *
   * @param canSend called right before the request is sent, after a possible token request; false: the items are not
   * sent
   */
  update(items: readonly OpenEdit[], canSend?: () => boolean): Promise<UpdateOutcome>;
}

interface UpdateRequest {
  readonly payload: string;
  /** The idempotency header, if the profile names one. */
  readonly key: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
}

/**
 * Portal document, "Token request".
 * @throws {InvalidCredentials} if the portal rejects the credentials; any other failure is thrown as it is
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
  const isForm = token.body === 'form';
  const answer = await send(calls, TOKEN_PATH, 'POST', {
    headers: { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
  });
  const { status } = answer;
  const secrets = [credential.clientSecret];
  const code = redactCode(errorCode(answer, calls.profile), secrets);
  const typeNote = redactCode(unexpectedContentType(summarize(answer)), secrets);
  const isSuccess = status >= 200 && status < 300;
  // The parse error is not passed on as the cause: it could quote the response, which contains a token.
  const granted = isSuccess ? tokenAnswer.safeParse(parseUntrustedJson(answer.text)) : undefined;
  if (granted?.success) return { accessToken: granted.data.access_token, expiresIn: granted.data.expires_in };
  const isBusy = status === 429 || status === 503;
  const afterMs = requestedDelay({ ...answer, isBusy });
  if ([400, 401, 403].includes(status) || (!isBusy && CREDENTIAL_ERROR.test(code))) {
    throw new InvalidCredentials(`the portal refused the token request: ${code}${typeNote}`, afterMs);
  }
  if (!isSuccess) {
    throw new TokenRequestFailed(`the portal answered the token request with ${code}${typeNote}`, afterMs);
  }
  const encodingFault = unexpectedEncoding(answer);
  // These messages are the schema's and quote nothing of the response.
  const faults =
    granted === undefined
      ? []
      : fieldErrors(granted.error)
          .filter(({ pointer }) => pointer !== '')
          .map(describeField);
  throw new TokenRequestFailed(
    `the token answer (${[code + typeNote, encodingFault, ...faults].filter(Boolean).join(', ')}) is not the object of RFC 6749 section 5.1`,
    afterMs,
  );
}

function describeField({ pointer, message }: FieldError): string {
  return `${pointer.slice(1)} ${message}`.trim();
}

/** The connection of one lane: its path, and the token of its credential. */
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

  /** Generation of the token that the portal rejected at the last call. */
  let rejectedGeneration: number | undefined;

  return {
    credential: lane.credential,
    async update(edits, canSend = () => true) {
      const payload = JSON.stringify(toInventoryUpdate(edits, profile));
      // A resend must be applied each time, even by a portal that recognises the idempotency key. So its key includes
      // the attempt.
      const resends = edits.filter(({ isResend, followsUncertain }) => isResend || followsUncertain);
      const keyInput = payload + resends.map(({ seq, attempts }) => ` ${String(seq)}.${String(attempts)}`).join('');
      const { header } = profile.idempotency;
      // The same batch has the same key on every retry. The path is part of it, because two vendors in different paths
      // may send the same value of the same id.
      const key = header === undefined ? {} : { [header]: await webDigest(`${path} ${keyInput}`) };
      const request = { payload, key, ids: edits.map(({ id }) => id) };
      for (let renewed = 0; ; renewed += 1) {
        let token: PortalToken;
        try {
          token = await lane.tokens.get();
        } catch (error) {
          return redactOutcome(tokenFailure(error), lane.secrets ?? []);
        }
        if (!canSend()) return DEADLINE_PASSED;
        const outcome = await attempt(request, token);
        if (outcome.kind !== 'unauthorized') {
          rejectedGeneration = undefined;
          return outcome;
        }
        lane.tokens.invalidate(token.generation);
        const { afterMs } = outcome;
        const isRejectedAgain = renewed > 0 || (rejectedGeneration ?? token.generation) < token.generation;
        rejectedGeneration = token.generation;
        if (isRejectedAgain)
          return { kind: 'held', reason: 'portal_credentials', ...(afterMs !== undefined && { afterMs }) };
        // The portal asks to wait, so the new token is used by the next call.
        if (afterMs !== undefined) return { kind: 'retry', reason: 'portal_credentials', afterMs };
      }
    },
  };
}

const DEADLINE_PASSED: UpdateOutcome = { kind: 'retry', reason: 'portal_unreachable', failure: 'too late to leave' };

/** The outcome of a call that was not sent because there is no token. */
function tokenFailure(error: unknown): UpdateOutcome {
  if (!(error instanceof TokenRequestFailed)) {
    return { kind: 'retry', reason: 'portal_unreachable', failure: describeFailure(error) };
  }
  const { afterMs, message: portalMessage } = error;
  const wait = afterMs === undefined ? {} : { afterMs };
  if (error instanceof InvalidCredentials)
    return { kind: 'held', reason: 'portal_credentials', portalMessage, ...wait };
  return { kind: 'retry', reason: 'portal_unreachable', portalMessage, ...wait };
}

/** A response may repeat the token or the client secret, so both are removed from everything that is logged. */
function redactOutcome(outcome: UpdateOutcome, secrets: readonly Secret[]): UpdateOutcome {
  const { response } = outcome;
  return {
    ...outcome,
    ...(response?.type !== undefined && { response: { ...response, type: redactCode(response.type, secrets) } }),
    ...(outcome.kind === 'refused' && { code: redactCode(outcome.code, secrets) }),
    ...(outcome.kind === 'delivered' &&
      outcome.refused && {
        refused: new Map(Array.from(outcome.refused, ([id, code]) => [id, redactCode(code, secrets)])),
      }),
    ...('portalMessage' in outcome &&
      outcome.portalMessage !== undefined && {
        portalMessage: redactSecrets(outcome.portalMessage, secrets).slice(0, MAX_MESSAGE_LENGTH),
      }),
  };
}

function redactCode(code: string, secrets: readonly Secret[]): string {
  return limitCode(redactSecrets(code, secrets));
}

/** Builds exactly the documented object and adds no other field of the edit. */
function toInventoryUpdate(edits: readonly OpenEdit[], profile: PortalProfile): InventoryUpdate {
  const isWholeSeconds = profile.stamps.precision === 'seconds';
  return {
    inventory: edits.map(({ id, available, updated_at }) => ({
      id,
      available,
      updated_at: isWholeSeconds ? (updated_at.replace(/\.\d+Z$/, 'Z') as Timestamp) : updated_at,
    })),
  };
}

export const MAX_RESPONSE_BYTES = 1024 * 1024;

/** What every request to the portal needs. */
export interface PortalTransport {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly profile: Pick<PortalProfile, 'timeouts'>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly portalClock: PortalClock;
}

/** Sends one request and reads the whole response. The offset of the portal's clock is learned from it. */
export async function send(
  calls: PortalTransport,
  path: string,
  method: string,
  request: { readonly headers: Record<string, string>; readonly body?: string },
): Promise<PortalResponse> {
  const { clock, portalClock } = calls;
  const sentAt = clock.wall();
  const clockChange = createClockChangeDetector(clock);
  const response = await calls.fetch(calls.baseUrl + path, {
    method,
    headers: withUniqueNames({ Accept: 'application/json', ...request.headers }),
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(calls.profile.timeouts.call_ms),
  });
  // If our clock was set during the call, both times are put on the new clock.
  const changedBy = clockChange();
  const receivedAt = clock.wall();
  // The status line alone does not count as a success: the connection may break off. Only a whole response counts.
  const text = await readText(response.body, MAX_RESPONSE_BYTES, 'lenient');
  const answer = { status: response.status, headers: response.headers, text, at: clock.wall() };
  if (tellsPortalTime(answer)) portalClock.observe(answer.headers.get('Date'), sentAt + changedBy, receivedAt);
  return answer;
}

/**
 * Whether the `Date` header is the portal's own: the response is a complete success and no cache stored it for a while
 * (RFC 9111 section 5.1). An error may come from a gateway whose clock is not the one that the portal compares
 * timestamps with.
 */
function tellsPortalTime(answer: PortalResponse): boolean {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (!isSuccess || answer.headers.has('Age') || isTruncated(answer)) return false;
  return isFromPortal(answer, parseUntrustedJson(answer.text));
}

/**
 * Header names are case-insensitive, and fetch would join two values. So a header of the profile replaces ours, however
 * it is written.
 */
function withUniqueNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  const byName = new Map(Object.entries(headers).map((header) => [header[0].toLowerCase(), header]));
  return Object.fromEntries(byName.values());
}
