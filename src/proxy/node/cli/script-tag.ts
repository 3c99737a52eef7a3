import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../../contract/version.js';

/**
 * How a host page loads this version of the drop-in and no other: the browser refuses a script whose bytes are not those
 * (Subresource Integrity).
 * @param publicUrl where browsers reach the proxy
 * @returns `undefined` where the folder has no script of this version
 */
export async function scriptTag(publicUrl: string, widgetDirectory: string): Promise<string | undefined> {
  const name = `widget-${VERSION}.js`;
  const script = await readFile(join(widgetDirectory, name)).catch(() => undefined);
  if (script === undefined) return undefined;
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const src = `${publicUrl.replace(/\/+$/, '')}/${name}`;
  return `<script type="module" src="${src}" integrity="${integrity}" crossorigin></script>`;
}
