import * as z from 'zod/mini';
import { faultLines } from '../../contract/validation-errors.js';
import { headerName, headerValue, ownHeaderName } from '../../contract/header-names.js';

/** Milliseconds, of any time-out. */
export const MAX_CALL_TIMEOUT_MS = 600_000;

/**
 * The portal profile: what the portal's document leaves open, as settings with the most standard default. What the
 * document shows (base address, token path, token fields, the inventory object) is no setting. No secrets here.
 */
const positive = z.number().check(z.positive());
const count = z.int().check(z.positive());
/** @param form of the whole text */
function pathOf(form: RegExp, expected: string) {
  return (
    z
      .string()
      .check(z.regex(form, expected))
      // A URL takes such steps itself, and has a backslash for a slash: calls would go to another path than the one that is read here.
      .check(
        z.refine(
          (path) => !/\\|\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path),
          'expected a path without backslashes, and without . or .. between slashes',
        ),
      )
      // Any other name in braces would be sent as it stands.
      .check(
        z.refine(
          (path) => !/[{}]/.test(path.replaceAll('{vendor}', '')),
          'expected no braces but those of {vendor}, the only name known',
        ),
      )
  );
}
const updatePath = pathOf(
  /^\/[^?#\s]*$/,
  'expected a path that starts with / and has no query, no fragment and no blank',
);
const listingPath = pathOf(/^\/[^#\s]*$/, 'expected a path that starts with / and has no fragment and no blank');
/** RFC 6901; the empty pointer is the whole answer. */
const pointer = z.string().check(z.regex(/^(?:\/[^/]*)*$/, 'expected a JSON pointer (RFC 6901)'));
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'expected a text, a number, true, false or null',
);
const TAKEN = [200, 201, 202, 204, 'ok', 'success', 'accepted', 'updated', true];

const statusCode = z.string().check(z.regex(/^[1-5]\d\d$/, 'expected the key to be a status code, such as 409'));

/** What a status of the portal means where nobody says otherwise: `classify` in portal-answer.ts. */
const statusClass = z.enum(['delivered', 'accepted', 'refused', 'retry', 'credentials', 'held']);

/** A section that may be left out, or given in part. */
function section<T extends z.core.$ZodShape>(shape: T) {
  return z.prefault(z.strictObject(shape), {} as never);
}

/**
 * "Endpoints for bookings, vendors and service listings: not shown." The portal's own list of items. Without it the proxy
 * reads none: whether there is one, and how its pages follow each other, is not to be guessed.
 */
const listing = z.strictObject({
  /** Its query goes along on every page. */
  path: listingPath,
  method: z._default(z.enum(['GET', 'POST']), 'GET'),
  headers: z._default(z.record(headerName, headerValue), {}),
  /**
   * How the next page is asked for: `cursor` with what stands at the pointer `cursor`, `page` with a number that counts up,
   * `link` by the Link header with `rel="next"` (RFC 8288). `none`: one answer has all items.
   */
  paging: z.enum(['none', 'cursor', 'page', 'link']),
  /** Name of the query parameter of a cursor or a page number. Absent: the name of the paging. */
  parameter: z.optional(z.string().check(z.regex(/^[\w.~[\]-]{1,100}$/, 'expected the name of a query parameter'))),
  first_page: z._default(z.int().check(z.minimum(0), z.maximum(1)), 1),
  cursor: z._default(pointer, '/next'),
  /** Where the array of items is in an answer; the other four are pointers in an item. */
  items: z._default(pointer, '/inventory'),
  id: z._default(pointer, '/id'),
  available: z._default(pointer, '/available'),
  updated_at: z._default(pointer, '/updated_at'),
  label: z.optional(pointer),
  /** From the beginning of one reading to that of the next, while a page of the vendor is open. Otherwise: a day. */
  every_seconds: z._default(z.number().check(z.minimum(5), z.maximum(86_400)), 60),
  /** The vendor that all items of the list belong to, where neither its path nor its credential says so. */
  vendor: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type PortalListing = z.infer<typeof listing>;

const settings = z.strictObject({
  /** "Method and path of the inventory update operation: not shown." Only deltas are ever sent. */
  update: section({
    method: z._default(z.enum(['POST', 'PUT', 'PATCH']), 'POST'),
    path: z._default(updatePath, '/v1/inventory'),
    headers: z._default(z.record(headerName, headerValue), {}),
  }),
  /** Request documented as JSON; "Response body of the token request: not shown"; "Token lifetime, scopes: not shown". */
  token: section({
    body: z._default(z.enum(['json', 'form']), 'json'),
    extra_fields: z._default(z.record(z.string(), z.string()), {}),
    fallback_lifetime_seconds: z._default(positive, 300),
    renewal_margin_seconds: z._default(positive, 60),
  }),
  /** "How the obtained token is sent on later requests: not shown." RFC 6750 section 2.1 unless set. */
  authorization: section({
    header: z._default(ownHeaderName, 'Authorization'),
    prefix: z._default(headerValue, 'Bearer '),
  }),
  /** "Response of the inventory update: not shown." Where a success says of the whole call whether it was taken, if it does. */
  success: section({
    status: z.optional(pointer),
    taken: z._default(z.array(scalar), TAKEN),
    accepted: z._default(z.array(scalar), []),
  }),
  /** How long after a portal has only accepted an update, to process it later, the value counts as delivered. Absent: never. */
  confirmation: section({ after_ms: z.optional(count) }),
  /** The same of single items, where an answer names them, and which words mean taken. */
  results: section({
    list: z._default(pointer, '/results'),
    id: z._default(pointer, '/id'),
    status: z._default(pointer, '/status'),
    taken: z._default(z.array(scalar), TAKEN),
  }),
  /** "Error codes, status codes and error body shape: not shown." Pointers to a code and a message, first match wins. */
  errors: z._default(z.array(z.strictObject({ code: pointer, message: pointer })), [
    { code: '/type', message: '/detail' },
    { code: '/error', message: '/error_description' },
    { code: '/error', message: '/errorMessage' },
  ]),
  /** Statuses that mean something else at this portal, as in `{"409": "delivered"}`. */
  statuses: z._default(z.record(statusCode, statusClass), {}),
  /** "Rate limits, size limits and time-outs: not shown." */
  limits: section({
    items: z._default(count, 100),
    bytes: z._default(count.check(z.minimum(1024)), 256 * 1024),
    in_flight: z._default(count, 1),
    calls_per_second: z._default(positive, 2),
  }),
  timeouts: section({
    /** Kept by the fetch that the rim gives. */
    connect_ms: z._default(count.check(z.maximum(MAX_CALL_TIMEOUT_MS)), 3_000),
    call_ms: z._default(count.check(z.maximum(MAX_CALL_TIMEOUT_MS)), 10_000),
  }),
  /** "ISO 8601 UTC timestamp": digits of a second, and how far a stamp may be ahead of the portal before it alarms. */
  stamps: section({
    precision: z._default(z.enum(['milliseconds', 'seconds']), 'milliseconds'),
    tolerance_ms: z._default(count, 5 * 60_000),
  }),
  /** Off: values are absolute, a resend is harmless. */
  idempotency: section({ header: z.optional(ownHeaderName) }),
  listing: z.optional(listing),
});

const schema = settings.check(expectEachHeaderOnce);
export type PortalProfile = z.infer<typeof schema>;
export type StatusClass = z.infer<typeof statusClass>;

/**
 * Whoever mounts a proxy reads what `parse` throws, and zod writes that as JSON.
 *
 * @example
 * portalProfile.parse({ limits: { items: 50 } }); // what it leaves out is as usual; a TypeError has a line for each fault
 */
export const portalProfile = Object.assign(schema, {
  parse(given: unknown): PortalProfile {
    const faults = findProfileFaults(given);
    if (faults.length > 0) throw new TypeError(faults.join('\n'));
    return z.parse(schema, given);
  },
});

/** One line for each. */
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

/** Of two values for one header, one would be dropped without a word. */
function expectEachHeaderOnce({ value, issues }: z.core.ParsePayload<NamedHeaders>): void {
  const { update, authorization, idempotency, listing: list } = value;
  const token = { path: ['authorization', 'header'], name: authorization.header };
  const ofUpdate = [{ path: ['idempotency', 'header'], name: idempotency.header }, ...namesIn('update', update)];
  const ofListing = list === undefined ? [] : namesIn('listing', list);
  for (const { path, name, owner } of [...findRepeated([token, ...ofUpdate]), ...findRepeated([token, ...ofListing])]) {
    issues.push({ code: 'custom', input: name, path, message: `expected another header than ${owner} has` });
  }
}

function namesIn(section: string, { headers }: NamedHeaders['update']): NamedHeader[] {
  return Object.keys(headers).map((name) => ({ path: [section, 'headers', name], name }));
}

/** Case does not count in a header's name. */
function findRepeated(named: readonly NamedHeader[]): { path: string[]; name: string; owner: string }[] {
  const owners = new Map<string, string>();
  return named.flatMap(({ path, name }) => {
    if (name === undefined) return [];
    const owner = owners.get(name.toLowerCase());
    owners.set(name.toLowerCase(), owner ?? path.join('.'));
    return owner === undefined ? [] : [{ path: [...path], name, owner }];
  });
}
