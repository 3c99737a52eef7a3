import * as z from 'zod/mini';
import { headerName, headerValue, ownHeaderName } from '../contract/header-names.js';
import { MAX_BODY_BYTES } from './responses.js';

/** A path outside the sandbox's own routes and the token route, without `.` and `..` segments, which a URL resolves. */
const PATH =
  /^\/(?!sandbox(?:\/|$)|v1\/oauth(?:\/|$))(?!.*\/(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2}|\{vendor\}){1,200}$/i;
const count = z.int().check(z.minimum(1), z.maximum(100_000));
/** The fields that the portal's document fixes. */
const DOCUMENTED = /^(?:client_id|client_secret|grant_type)$/;

/**
 * How this portal decides each point that the portal's document leaves open. The defaults are those of the proxy's profile,
 * which has a setting for each other variant. As with faults, a PUT replaces the whole set, and an absent field has its
 * default.
 */
const shape = z.strictObject({
  /** The format of a token request (the document shows JSON, RFC 6749 a form). */
  token_body: z._default(z.enum(['json', 'form']), 'json'),
  /** The fields that a token request must have besides those of the document, such as `scope`. */
  token_fields: z._default(
    z.record(z.string().check(z.refine((name) => !DOCUMENTED.test(name), 'no field of the document')), z.string()),
    {},
  ),
  /** Seconds. Default: the lifetime that the sandbox was started with. "Token lifetime: not shown." */
  token_lifetime: z.optional(count),
  /** Whether the response has `expires_in` (RFC 6749, section 5.1, recommends it). */
  tells_lifetime: z._default(z.boolean(), true),
  /** The header of an update that carries the token, and the text before the token in it. */
  token_header: z._default(ownHeaderName, 'Authorization'),
  token_prefix: z._default(headerValue, 'Bearer '),
  /** The status for a token that is missing, unknown or expired. */
  bad_token_status: z._default(z.literal([401, 403]), 401),
  update_method: z._default(z.enum(['POST', 'PUT', 'PATCH']), 'POST'),
  /** `{vendor}` matches any one segment: the sandbox knows no vendors. */
  update_path: z._default(
    z.string().check(z.regex(PATH, 'a path outside /sandbox and /v1/oauth, {vendor} allowed')),
    '/v1/inventory',
  ),
  /** Headers that an update must have besides the token. */
  update_headers: z._default(z.record(headerName, headerValue), {}),
  /** The header of the idempotency key. If it is set, an update without a key is rejected and a repeated one not applied. */
  idempotency_header: z.optional(ownHeaderName),
  /** The fraction of a second that `updated_at` must have: none, three digits, or any. */
  stamps: z._default(z.enum(['any', 'milliseconds', 'seconds']), 'any'),
  /** Limits of one update. */
  most_items: z._default(count, 100),
  most_bytes: z._default(z.int().check(z.minimum(1024), z.maximum(64 * 1024 * 1024)), MAX_BODY_BYTES),
  /** Limits on updates per second and in flight. Default: none. */
  calls_per_second: z.optional(z.number().check(z.positive(), z.maximum(100_000))),
  calls_in_flight: z.optional(count),
  /** The status for an update over one of these two limits. */
  too_many_status: z._default(z.literal([429, 403, 503]), 429),
  /** The header that tells when to retry: RFC 9110, section 10.2.3, or draft-ietf-httpapi-ratelimit-headers, or none. */
  says_when: z._default(z.enum(['retry_after', 'ratelimit', 'no']), 'retry_after'),
  /** The statuses for an applied update and for a rejected one, or for each item if `results` is `each`. */
  taken_status: z._default(z.literal([200, 201, 202, 204]), 200),
  refused_status: z._default(z.literal([400, 403, 404, 409, 410, 422]), 422),
  /** `all`: one bad item rejects the whole update. `each`: 207 with a result for each item. */
  results: z._default(z.enum(['all', 'each']), 'all'),
  /** Milliseconds from the response to an update until its values are stored, as in a portal that processes a queue. */
  applied_after: z._default(z.int().check(z.minimum(0), z.maximum(86_400_000)), 0),
  /**
   * Whether the portal lists its items, and how a response names the next page: `cursor` in its field `next`, `page` not at
   * all, `link` in the Link header (RFC 8288). `all`: one response has all items.
   */
  list: z._default(z.enum(['none', 'all', 'cursor', 'page', 'link']), 'none'),
  list_path: z._default(
    z.string().check(z.regex(PATH, 'a path outside /sandbox and /v1/oauth, {vendor} allowed')),
    '/v1/inventory',
  ),
  /** Number of items per page. */
  list_page: z._default(count, 100),
  /**
   * `problem`: RFC 9457, and RFC 6749 for a token request. `error_message`: `{error, errorMessage}`. `in_success`: 200 for
   * every request, with the outcome as `{success, code, message}` in the body.
   */
  errors: z._default(z.enum(['problem', 'error_message', 'in_success']), 'problem'),
});
export const variantsSchema = shape.check(
  z.refine(hasDistinctHeaders, {
    path: ['update_headers'],
    error: 'expected another header than the token or the name has',
  }),
);
export type Variants = z.infer<typeof variantsSchema>;

export const DEFAULT_VARIANTS: Variants = variantsSchema.parse({});

/** Whether this is the path of updates, whatever the method. */
export function isUpdatePath(path: string, { update_path }: Variants): boolean {
  return matchesPath(path, update_path);
}

/** Whether this is the path of the portal's list of items, whatever the method. */
export function isListPath(path: string, { list, list_path }: Variants): boolean {
  return list !== 'none' && matchesPath(path, list_path);
}

function matchesPath(path: string, template: string): boolean {
  const parts = template.split('{vendor}').map((part) => part.replace(/\W/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(path);
}

/** @returns the token of a request, not yet checked; `undefined` if it has none */
export function readToken(headers: Headers, { token_header, token_prefix }: Variants): string | undefined {
  // fetch trims the value of a header, so no space is left at its ends.
  const value = headers.get(token_header) ?? '';
  // The scheme is case-insensitive (RFC 9110, section 11.1), and any number of spaces may follow it.
  if (!value.toLowerCase().startsWith(token_prefix.toLowerCase())) return undefined;
  return /^ *([\w.~+/-]+=*)$/.exec(value.slice(token_prefix.length))?.[1];
}

function hasDistinctHeaders({ token_header, idempotency_header, update_headers }: z.infer<typeof shape>): boolean {
  const names = [token_header, idempotency_header ?? [], Object.keys(update_headers)].flat();
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

interface ErrorBody {
  readonly title?: string;
  readonly detail?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** The same response, with its body in the error format of this portal. */
export async function withErrorFormat(response: Response, { errors }: Variants): Promise<Response> {
  if (errors === 'in_success') return asSuccess(response);
  if (errors === 'problem' || response.status < 400) return response;
  const { title = '', detail, error, error_description } = (await response.json()) as ErrorBody;
  const body = {
    error: error ?? title.toUpperCase().replaceAll(' ', '_'),
    errorMessage: error_description ?? detail ?? title,
  };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

/** Answers 200 in every case: only the body shows whether the request succeeded. */
async function asSuccess(response: Response): Promise<Response> {
  const { status } = response;
  const body = status === 204 ? {} : ((await response.json()) as ErrorBody);
  const isSuccess = status < 400;
  const content = isSuccess ? body : { message: body.error_description ?? body.detail ?? body.error };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify({ ...content, success: isSuccess, code: status }), { headers });
}
