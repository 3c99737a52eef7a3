const MIN_SHARED_SECRET_BYTES = 32;

/** @throws {RangeError} below 32 bytes: RFC 7518 section 3.2 wants a key as long as the hash. */
export function sharedSecret(secret: string): Uint8Array {
  // A file may begin with the mark of an editor; the proxy reads it without, and so does a host that reads it as it is.
  const bytes = new TextEncoder().encode(secret.replace(/^\ufeff/, ''));
  if (bytes.length < MIN_SHARED_SECRET_BYTES) throw new RangeError('the session secret needs at least 32 bytes');
  return bytes;
}
