import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BodyTooLarge, readBody, readText, decodeText } from '../../../src/proxy/runtime/read-body.js';

const encoder = new TextEncoder();

describe('a body that is read as text', () => {
  it('is the same text, wherever its bytes were cut', async () => {
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

  it('may be as long as is allowed, and not a byte longer', async () => {
    const text = 'é'.repeat(8);

    assert.equal(await readText(streamOf(encoder.encode(text), 3).stream, 16), text);
    await assert.rejects(readText(streamOf(encoder.encode(text), 3).stream, 15), BodyTooLarge);
  });

  it('is empty where there is none', async () => {
    assert.equal(await readText(null, 0), '');
  });

  it('lets its sender go once it is too long', async () => {
    const { stream, cancelled } = streamOf(new Uint8Array(100).fill(0x20), 10);

    await assert.rejects(readText(stream, 20), BodyTooLarge);

    assert.equal(cancelled(), true);
  });

  it('lets its sender go once it is no text', async () => {
    const { stream, cancelled } = streamOf(new Uint8Array(100).fill(0xff), 10);

    await assert.rejects(readText(stream, 1000), TypeError);

    assert.equal(cancelled(), true);
  });

  it('fails as its stream fails', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new RangeError('the wire broke'));
      },
    });

    await assert.rejects(readText(stream, 10), /the wire broke/);
  });
});

describe('a body whose length is declared', () => {
  const requestOf = (bytes: Uint8Array<ArrayBuffer>, declared: number): Request =>
    new Request('https://inventory.example.com/', {
      method: 'POST',
      headers: { 'Content-Length': String(declared) },
      body: bytes,
    });

  it('may be as long as is allowed', async () => {
    const bytes = encoder.encode('é'.repeat(8));

    assert.deepEqual(await readBody(requestOf(bytes, 16), 16), bytes);
  });

  it('is not even read where that is too much', async () => {
    const request = requestOf(encoder.encode('{}'), 17);

    await assert.rejects(readBody(request, 16), BodyTooLarge);

    assert.equal(request.bodyUsed, false);
  });

  it('is refused where more comes than was declared and is allowed', async () => {
    await assert.rejects(readBody(requestOf(encoder.encode('x'.repeat(17)), 2), 16), BodyTooLarge);
  });

  it('is read to the cap and no further where what is declared is no number', async () => {
    const { stream, cancelled } = streamOf(new Uint8Array(100).fill(0x20), 10);
    const init = { method: 'POST', headers: { 'Content-Length': 'few' }, body: stream, duplex: 'half' };
    const request = new Request('https://inventory.example.com/', init);

    await assert.rejects(readBody(request, 20), BodyTooLarge);

    assert.equal(cancelled(), true);
  });

  it('is no text where its bytes are none', () => {
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
