import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { PublicFile, PublicFiles } from '../public-routes.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** Reads the drop-in's files once, at the start: a name that is not among them never becomes a path. */
export async function readWidgetFiles(directory: string): Promise<PublicFiles> {
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
