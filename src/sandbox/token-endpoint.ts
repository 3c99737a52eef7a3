import type * as z from 'zod/mini';
import { tokenRequest } from '../contract/portal.js';
import type { Variants } from './variants.js';
import { json, type JsonBody } from './responses.js';
import { type Redact, equalsInConstantTime, type Reception, type RequestResult } from './journal.js';
import type { Tokens } from './tokens.js';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

// As many names as an honest request could have several times over; a body of nothing but names must not fill memory.
const MAX_FIELD_NAMES = 20;

/**
 * `POST /v1/oauth/token` (portal document, "Token request"). The document does not show the answer: success is RFC 6749
 * section 5.1, errors are section 5.2. Credentials come in the body and not in an Authorization header, so a 401 names no
 * scheme.
 */
export function receiveTokenRequest(
  body: JsonBody,
  credentials: ClientCredentials,
  tokens: Tokens,
  conceal: Redact,
  habits: Variants,
): Reception {
  return { seen: { fields: fieldNames(body, conceal) }, decide: () => decide(body, credentials, tokens, habits) };
}

function decide(body: JsonBody, credentials: ClientCredentials, tokens: Tokens, habits: Variants): RequestResult {
  if (!body.ok) return refuse(body.refusal.status, 'invalid_request', body.refusal.detail);
  const parsed = tokenRequest.safeParse(body.value);
  if (!parsed.success) {
    return namesOtherGrant(body.value, parsed.error)
      ? refuse(400, 'unsupported_grant_type', 'The only grant_type is client_credentials.')
      : refuse(400, 'invalid_request', 'Send client_id, client_secret and grant_type, each a string.');
  }
  const { client_id, client_secret } = parsed.data;
  // Both are always compared: an early exit would tell which of the two was right.
  const known = equalsInConstantTime(client_id, credentials.clientId);
  const proven = equalsInConstantTime(client_secret, credentials.clientSecret);
  if (!(known && proven)) return refuse(401, 'invalid_client', 'The client_id or the client_secret is wrong.');
  const given = body.value as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(habits.token_fields).find(([name, value]) => given[name] !== value)?.[0];
  if (wrong !== undefined) {
    return refuse(
      400,
      wrong === 'scope' ? 'invalid_scope' : 'invalid_request',
      `Send ${wrong} as this portal wants it.`,
    );
  }
  const { token, generation, expiresInSeconds } = tokens.issue(habits.token_lifetime);
  const lifetime = habits.tells_lifetime ? { expires_in: expiresInSeconds } : {};
  return {
    response: json(200, { access_token: token, token_type: 'Bearer', ...lifetime }),
    facts: { token: generation },
  };
}

function refuse(status: number, error: string, description: string): RequestResult {
  return { response: json(status, { error, error_description: description }), facts: {} };
}

function namesOtherGrant(value: unknown, error: z.core.$ZodError): boolean {
  // With nothing but grant_type wrong, the value is an object.
  if (!error.issues.every(({ path }) => path[0] === 'grant_type')) return false;
  return typeof (value as { readonly grant_type?: unknown }).grant_type === 'string';
}

function fieldNames(body: JsonBody, conceal: Redact): string[] | null {
  if (!body.ok || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) return null;
  const names = Object.keys(body.value).sort().slice(0, MAX_FIELD_NAMES);
  return names.map((name) => (name in tokenRequest.shape ? name : conceal(name)));
}
