import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../../../contract/version.js';
import type { ProxyConfig } from '../../config/proxy-config.js';
import type { WriteLine } from './check-report.js';

/** Prints the tag with which a host page loads the elements. */
export async function writeHostPage(settings: ProxyConfig, writeLine: WriteLine): Promise<void> {
  const { publicUrl, portal, widgetDirectory } = settings;
  const { origin } = new URL(publicUrl);
  const tag = await scriptTag(publicUrl, widgetDirectory);
  writeLine('A host page loads the elements with /widget.js, or with this version and no other:');
  writeLine(`  ${tag ?? `(WIDGET_DIR holds no script of this version: ${widgetDirectory})`}`);
  writeLine('It needs this in its content security policy, the last two where it enforces Trusted Types:');
  writeLine(
    `  script-src ${origin}; connect-src 'self' ${origin}; require-trusted-types-for 'script'; trusted-types lit-html`,
  );
  writeLine("(where it uses Lit itself: trusted-types lit-html 'allow-duplicates', or whichever loads second breaks)");
  writeLine('and in img-src the origin of the pictures of its items, where they have some.');
  const { credentials, byVendor } = portal.account;
  if (credentials.length > 0 && !portal.profile.update.path.includes('{vendor}')) {
    writeLine(
      `One credential serves every vendor${byVendor === undefined ? '' : ' that PORTAL_CREDENTIALS_FILE does not name'}:`,
    );
    writeLine('give each embed token of theirs an `items` claim, so that no other vendor can claim an id first.');
  }
}

/**
 * The tag with which a host page loads exactly this version of the drop-in: the browser refuses a script with other bytes
 * (Subresource Integrity).
 *
 * @param publicUrl URL at which browsers reach the proxy
 * @returns `undefined` if the folder has no script of this version
 */
export async function scriptTag(publicUrl: string, widgetDirectory: string): Promise<string | undefined> {
  const name = `widget-${VERSION}.js`;
  const script = await readFile(join(widgetDirectory, name)).catch(() => undefined);
  if (script === undefined) return undefined;
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const src = `${publicUrl.replace(/\/+$/, '')}/${name}`;
  return `<script type="module" src="${src}" integrity="${integrity}" crossorigin></script>`;
}
