import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BodyTooLarge, readBody, readText, decodeText } from '../../../src/proxy/runtime/read-body.js';

const encoder = new TextEncoder();

describe('readText', () => {
  it('returns the same text wherever the bytes are split', async () => {
    const pieces = fc.record({ text: fc.string({ unit: 'binary' }), size: fc.integer({ min: 1, max: 7 }) });

    await fc.assert(
      fc.asyncProperty(pieces, async ({ text, size }) => {
        const bytes = encoder.encode(text);
        // A byte order mark is no part of the text.
        const expected = new TextDecoder().decode(bytes);

        assert.equal(await readText(streamOf(bytes, size).stream, bytes.length), expected);
      }),
      { numRuns: 40 },
    );
  });

  it('accepts a body of the maximum length, and rejects one byte more', async () => {
    const text = 'é'.repeat(8);

    assert.equal(await readText(streamOf(encoder.encode(text), 3).stream, 16), text);
    await assert.rejects(readText(streamOf(encoder.encode(text), 3).stream, 15), BodyTooLarge);
  });

  it('returns an empty text without a body', async () => {
    assert.equal(await readText(null, 0), '');
  });

  it('cancels the stream of a body that is too long', async () => {
    const { stream, cancelled } = streamOf(new Uint8Array(100).fill(0x20), 10);

    await assert.rejects(readText(stream, 20), BodyTooLarge);

    assert.equal(cancelled(), true);
  });

  it('cancels the stream of a body that is not UTF-8', async () => {
    const { stream, cancelled } = streamOf(new Uint8Array(100).fill(0xff), 10);

    await assert.rejects(readText(stream, 1000), TypeError);

    assert.equal(cancelled(), true);
  });

  it('rejects with the error of the stream', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new RangeError('the wire broke'));
      },
    });

    await assert.rejects(readText(stream, 10), /the wire broke/);
  });
});

describe('readBody of a body with a Content-Length', () => {
  const requestOf = (bytes: Uint8Array<ArrayBuffer>, declared: number): Request =>
    new Request('https://inventory.example.com/', {
      method: 'POST',
      headers: { 'Content-Length': String(declared) },
      body: bytes,
    });

  it('accepts the maximum length', async () => {
    const bytes = encoder.encode('é'.repeat(8));

    assert.deepEqual(await readBody(requestOf(bytes, 16), 16), bytes);
  });

  it('rejects a larger length without reading the body', async () => {
    const request = requestOf(encoder.encode('{}'), 17);

    await assert.rejects(readBody(request, 16), BodyTooLarge);

    assert.equal(request.bodyUsed, false);
  });

  it('rejects a body that is longer than its length and the maximum', async () => {
    await assert.rejects(readBody(requestOf(encoder.encode('x'.repeat(17)), 2), 16), BodyTooLarge);
  });

  it('reads up to the maximum if the length is not a number', async () => {
    const { stream, cancelled } = streamOf(new Uint8Array(100).fill(0x20), 10);
    const init = { method: 'POST', headers: { 'Content-Length': 'few' }, body: stream, duplex: 'half' };
    const request = new Request('https://inventory.example.com/', init);

    await assert.rejects(readBody(request, 20), BodyTooLarge);

    assert.equal(cancelled(), true);
  });

  it('leaves it to decodeText to reject bytes that are not UTF-8', () => {
    assert.throws(() => decodeText(new Uint8Array([0x22, 0xff, 0x22])), TypeError);
  });
});

function streamOf(bytes: Uint8Array, size: number): { stream: ReadableStream<Uint8Array>; cancelled: () => boolean } {
  let at = 0;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += size)));
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { stream, cancelled: () => isCancelled };
}
