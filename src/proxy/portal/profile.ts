import * as z from 'zod/mini';
import { faultLines } from '../../contract/validation-errors.js';
import { headerName, headerValue, ownHeaderName } from '../../contract/header-names.js';

/** The maximum of any timeout, in milliseconds. */
export const MAX_CALL_TIMEOUT_MS = 600_000;

/**
 * The portal profile: settings for each point that the portal's document leaves open, with the most standard default.
 * What the document describes (base address, token path, token fields, the inventory object) is no setting. The profile
 * contains no secrets.
 */
const positive = z.number().check(z.positive());
const count = z.int().check(z.positive());
/** @param pattern pattern for the whole path */
function pathSchema(pattern: RegExp, expected: string) {
  return (
    z
      .string()
      .check(z.regex(pattern, expected))
      // A URL parser resolves `.` and `..` and treats a backslash as a slash, so calls would go to another path than
      // the one written here.
      .check(
        z.refine(
          (path) => !/\\|\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path),
          'expected a path without backslashes, and without . or .. between slashes',
        ),
      )
      // Any other name in braces would be sent literally.
      .check(
        z.refine(
          (path) => !/[{}]/.test(path.replaceAll('{vendor}', '')),
          'expected no braces but those of {vendor}, the only name known',
        ),
      )
  );
}
const updatePath = pathSchema(
  /^\/[^?#\s]*$/,
  'expected a path that starts with / and has no query, no fragment and no blank',
);
const listingPath = pathSchema(/^\/[^#\s]*$/, 'expected a path that starts with / and has no fragment and no blank');
/** RFC 6901; the empty pointer selects the whole response. */
const pointer = z.string().check(z.regex(/^(?:\/[^/]*)*$/, 'expected a JSON pointer (RFC 6901)'));
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'expected a text, a number, true, false or null',
);
const SUCCESS_CODES = [200, 201, 202, 204, 'ok', 'success', 'accepted', 'updated', true];

const statusCode = z.string().check(z.regex(/^[1-5]\d\d$/, 'expected the key to be a status code, such as 409'));

/** The meaning of a status code. For the default see `classify` in answer.ts. */
const statusClass = z.enum(['delivered', 'accepted', 'refused', 'retry', 'credentials', 'held']);

/** A section that may be absent or partial. */
function section<T extends z.core.$ZodShape>(shape: T) {
  return z.prefault(z.strictObject(shape), {} as never);
}

/**
 * "Endpoints for bookings, vendors and service listings: not shown." The portal's own list of items. Without this
 * section no list is read, because its address and paging cannot be guessed.
 */
const listing = z.strictObject({
  /** The query of the path is sent with every page. */
  path: listingPath,
  method: z._default(z.enum(['GET', 'POST']), 'GET'),
  headers: z._default(z.record(headerName, headerValue), {}),
  /**
   * How the next page is requested. `cursor`: with the value at the pointer `cursor`; `page`: with a page number that
   * counts up; `link`: by the Link header with `rel="next"` (RFC 8288); `none`: one response has all items.
   */
  paging: z.enum(['none', 'cursor', 'page', 'link']),
  /** Name of the query parameter for the cursor or the page number. Default: the name of the paging. */
  parameter: z.optional(z.string().check(z.regex(/^[\w.~[\]-]{1,100}$/, 'expected the name of a query parameter'))),
  first_page: z._default(z.int().check(z.minimum(0), z.maximum(1)), 1),
  cursor: z._default(pointer, '/next'),
  /** Pointer to the array of items in a response. The pointers below are relative to an item. */
  items: z._default(pointer, '/inventory'),
  id: z._default(pointer, '/id'),
  available: z._default(pointer, '/available'),
  updated_at: z._default(pointer, '/updated_at'),
  label: z.optional(pointer),
  /**
   * Seconds from the start of one reading to the start of the next while a page of the vendor is open; otherwise once a
   * day.
   */
  every_seconds: z._default(z.number().check(z.minimum(5), z.maximum(86_400)), 60),
  /** The vendor that owns all items of the list, if neither the path nor the credential names it. */
  vendor: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type PortalListing = z.infer<typeof listing>;

const settings = z.strictObject({
  /** "Method and path of the inventory update operation: not shown." Only changed items are sent. */
  update: section({
    method: z._default(z.enum(['POST', 'PUT', 'PATCH']), 'POST'),
    path: z._default(updatePath, '/v1/inventory'),
    headers: z._default(z.record(headerName, headerValue), {}),
  }),
  /**
   * The request is documented as JSON. "Response body of the token request: not shown"; "Token lifetime, scopes: not
   * shown".
   */
  token: section({
    body: z._default(z.enum(['json', 'form']), 'json'),
    extra_fields: z._default(z.record(z.string(), z.string()), {}),
    fallback_lifetime_seconds: z._default(positive, 300),
    renewal_margin_seconds: z._default(positive, 60),
  }),
  /** "How the obtained token is sent on later requests: not shown." The default is RFC 6750 section 2.1. */
  authorization: section({
    header: z._default(ownHeaderName, 'Authorization'),
    prefix: z._default(headerValue, 'Bearer '),
  }),
  /**
   * "Response of the inventory update: not shown." A pointer to the result of the whole call, and the values that mean
   * a success.
   */
  success: section({
    status: z.optional(pointer),
    taken: z._default(z.array(scalar), SUCCESS_CODES),
    accepted: z._default(z.array(scalar), []),
  }),
  /**
   * How long after the portal has accepted an update for later processing the value counts as delivered. Absent: never.
   */
  confirmation: section({ after_ms: z.optional(count) }),
  /** The same for single items: pointers to their results, and the values that mean a success. */
  results: section({
    list: z._default(pointer, '/results'),
    id: z._default(pointer, '/id'),
    status: z._default(pointer, '/status'),
    taken: z._default(z.array(scalar), SUCCESS_CODES),
  }),
  /** "Error codes, status codes and error body shape: not shown." Pointers to a code and a message, first match wins. */
  errors: z._default(z.array(z.strictObject({ code: pointer, message: pointer })), [
    { code: '/type', message: '/detail' },
    { code: '/error', message: '/error_description' },
    { code: '/error', message: '/errorMessage' },
  ]),
  /** Status codes that mean something else at this portal, as in `{"409": "delivered"}`. */
  statuses: z._default(z.record(statusCode, statusClass), {}),
  /** "Rate limits, size limits and time-outs: not shown." */
  limits: section({
    items: z._default(count, 100),
    bytes: z._default(count.check(z.minimum(1024)), 256 * 1024),
    in_flight: z._default(count, 1),
    calls_per_second: z._default(positive, 2),
  }),
  timeouts: section({
    /** Applied by the fetch of the server adapter. */
    connect_ms: z._default(count.check(z.maximum(MAX_CALL_TIMEOUT_MS)), 3_000),
    call_ms: z._default(count.check(z.maximum(MAX_CALL_TIMEOUT_MS)), 10_000),
  }),
  /**
   * "ISO 8601 UTC timestamp": its precision, and how far a timestamp may be ahead of the portal's clock before it is
   * logged as an error.
   */
  stamps: section({
    precision: z._default(z.enum(['milliseconds', 'seconds']), 'milliseconds'),
    tolerance_ms: z._default(count, 5 * 60_000),
  }),
  /** Off by default: values are absolute, so a resend is harmless. */
  idempotency: section({ header: z.optional(ownHeaderName) }),
  listing: z.optional(listing),
});

const schema = settings.check(expectEachHeaderOnce);
export type PortalProfile = z.infer<typeof schema>;
export type StatusClass = z.infer<typeof statusClass>;

/**
 * Throws a readable TypeError for a host application, because zod formats its errors as JSON.
 *
 * @example portalProfile.parse({ limits: { items: 50 } }); // absent settings get defaults; a TypeError has one line
 * for each fault
 */
export const portalProfile = Object.assign(schema, {
  parse(given: unknown): PortalProfile {
    const faults = findProfileFaults(given);
    if (faults.length > 0) throw new TypeError(faults.join('\n'));
    return z.parse(schema, given);
  },
});

/** Returns one line for each fault. */
export function findProfileFaults(given: unknown): string[] {
  const { error } = z.safeParse(schema, given);
  return error === undefined ? [] : faultLines('profile', error);
}

interface NamedHeaders {
  readonly update: { readonly headers: Readonly<Record<string, string>> };
  readonly authorization: { readonly header: string };
  readonly idempotency: { readonly header?: string | undefined };
  readonly listing?: { readonly headers: Readonly<Record<string, string>> } | undefined;
}

interface NamedHeader {
  readonly path: readonly string[];
  readonly name: string | undefined;
}

/** If two settings name the same header, one value would be dropped silently. */
function expectEachHeaderOnce({ value, issues }: z.core.ParsePayload<NamedHeaders>): void {
  const { update, authorization, idempotency, listing: list } = value;
  const token = { path: ['authorization', 'header'], name: authorization.header };
  const ofUpdate = [{ path: ['idempotency', 'header'], name: idempotency.header }, ...headersIn('update', update)];
  const ofListing = list === undefined ? [] : headersIn('listing', list);
  for (const { path, name, owner } of [...findRepeated([token, ...ofUpdate]), ...findRepeated([token, ...ofListing])]) {
    issues.push({ code: 'custom', input: name, path, message: `expected another header than ${owner} has` });
  }
}

function headersIn(section: string, { headers }: NamedHeaders['update']): NamedHeader[] {
  return Object.keys(headers).map((name) => ({ path: [section, 'headers', name], name }));
}

/** Header names are case-insensitive. */
function findRepeated(headers: readonly NamedHeader[]): { path: string[]; name: string; owner: string }[] {
  const owners = new Map<string, string>();
  return headers.flatMap(({ path, name }) => {
    if (name === undefined) return [];
    const owner = owners.get(name.toLowerCase());
    owners.set(name.toLowerCase(), owner ?? path.join('.'));
    return owner === undefined ? [] : [{ path: [...path], name, owner }];
  });
}
