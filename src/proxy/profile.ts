import * as z from 'zod/mini';

/**
 * The portal profile: what the portal's document leaves open, as settings with the most standard default. The
 * documented parts (base address, token path, token fields, the inventory object) are not settings. No secrets here.
 */
const positive = z.number().check(z.positive());
const count = z.int().check(z.positive());
const headerName = z.string().check(z.regex(/^[A-Za-z0-9-]+$/, 'a header name'));

export const portalProfile = z.strictObject({
  /** "Method and path of the inventory update operation: not shown." */
  update: z.prefault(
    z.strictObject({
      method: z._default(z.enum(['POST', 'PUT', 'PATCH']), 'POST'),
      path: z._default(z.string().check(z.regex(/^\/[^?#\s]*$/, 'a path that starts with /')), '/v1/inventory'),
    }),
    {},
  ),
  /** "Response body of the token request: not shown." Seconds to use a token that names no lifetime. */
  token: z.prefault(z.strictObject({ fallback_lifetime_seconds: z._default(positive, 300) }), {}),
  /** "How the obtained token is sent on later requests: not shown." RFC 6750 section 2.1 unless set. */
  authorization: z.prefault(
    z.strictObject({
      header: z._default(headerName, 'Authorization'),
      prefix: z._default(z.string().check(z.regex(/^[\x20-\x7e]*$/, 'visible ASCII')), 'Bearer '),
    }),
    {},
  ),
  /** "Rate limits, size limits and time-outs: not shown." */
  limits: z.prefault(z.strictObject({ items: z._default(count, 100), calls_per_second: z._default(positive, 2) }), {}),
  timeouts: z.prefault(z.strictObject({ call_ms: z._default(count.check(z.maximum(600_000)), 10_000) }), {}),
});

export type PortalProfile = z.infer<typeof portalProfile>;
