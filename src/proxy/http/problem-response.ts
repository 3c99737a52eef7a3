import type { FieldError } from '../../contract/validation-errors.js';
import { isRetryable, PROBLEMS, type Problem, type ProblemCode } from '../../contract/problem.js';
import { StorageFailed } from '../outbox/outbox.js';
import { SessionUnverifiable } from '../access/session.js';

/** An expected refusal on its way to the caller. Thrown by routes, turned into an answer in one place. */
export class ApiError extends Error {
  override readonly name = 'Refusal';

  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** In place of what the code says in general. */
  readonly detail: string | undefined;

  constructor(code: ProblemCode, errors?: FieldError[], headers?: Readonly<Record<string, string>>, detail?: string) {
    super(code);
    this.code = code;
    this.errors = errors;
    this.headers = headers;
    this.detail = detail;
  }
}

/** What is answered, before the headers that every answer has: an object of `Headers` costs more than all of it. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** @param more wins over the answer's own */
export function toResponse(
  { status, headers, body }: ApiResponse,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...headers, ...more } });
}

/** On every answer. The API has nothing to load, frame or sniff, and nothing to keep in a cache. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/** RFC 6797, where the proxy is reached by https. It speaks for its own host name alone, not for those below. */
export const HSTS_HEADER = { 'Strict-Transport-Security': 'max-age=31536000' } as const;

const REASON_PHRASES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export function jsonResponse(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return jsonTextResponse([JSON.stringify(body)], status, headers);
}

/** @param pieces one after the other they are JSON already */
export function jsonTextResponse(
  pieces: readonly Piece[],
  status: number,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  const [first = '', ...others] = pieces;
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: others.length > 0 || isLong(first) ? bytesOf(pieces) : first,
  };
}

/** Of a text, or of its bytes in UTF-8. */
type Piece = string | Uint8Array<ArrayBuffer>;

/** Longer than this a text leaves as bytes: Node makes room for three times its length, anew for each answer. */
const LONG = 16_384;
const UTF8 = new TextEncoder();

function isLong(piece: Piece): boolean {
  return typeof piece === 'string' && piece.length > LONG;
}

function bytesOf(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? UTF8.encode(piece) : piece));
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** What a failure that nobody expected is to the caller; the log says more. */
export function toProblemCode(error: unknown): ProblemCode {
  if (error instanceof StorageFailed) return 'storage_unavailable';
  return error instanceof SessionUnverifiable ? 'session_unverifiable' : 'internal';
}

/** RFC 9457. `type` is `about:blank`: the problem is what the status says, refined by `code`. */
export function problemResponse(refusal: ApiError, requestId: string): ApiResponse {
  const { status, detail } = PROBLEMS[refusal.code];
  const body: Problem = {
    type: 'about:blank',
    title: REASON_PHRASES[status] ?? 'Error',
    status,
    code: refusal.code,
    detail: refusal.detail ?? detail,
    retryable: isRetryable(refusal.code),
    request_id: requestId,
    ...(refusal.errors !== undefined && { errors: refusal.errors }),
  };
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(status === 503 && { 'Retry-After': '5' }),
      ...refusal.headers,
    },
    body: JSON.stringify(body),
  };
}
