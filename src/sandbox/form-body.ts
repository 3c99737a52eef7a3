import { readText, refuse, type JsonBody } from './json-body.js';

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
