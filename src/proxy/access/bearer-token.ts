/** What `Authorization: Bearer` says (RFC 6750 section 2.1), however long; `undefined` where there is none. */
export function bearerOf(request: Request): string | undefined {
  const header = request.headers.get('Authorization') ?? '';
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}
