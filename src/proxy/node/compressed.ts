import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';

type Bytes = Uint8Array<ArrayBuffer>;

/** The better one first: browsers name Brotli on https alone. */
const CODINGS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
export type Coding = keyof typeof CODINGS;

/**
 * @param accepted what stands in `Accept-Encoding` (RFC 9110 section 12.5.3)
 * @returns `undefined` where neither is named: the bytes as they are
 */
export function codingOf(accepted: string | undefined): Coding | undefined {
  const named = new Map(parseAccept(accepted ?? '').map(({ type, q }) => [type.toLowerCase(), q]));
  return (Object.keys(CODINGS) as Coding[]).find((coding) => (named.get(coding) ?? 0) > 0);
}

/** As small as it gets, which takes a quarter of a second for the drop-in: once, when somebody first asks for it. */
export function compressible(body: Bytes): (coding: Coding) => Promise<Bytes> {
  const made = new Map<Coding, Promise<Bytes>>();
  return (coding) => {
    const bytes = made.get(coding) ?? CODINGS[coding](body).then((packed) => new Uint8Array(packed));
    made.set(coding, bytes);
    return bytes;
  };
}
