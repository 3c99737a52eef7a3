import { parseAccept } from 'hono/utils/accept';
import type { ApiResponse } from './http/problem-response.js';

/** How a body may be compressed, as `Content-Encoding` says it (RFC 9110 section 8.4.1, RFC 7932). */
export type Coding = 'br' | 'gzip';

/**
 * @param accepted what stands in `Accept-Encoding` (RFC 9110 section 12.5.3) @param known the best one first
 * @returns `undefined` where none of them is named: the bytes as they are
 */
export function codingOf(accepted: string | null | undefined, known: readonly Coding[]): Coding | undefined {
  const named = new Map(parseAccept(accepted ?? '').map(({ type, q }) => [type.toLowerCase(), q]));
  return known.find((coding) => (named.get(coding) ?? 0) > 0);
}

/** In UTF-16 code units or bytes. Less than this reaches a page in the first round of packets (RFC 6928), or nearly. */
const SHORT = 8_192;

/** A long answer for a page on a weak line: a tenth of a listing is left of it. Nothing in it is anybody's to guess. */
export function gzipped(request: Request, answer: ApiResponse): ApiResponse {
  const { body, headers } = answer;
  if (body === null || body instanceof ReadableStream || body.length < SHORT) return answer;
  if (codingOf(request.headers.get('Accept-Encoding'), ['gzip']) === undefined) return answer;
  const packed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return { ...answer, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed };
}
