import * as z from 'zod/mini';
import { headerName, headerValue, ownHeaderName } from '../contract/header-names.js';
import { MAX_BODY_BYTES } from './responses.js';

/** As a URL keeps it: with no step that goes nowhere or back. */
const PATH =
  /^\/(?!sandbox(?:\/|$)|v1\/oauth(?:\/|$))(?!.*\/(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2}|\{vendor\}){1,200}$/i;
const count = z.int().check(z.minimum(1), z.maximum(100_000));
/** Of the document, which say what they say. */
const DOCUMENTED = /^(?:client_id|client_secret|grant_type)$/;

/**
 * How this portal does what the portal's document leaves open: which one of the portals that it might be this one plays.
 * The usual ones are what the proxy's profile expects of a portal, and each other one has a setting there. As with faults,
 * the set is replaced as a whole, and a field that is absent is as usual.
 */
const shape = z.strictObject({
  /** How the token request's fields come (the document shows JSON; RFC 6749 has a form). */
  token_body: z._default(z.enum(['json', 'form']), 'json'),
  /** What a token request says beside the fields of the document, such as `scope`. */
  token_fields: z._default(
    z.record(z.string().check(z.refine((name) => !DOCUMENTED.test(name), 'no field of the document')), z.string()),
    {},
  ),
  /** Seconds; without, as the sandbox was started. "Token lifetime: not shown." */
  token_lifetime: z.optional(count),
  /** Whether the answer tells how long its token lives (RFC 6749, section 5.1: recommended). */
  tells_lifetime: z._default(z.boolean(), true),
  /** Where the token is shown with an update, and what stands before it. */
  token_header: z._default(ownHeaderName, 'Authorization'),
  token_prefix: z._default(headerValue, 'Bearer '),
  /** To a token that is missing, unknown or has expired. */
  bad_token_status: z._default(z.literal([401, 403]), 401),
  update_method: z._default(z.enum(['POST', 'PUT', 'PATCH']), 'POST'),
  /** `{vendor}` stands for one segment, whatever is in it: the sandbox knows no vendors. */
  update_path: z._default(
    z.string().check(z.regex(PATH, 'a path outside /sandbox and /v1/oauth, {vendor} allowed')),
    '/v1/inventory',
  ),
  /** What stands in the head of an update beside the token. */
  update_headers: z._default(z.record(headerName, headerValue), {}),
  /** Names an update, so that the same one is applied once and answered alike; needed where there is one. */
  idempotency_header: z.optional(ownHeaderName),
  /** Digits of a second in `updated_at`: none, three, or as many as there are. */
  stamps: z._default(z.enum(['any', 'milliseconds', 'seconds']), 'any'),
  /** Of an update, each. */
  most_items: z._default(count, 100),
  most_bytes: z._default(z.int().check(z.minimum(1024), z.maximum(64 * 1024 * 1024)), MAX_BODY_BYTES),
  /** Updates that are taken in a second, and at the same time. Without, as many as come. */
  calls_per_second: z.optional(z.number().check(z.positive(), z.maximum(100_000))),
  calls_in_flight: z.optional(count),
  /** To one too many. */
  too_many_status: z._default(z.literal([429, 403, 503]), 429),
  /** How that says when the next update is welcome: RFC 9110, section 10.2.3, or draft-ietf-httpapi-ratelimit-headers. */
  says_when: z._default(z.enum(['retry_after', 'ratelimit', 'no']), 'retry_after'),
  /** With which status an update is taken, and refused for what is in it: where there is one for each item, of the item. */
  taken_status: z._default(z.literal([200, 201, 202, 204]), 200),
  refused_status: z._default(z.literal([400, 403, 404, 409, 410, 422]), 422),
  /** `all`: one bad item, and nothing of the update is applied. `each`: 207 with a result for each item. */
  results: z._default(z.enum(['all', 'each']), 'all'),
  /**
   * `problem`: RFC 9457, and RFC 6749 of a token request. `error_message`: `{error, errorMessage}`. `in_success`: 200 to
   * everything, and `{success, code, message}` says what became of it.
   */
  errors: z._default(z.enum(['problem', 'error_message', 'in_success']), 'problem'),
});
export const variants = shape.check(
  z.refine(namesEachHeaderOnce, {
    path: ['update_headers'],
    error: 'expected another header than the token or the name has',
  }),
);
export type Variants = z.infer<typeof variants>;

export const DEFAULT_VARIANTS: Variants = variants.parse({});

/** Whether this is the address of updates; the method is another question. */
export function isUpdatePath(path: string, { update_path }: Variants): boolean {
  const parts = update_path.split('{vendor}').map((part) => part.replace(/\W/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(path);
}

/** The token that a request shows, whoever issued it; `undefined` where it shows none. */
export function readToken(headers: Headers, { token_header, token_prefix }: Variants): string | undefined {
  // fetch takes the blanks off both ends of a header's value.
  const value = headers.get(token_header) ?? '';
  // A scheme in any case (RFC 9110, section 11.1), and as many blanks after it as there are.
  if (!value.toLowerCase().startsWith(token_prefix.toLowerCase())) return undefined;
  return /^ *([\w.~+/-]+=*)$/.exec(value.slice(token_prefix.length))?.[1];
}

function namesEachHeaderOnce({ token_header, idempotency_header, update_headers }: z.infer<typeof shape>): boolean {
  const names = [token_header, idempotency_header ?? [], Object.keys(update_headers)].flat();
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

interface Said {
  readonly title?: string;
  readonly detail?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** The same answer in the words that this portal uses for a refusal, and for what is none. */
export async function withErrorFormat(response: Response, { errors }: Variants): Promise<Response> {
  if (errors === 'in_success') return inSuccess(response);
  if (errors === 'problem' || response.status < 400) return response;
  const { title = '', detail, error, error_description } = (await response.json()) as Said;
  const words = {
    error: error ?? title.toUpperCase().replaceAll(' ', '_'),
    errorMessage: error_description ?? detail ?? title,
  };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(words), { status: response.status, headers });
}

/** 200 to everything: the body alone says what became of it. */
async function inSuccess(response: Response): Promise<Response> {
  const { status } = response;
  const said = status === 204 ? {} : ((await response.json()) as Said);
  const isTaken = status < 400;
  const words = isTaken ? said : { message: said.error_description ?? said.detail ?? said.error };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify({ ...words, success: isTaken, code: status }), { headers });
}
