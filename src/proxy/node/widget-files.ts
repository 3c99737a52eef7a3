import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PublicFile, PublicFiles } from '../public-routes.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** The drop-in of this very package: it lies as far from this file in `dist` of a clone as it does where npm put it. */
export const OWN_WIDGET_DIRECTORY = fileURLToPath(new URL('../../widget', import.meta.url));

/**
 * Reads the drop-in's files once, at the start: a name that is not among them never becomes a path.
 *
 * @param directory default: that of the package itself
 */
export async function readWidgetFiles(directory: string = OWN_WIDGET_DIRECTORY): Promise<PublicFiles> {
  const files = new Map<string, PublicFile>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const contentType = CONTENT_TYPES[extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path).replaceAll('\\', '/');
    files.set(name, { body: new Uint8Array(await readFile(path)), contentType });
  }
  return (name) => Promise.resolve(files.get(name));
}
