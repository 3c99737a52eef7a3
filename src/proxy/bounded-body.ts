export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

type Body = ReadableStream<Uint8Array> | null;

/**
 * Reads a whole body as UTF-8 and stops at the cap, so that nobody's endless stream fills the memory.
 * @param most bytes, counted after content decoding
 * @throws {BodyTooLarge}, {TypeError} on bytes that are not UTF-8, or the stream's own error when it breaks
 */
export async function readText(body: Body, most: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of chunksOf(body, most)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/**
 * Reads a whole body and forgets it: what matters is only that all of it came.
 * @throws {BodyTooLarge}, or the stream's own error when it breaks
 */
export async function drain(body: Body, most: number): Promise<void> {
  for await (const chunk of chunksOf(body, most)) void chunk;
}

async function* chunksOf(body: Body, most: number): AsyncGenerator<Uint8Array, void> {
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
