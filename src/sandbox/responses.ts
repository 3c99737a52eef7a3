import type { FieldError } from '../contract/validation-errors.js';

export interface ProblemExtras {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
}

// The registered phrases of RFC 9110: the title of a problem whose type is about:blank (RFC 9457, section 4.2.1).
const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;

export type ProblemStatus = keyof typeof TITLES;

/** The journal and the tokens are as old as the answer that carries them. */
const NEVER_STORED = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** No CORS header here or anywhere: a foreign page may neither read an answer nor pass a preflight. */
export function json(status: number, value: unknown, type = 'application/json'): Response {
  return new Response(JSON.stringify(value), { status, headers: { ...NEVER_STORED, 'Content-Type': type } });
}

/** 204 has no body. */
export function empty(): Response {
  return new Response(null, { status: 204, headers: NEVER_STORED });
}

export function text(value: string): Response {
  return new Response(value, { headers: { ...NEVER_STORED, 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** Problem details (RFC 9457). The portal's document shows no error body; this is the profile's default. */
export function problem(status: ProblemStatus, detail: string, extras: ProblemExtras = {}): Response {
  const body = {
    type: 'about:blank',
    title: TITLES[status],
    status,
    detail,
    ...(extras.errors === undefined ? {} : { errors: extras.errors }),
  };
  const response = json(status, body, 'application/problem+json');
  for (const [name, value] of Object.entries(extras.headers ?? {})) response.headers.set(name, value);
  return response;
}

export function routeUnknown(): Response {
  return problem(404, 'No such address. GET / lists the addresses of this sandbox.');
}

/** @param allowed the methods that the address takes (RFC 9110, section 15.5.6: a 405 names them) */
export function methodNotAllowed(allowed: readonly string[]): Response {
  return problem(405, 'This address does not take this method.', { headers: { Allow: allowed.join(', ') } });
}
