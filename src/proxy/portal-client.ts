import { tokenAnswer, type InventoryUpdate, type PortalItem, type TokenRequest } from '../contract/portal.js';
import { drain, readText } from './bounded-body.js';
import type { Clock } from './clock.js';
import { LONGEST_WAIT_MS } from './outbox.js';
import type { PortalProfile } from './profile.js';
import type { Secret } from './secret.js';
import { CredentialsRefused, type PortalToken, type TokenCache, type TokenGrant } from './token-cache.js';

/**
 * The two calls that the portal's document shows. Requests are built from nothing: no header of the browser travels on.
 * Redirects are never followed, so a token cannot be sent anywhere but to the configured portal. No retry here: delivery
 * is the one layer that retries.
 */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface PortalAccount {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

export interface PortalClientOptions {
  readonly account: PortalAccount;
  readonly profile: PortalProfile;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** Why an edit is held up, as the page may know it. */
export type DelayReason =
  'portal_unreachable' | 'portal_busy' | 'portal_error' | 'portal_credentials' | 'portal_unreadable';

/** What became of one call, by the table of outcomes: who retries, and what nobody may assume. */
export type UpdateOutcome =
  /** A complete 2xx. */
  | { readonly kind: 'delivered' }
  /** The portal refuses something in this batch. */
  | { readonly kind: 'refused' }
  /** Not applied; worth trying again soon. */
  | { readonly kind: 'retry'; readonly reason: DelayReason; readonly afterMs?: number | undefined }
  /** The call may or may not have been applied. */
  | { readonly kind: 'unknown'; readonly reason: DelayReason }
  /** Nothing will pass until somebody changes a setting. */
  | { readonly kind: 'held'; readonly reason: DelayReason };

/** @throws {CredentialsRefused} when the portal says that the credentials are wrong; otherwise whatever went wrong */
export async function requestToken(options: PortalClientOptions): Promise<TokenGrant> {
  const { account, profile } = options;
  const body: TokenRequest = {
    client_id: account.clientId,
    client_secret: account.clientSecret.reveal(),
    grant_type: 'client_credentials',
  };
  const response = await options.fetch(`${account.baseUrl}/v1/oauth/token`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(profile.timeouts.call_ms),
  });
  const text = await readText(response.body, MAX_ANSWER_BYTES);
  if (response.status === 400 || response.status === 401 || response.status === 403) {
    throw new CredentialsRefused(`the portal answered ${String(response.status)} to the token request`);
  }
  if (!response.ok) throw new TokenRequestFailed(`the portal answered ${String(response.status)} to the token request`);
  // The parse error is not kept as the cause: it could quote the answer, and the answer holds a token.
  const answer = tokenAnswer.safeParse(parseJson(text));
  if (!answer.success) throw new TokenRequestFailed('the token answer is not the object of RFC 6749 section 5.1');
  return { accessToken: answer.data.access_token, expiresIn: answer.data.expires_in };
}

export class TokenRequestFailed extends Error {
  override readonly name = 'TokenRequestFailed';
}

export interface PortalClient {
  /** Never throws: every way to fail is an outcome. */
  update(items: readonly PortalItem[]): Promise<UpdateOutcome>;
}

export function createPortalClient(options: PortalClientOptions, tokens: TokenCache): PortalClient {
  const { account, profile, clock } = options;
  const url = account.baseUrl + profile.update.path;

  async function send(payload: string, token: PortalToken): Promise<UpdateOutcome | 'unauthorized'> {
    let response: Response;
    try {
      response = await options.fetch(url, {
        method: profile.update.method,
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          [profile.authorization.header]: profile.authorization.prefix + token.value.reveal(),
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.timeout(profile.timeouts.call_ms),
      });
      // A status line alone is no promise: only the whole answer counts. Nobody reads what it says.
      await drain(response.body, MAX_ANSWER_BYTES);
    } catch (error) {
      return neverLeft(error)
        ? { kind: 'retry', reason: 'portal_unreachable' }
        : { kind: 'unknown', reason: 'portal_unreachable' };
    }
    return response.status === 401 ? 'unauthorized' : classify(response, clock.wall());
  }

  return {
    async update(items) {
      const body: InventoryUpdate = {
        inventory: items.map(({ id, available, updated_at }) => ({ id, available, updated_at })),
      };
      const payload = JSON.stringify(body);
      for (let renewals = 0; ; renewals += 1) {
        let token: PortalToken;
        try {
          token = await tokens.get();
        } catch (error) {
          return error instanceof CredentialsRefused
            ? { kind: 'held', reason: 'portal_credentials' }
            : { kind: 'retry', reason: 'portal_unreachable' };
        }
        const outcome = await send(payload, token);
        if (outcome !== 'unauthorized') return outcome;
        tokens.invalidate(token.generation);
        if (renewals === 1) return { kind: 'held', reason: 'portal_credentials' };
      }
    },
  };
}

const REFUSALS = new Set([400, 403, 404, 409, 413, 415, 422]);

function classify(response: Response, now: number): UpdateOutcome {
  const { status } = response;
  if (response.ok) {
    return isJsonOrEmpty(response) ? { kind: 'delivered' } : { kind: 'held', reason: 'portal_unreadable' };
  }
  if (REFUSALS.has(status)) return { kind: 'refused' };
  if (status === 429) return { kind: 'retry', reason: 'portal_busy', afterMs: retryAfterMs(response, now) };
  if (status >= 500 || status === 408 || status === 425) {
    return { kind: 'retry', reason: 'portal_error', afterMs: retryAfterMs(response, now) };
  }
  // 3xx and whatever else no inventory update should answer.
  return { kind: 'held', reason: 'portal_unreadable' };
}

function isJsonOrEmpty(response: Response): boolean {
  const type = response.headers.get('Content-Type');
  return type === null || /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

// Date.parse alone would take "-1" and "3.5" for days long ago, which means "at once".
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** RFC 9110 section 10.2.3, in seconds or as a date; an hour at most. */
function retryAfterMs(response: Response, now: number): number | undefined {
  const value = response.headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_WAIT_MS);
  const date = HTTP_DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - now, 0), LONGEST_WAIT_MS);
}

/** The connection was never made, so the portal cannot have applied the call. */
function neverLeft(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && NEVER_LEFT.has(code);
}

const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
