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

// Several times as many names as a request needs, so that a body with nothing but names does not fill the memory.
const MAX_FIELD_NAMES = 20;

/**
 * `POST /v1/oauth/token` (portal document, "Token request"). The document does not show the response, so success follows
 * RFC 6749, section 5.1, and errors follow section 5.2. Credentials are in the body and not in an Authorization header, so
 * a 401 names no scheme.
 */
export function receiveTokenRequest(
  body: JsonBody,
  credentials: ClientCredentials,
  tokens: Tokens,
  redact: Redact,
  variants: Variants,
): Reception {
  return { seen: { fields: listFieldNames(body, redact) }, decide: () => decide(body, credentials, tokens, variants) };
}

function decide(body: JsonBody, credentials: ClientCredentials, tokens: Tokens, variants: Variants): RequestResult {
  if (!body.ok) return refuse(body.refusal.status, 'invalid_request', body.refusal.detail);
  const parsed = tokenRequest.safeParse(body.value);
  if (!parsed.success) {
    return hasOtherGrantType(body.value, parsed.error)
      ? refuse(400, 'unsupported_grant_type', 'The only grant_type is client_credentials.')
      : refuse(400, 'invalid_request', 'Send client_id, client_secret and grant_type, each a string.');
  }
  const { client_id, client_secret } = parsed.data;
  // Both are always compared, because an early exit would reveal which of the two was right.
  const isKnownId = equalsInConstantTime(client_id, credentials.clientId);
  const isRightSecret = equalsInConstantTime(client_secret, credentials.clientSecret);
  if (!(isKnownId && isRightSecret))
    return refuse(401, 'invalid_client', 'The client_id or the client_secret is wrong.');
  const fields = body.value as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(variants.token_fields).find(([name, value]) => fields[name] !== value)?.[0];
  if (wrong !== undefined) {
    return refuse(
      400,
      wrong === 'scope' ? 'invalid_scope' : 'invalid_request',
      `Send ${wrong} as this portal wants it.`,
    );
  }
  const { token, generation, expiresInSeconds } = tokens.issue(variants.token_lifetime);
  const lifetime = variants.tells_lifetime ? { expires_in: expiresInSeconds } : {};
  return {
    response: json(200, { access_token: token, token_type: 'Bearer', ...lifetime }),
    facts: { token: generation },
  };
}

function refuse(status: number, error: string, description: string): RequestResult {
  return { response: json(status, { error, error_description: description }), facts: {} };
}

function hasOtherGrantType(value: unknown, error: z.core.$ZodError): boolean {
  // If grant_type is the only fault, the value is an object.
  if (!error.issues.every(({ path }) => path[0] === 'grant_type')) return false;
  return typeof (value as { readonly grant_type?: unknown }).grant_type === 'string';
}

function listFieldNames(body: JsonBody, redact: Redact): string[] | null {
  if (!body.ok || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) return null;
  const names = Object.keys(body.value).sort().slice(0, MAX_FIELD_NAMES);
  return names.map((name) => (name in tokenRequest.shape ? name : redact(name)));
}
