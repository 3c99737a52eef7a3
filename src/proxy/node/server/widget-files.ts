import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import { VERSION } from '../../../contract/version.js';
import type { PublicFiles } from '../../routes/public-routes.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** The drop-in of this package. The relative path is the same in `dist` of a clone and in an installed package. */
export const OWN_WIDGET_DIRECTORY = fileURLToPath(new URL('../../../widget', import.meta.url));

interface WidgetFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly compressed: ReturnType<typeof compressible>;
  readonly contentType: string;
}

/**
 * Reads the drop-in's files once at start, so that a requested name never becomes a path. The files are served compressed
 * if the client accepts that.
 *
 * @param directory default: the folder of this package
 */
export async function readWidgetFiles(directory: string = OWN_WIDGET_DIRECTORY): Promise<PublicFiles> {
  const files = new Map<string, WidgetFile>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const contentType = CONTENT_TYPES[extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path).replaceAll('\\', '/');
    const body = new Uint8Array(await readFile(path));
    files.set(name, { body, compressed: compressible(body), contentType });
  }
  return async (name, accepted) => {
    const file = files.get(name);
    if (file === undefined) return undefined;
    const { body, contentType } = file;
    // The better coding first. Browsers accept Brotli over https only.
    const coding = codingOf(accepted, ['br', 'gzip']);
    const packed = coding && (await file.compressed(coding));
    // A file of one line grows when it is compressed.
    const isSmaller = packed !== undefined && packed.length < body.length;
    return isSmaller ? { body: packed, contentType, coding } : { body, contentType };
  };
}

/**
 * The names of missing files: the script for pages that pin no version, and the one that it loads. Without them no page has
 * elements.
 */
export async function missingScripts(files: PublicFiles): Promise<readonly string[]> {
  const names = ['widget.js', `widget-${VERSION}.js`];
  const found = await Promise.all(names.map((name) => files(name)));
  return names.filter((_, at) => found[at] === undefined);
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The content codings that are supported (RFC 9110 section 8.4.1, RFC 7932). */
type Coding = 'br' | 'gzip';

/**
 * @param accepted value of `Accept-Encoding` (RFC 9110 section 12.5.3)
 * @param known the supported codings, the best first
 * @returns the best coding that the client accepts; `undefined` if it accepts none of them
 */
function codingOf(accepted: string | undefined, known: readonly Coding[]): Coding | undefined {
  const named = new Map(parseAccept(accepted ?? '').map(({ type, q }) => [type.toLowerCase(), q]));
  return known.find((coding) => (named.get(coding) ?? 0) > 0);
}

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) } satisfies Record<Coding, unknown>;

/**
 * Compresses a body at the highest level, which takes a quarter of a second for the drop-in, once per coding at its first
 * request.
 */
export function compressible(body: Bytes): (coding: Coding) => Promise<Bytes> {
  const made = new Map<Coding, Promise<Bytes>>();
  return (coding) => {
    const bytes = made.get(coding) ?? COMPRESS[coding](body).then((packed) => new Uint8Array(packed));
    made.set(coding, bytes);
    return bytes;
  };
}
