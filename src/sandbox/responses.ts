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

/** The profile's default limit for one call. */
export const MAX_BODY_BYTES = 256 * 1024;

export interface BodyFailure {
  readonly status: 400 | 413 | 415;
  readonly detail: string;
}

export type JsonBody =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: BodyFailure };

// Anchored at both ends: `text/plain;application/json` is a type that a foreign page may send without a preflight.
const JSON_TYPE = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a request body as JSON in UTF-8 (RFC 8259), never more than that many bytes of it. Bytes are counted as they
 * come, because a Content-Length may be absent or wrong. Rejects where the body cannot be read to its end: the caller
 * has gone, so nobody is left to answer.
 */
export async function readJson(request: Request, mostBytes = MAX_BODY_BYTES): Promise<JsonBody> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    return refuse(415, 'Send Content-Type: application/json.');
  }
  const read = await readText(request, mostBytes);
  if (!read.ok) return read;
  try {
    return { ok: true, value: JSON.parse(read.text) as unknown };
  } catch {
    return refuse(400, 'The body is not JSON in UTF-8.');
  }
}

type TextBody = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusal: BodyFailure };

/** Reads a request body as UTF-8, within the same bounds. */
export async function readText(request: Request, mostBytes = MAX_BODY_BYTES): Promise<TextBody> {
  const bytes = await readBytes(request, mostBytes);
  if (bytes === undefined) return refuse(413, `The body is larger than ${mostBytes} bytes.`);
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refuse(400, 'The body is not in UTF-8.');
  }
}

export function refuse(status: BodyFailure['status'], detail: string): { ok: false; refusal: BodyFailure } {
  return { ok: false, refusal: { status, detail } };
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return concatenate(chunks, length);
    length += chunk.value.byteLength;
    if (length > mostBytes) {
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

/** Reads a request body as a form (RFC 6749, section 4.4.2), to the object that it would be as JSON. */
export async function readForm(request: Request): Promise<JsonBody> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '')) {
    return refuse(415, 'Send Content-Type: application/x-www-form-urlencoded.');
  }
  const read = await readText(request);
  if (!read.ok) return read;
  const pairs = [...new URLSearchParams(read.text)];
  const value = Object.fromEntries(pairs);
  // RFC 6749, section 3.2.
  if (Object.keys(value).length < pairs.length) return refuse(400, 'A parameter comes more than once.');
  return { ok: true, value };
}
