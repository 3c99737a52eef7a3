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

/** Caches must not store a response: tokens and the journal are valid only when they are sent. */
const NEVER_STORED = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** The sandbox sends no CORS header, so a foreign page can neither read a response nor pass a preflight. */
export function json(status: number, value: unknown, type = 'application/json'): Response {
  return new Response(JSON.stringify(value), { status, headers: { ...NEVER_STORED, 'Content-Type': type } });
}

export function empty(): Response {
  return new Response(null, { status: 204, headers: NEVER_STORED });
}

export function text(value: string): Response {
  return new Response(value, { headers: { ...NEVER_STORED, 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** Problem details (RFC 9457), the profile's default: the portal's document shows no error body. */
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

/** @param allowed the methods of the route, which a 405 must name (RFC 9110, section 15.5.6) */
export function methodNotAllowed(allowed: readonly string[]): Response {
  return problem(405, 'This address does not take this method.', { headers: { Allow: allowed.join(', ') } });
}

/** The profile's default limit for one call. */
export const MAX_BODY_BYTES = 256 * 1024;

export interface BodyFailure {
  readonly status: 400 | 413 | 415;
  readonly detail: string;
}

export type JsonBody =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: BodyFailure };

// Anchored at both ends, because a foreign page may send `text/plain;application/json` without a preflight.
const JSON_TYPE = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a request body as JSON in UTF-8 (RFC 8259), up to the given number of bytes. It counts the bytes that arrive,
 * because a Content-Length may be absent or wrong. The promise rejects if the body breaks off, since the client is gone.
 */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<JsonBody> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    return refuse(415, 'Send Content-Type: application/json.');
  }
  const read = await readText(request, maxBytes);
  if (!read.ok) return read;
  try {
    return { ok: true, value: JSON.parse(read.text) as unknown };
  } catch {
    return refuse(400, 'The body is not JSON in UTF-8.');
  }
}

type TextBody = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusal: BodyFailure };

/** Reads a request body as UTF-8, within the same bounds. */
export async function readText(request: Request, maxBytes = MAX_BODY_BYTES): Promise<TextBody> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes === undefined) return refuse(413, `The body is larger than ${maxBytes} bytes.`);
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refuse(400, 'The body is not in UTF-8.');
  }
}

export function refuse(status: BodyFailure['status'], detail: string): { ok: false; refusal: BodyFailure } {
  return { ok: false, refusal: { status, detail } };
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return concatenate(chunks, length);
    length += chunk.value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(chunk.value);
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Reads a form (RFC 6749, section 4.4.2) into the object that the same fields would be in JSON. */
export async function readForm(request: Request): Promise<JsonBody> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '')) {
    return refuse(415, 'Send Content-Type: application/x-www-form-urlencoded.');
  }
  const read = await readText(request);
  if (!read.ok) return read;
  const pairs = [...new URLSearchParams(read.text)];
  const value = Object.fromEntries(pairs);
  // RFC 6749, section 3.2, forbids repeated parameters.
  if (Object.keys(value).length < pairs.length) return refuse(400, 'A parameter comes more than once.');
  return { ok: true, value };
}
