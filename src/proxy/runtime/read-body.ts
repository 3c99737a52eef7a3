export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

type Body = ReadableStream<Uint8Array> | null;

/** `lenient`: what matters is that all of it came; bytes that are no text are read as replacement characters. */
type Decoding = 'strict' | 'lenient';

/**
 * Reads a whole body as UTF-8 and stops at the cap, so that nobody's endless stream fills the memory.
 * @param most bytes, counted after content decoding
 * @throws {BodyTooLarge}, {TypeError} on bytes that are not UTF-8, or the stream's own error when it breaks
 */
export async function readText(body: Body, most: number, decoding: Decoding = 'strict'): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: decoding === 'strict' });
  let text = '';
  for await (const chunk of readChunks(body, most)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Of bytes that are all there: it keeps nothing from one text to the next. */
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as {@link readText} does, at once where its length is declared: no more comes than that (RFC
 * 9112 section 6.3), and a stream costs more than all else that the proxy does with a small body.
 *
 * @returns bytes that are not known to be UTF-8 yet
 */
export async function readBody(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredLength(request);
  if (declared === undefined) {
    return new TextEncoder().encode(await readText(request.body, most));
  }
  if (declared > most) throw new BodyTooLarge(`more than ${String(most)} bytes`);
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > most) throw new BodyTooLarge(`more than ${String(most)} bytes`);
  return new Uint8Array(bytes);
}

/** Bytes of its body, as far as it declares them. */
export function declaredLength(request: Request): number | undefined {
  const declared = request.headers.get('Content-Length');
  return declared === null || !/^\d+$/.test(declared) ? undefined : Number(declared);
}

/** @throws {TypeError} on bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  return STRICT_DECODER.decode(bytes);
}

async function* readChunks(body: Body, most: number): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
      if (bytes > most) throw new BodyTooLarge(`more than ${String(most)} bytes`);
      yield value;
    }
  } finally {
    // Whoever stops early lets the sender go. After the end this does nothing.
    await reader.cancel();
  }
}
