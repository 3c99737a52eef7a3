import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Coding } from '../../content-coding.js';

type Bytes = Uint8Array<ArrayBuffer>;

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) } satisfies Record<Coding, unknown>;

/** As small as it gets, which takes a quarter of a second for the drop-in: once, when somebody first asks for it. */
export function compressible(body: Bytes): (coding: Coding) => Promise<Bytes> {
  const made = new Map<Coding, Promise<Bytes>>();
  return (coding) => {
    const bytes = made.get(coding) ?? COMPRESS[coding](body).then((packed) => new Uint8Array(packed));
    made.set(coding, bytes);
    return bytes;
  };
}
