import * as z from 'zod/mini';

// The frame of a request and its way are the connection's to say: with another's word on it, none would ever leave, or arrive
// where it should. No body is coded, so nothing may say that it is.
const FRAMING =
  /^(?:connection|content-(?:encoding|length)|expect|host|http2-settings|keep-alive|proxy-(?:authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/i;

/** Of a header that an update to the portal may have. */
export const headerName = z
  .string()
  .check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'expected a header name: letters, digits and the signs of RFC 9110, 5.6.2'))
  .check(z.refine((name) => !FRAMING.test(name), 'expected a header that is not HTTP’s own to write'));

/** For what takes the whole of a header. */
export const ownHeaderName = headerName.check(
  z.refine((name) => !/^(?:accept|content-type)$/i.test(name), 'expected a header that does not tell of a body'),
);

export const headerValue = z.string().check(z.regex(/^[\x20-\x7e]*$/, 'expected visible ASCII'));
