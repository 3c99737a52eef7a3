const MAX_TOKEN_LENGTH = 8192;

/** What `Authorization: Bearer` says (RFC 6750 section 2.1); `undefined` where there is none, or one that nobody would sign. */
export function bearerOf(request: Request): string | undefined {
  const header = request.headers.get('Authorization') ?? '';
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header);
  return match?.[1] !== undefined && match[1].length <= MAX_TOKEN_LENGTH ? match[1] : undefined;
}
