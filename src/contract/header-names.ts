import * as z from 'zod/mini';

// Headers that belong to the connection and its framing: with another value, a request would never be sent, or would not
// arrive where it should. Bodies have no content coding, so no header may name one.
const FRAMING =
  /^(?:connection|content-(?:encoding|length)|expect|host|http2-settings|keep-alive|proxy-(?:authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/i;

/** The name of a header that an update to the portal may have. */
export const headerName = z
  .string()
  .check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'expected a header name: letters, digits and the signs of RFC 9110, 5.6.2'))
  .check(z.refine((name) => !FRAMING.test(name), 'expected a header that is not HTTP’s own to write'));

/** The name of a header whose whole value the setting provides. */
export const ownHeaderName = headerName.check(
  z.refine((name) => !/^(?:accept|content-type)$/i.test(name), 'expected a header that does not tell of a body'),
);

export const headerValue = z.string().check(z.regex(/^[\x20-\x7e]*$/, 'expected visible ASCII'));
