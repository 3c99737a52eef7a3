export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/**
 * Reads a whole body as UTF-8 and stops at the cap, so that nobody's endless stream fills the memory.
 * @param most bytes, counted after content decoding
 * @throws {BodyTooLarge}, {TypeError} on bytes that are not UTF-8, or the stream's own error when it breaks
 */
export async function readText(body: ReadableStream<Uint8Array> | null, most: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = body.getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > most) {
      await reader.cancel();
      throw new BodyTooLarge(`more than ${String(most)} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
