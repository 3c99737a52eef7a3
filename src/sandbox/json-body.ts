/** The profile's default limit for one call. */
export const MAX_BODY_BYTES = 256 * 1024;

export interface BodyRefusal {
  readonly status: 400 | 413 | 415;
  readonly detail: string;
}

export type JsonBody =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: BodyRefusal };

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

type TextBody = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly refusal: BodyRefusal };

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

export function refuse(status: BodyRefusal['status'], detail: string): { ok: false; refusal: BodyRefusal } {
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
