import type { FieldError } from '../../contract/validation-errors.js';
import { isRetryable, PROBLEMS, type Problem, type ProblemCode } from '../../contract/problem.js';
import type { Permission } from '../../contract/widget.js';
import { StorageFailed } from '../outbox/outbox.js';
import { SessionUnverifiable } from '../access/session.js';

/** An expected error. Routes and middleware throw it, and `app.ts` turns it into a problem response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Replaces the general text of the code. */
  readonly detail: string | undefined;

  constructor(code: ProblemCode, errors?: FieldError[], headers?: Readonly<Record<string, string>>, detail?: string) {
    super(code);
    this.code = code;
    this.errors = errors;
    this.headers = headers;
    this.detail = detail;
  }
}

/** @param wanted permissions, any of which is enough. The response names them, because a session's permissions are no secret. */
export function permissionMissing(...wanted: readonly Permission[]): ApiError {
  return new ApiError(
    'permission_missing',
    undefined,
    undefined,
    `The session lacks the permission ${wanted.join(' or ')}.`,
  );
}

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

const UTF8 = new TextEncoder();

export function jsonResponse(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = UTF8.encode(JSON.stringify(body));
  return new Response(bytes, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(bytes.byteLength),
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}

/** @returns the code for an unexpected error, whose details are only in the log */
export function toProblemCode(error: unknown): ProblemCode {
  if (error instanceof StorageFailed) return 'storage_unavailable';
  return error instanceof SessionUnverifiable ? 'session_unverifiable' : 'internal';
}

/** A problem document (RFC 9457). Its `type` is `about:blank`: the status names the problem, and `code` refines it. */
export function problemResponse(problem: ApiError, requestId: string): Response {
  const { status, detail } = PROBLEMS[problem.code];
  const body: Problem = {
    type: 'about:blank',
    title: REASON_PHRASES[status] ?? 'Error',
    status,
    code: problem.code,
    detail: problem.detail ?? detail,
    retryable: isRetryable(problem.code),
    request_id: requestId,
    ...(problem.errors !== undefined && { errors: problem.errors }),
  };
  return jsonResponse(body, status, {
    'Content-Type': 'application/problem+json',
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(status === 503 && { 'Retry-After': '5' }),
    ...problem.headers,
  });
}
