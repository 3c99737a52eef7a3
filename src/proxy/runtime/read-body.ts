export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

type Body = ReadableStream<Uint8Array> | null;

/** `lenient` reads invalid UTF-8 as replacement characters: the caller only needs to know that the body is complete. */
type Decoding = 'strict' | 'lenient';

/**
 * Reads a whole body as UTF-8 and stops at the limit, so that an endless stream cannot fill the memory.
 *
 * @param maxBytes counted after content decoding
 * @throws {BodyTooLarge}, {TypeError} on bytes that are not UTF-8, or the stream's own error when it breaks
 */
export async function readText(body: Body, maxBytes: number, decoding: Decoding = 'strict'): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: decoding === 'strict' });
  let text = '';
  for await (const chunk of readChunks(body, maxBytes)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Shared, because a decoder without `stream` keeps no state from one text to the next. */
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request within the same limit. A body of declared length is read in one piece: it is no longer than
 * that (RFC 9112, section 6.3), and streaming a small body costs more than all other work of its request.
 *
 * @returns bytes that are not yet known to be UTF-8
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredLength(request);
  if (declared === undefined) {
    return new TextEncoder().encode(await readText(request.body, maxBytes));
  }
  if (declared > maxBytes) throw new BodyTooLarge(`more than ${String(maxBytes)} bytes`);
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > maxBytes) throw new BodyTooLarge(`more than ${String(maxBytes)} bytes`);
  return new Uint8Array(bytes);
}

/** The value of `Content-Length`; `undefined` if it is absent or not a number. */
export function declaredLength(request: Request): number | undefined {
  const declared = request.headers.get('Content-Length');
  return declared === null || !/^\d+$/.test(declared) ? undefined : Number(declared);
}

/** @throws {TypeError} on bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  return STRICT_DECODER.decode(bytes);
}

async function* readChunks(body: Body, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooLarge(`more than ${String(maxBytes)} bytes`);
      yield value;
    }
  } finally {
    // Releases the sender if the reader stops early; after the end of the stream it does nothing.
    await reader.cancel();
  }
}
