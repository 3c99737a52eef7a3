import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/contract/version.js';
import type { Environment } from '../../src/proxy/node/config/env-reader.js';
import { SESSION_SECRET } from './page-request.js';
import { scratchFolder } from './scratch-folder.js';

/** The settings without which a proxy does not start. */
export function minimalSettings(): Environment {
  return {
    PORTAL_BASE_URL: 'https://portal.example.com',
    PORTAL_CLIENT_ID: 'guest-house',
    PORTAL_CLIENT_SECRET: 'portal-secret',
    SESSION_ISSUER: 'https://admin.example.com',
    SESSION_SECRET_FILE: settingFile(`${SESSION_SECRET}\n`),
    WIDGET_DIR: scriptFolder(),
  };
}

/** A folder for WIDGET_DIR with the files that a proxy requires, so that the tests do not need a build. */
export function scriptFolder(): string {
  const folder = join(scratchFolder(), 'widget');
  mkdirSync(folder);
  for (const name of ['widget.js', `widget-${VERSION}.js`]) writeFileSync(join(folder, name), 'export {};\n');
  return folder;
}

/** Writes a file for a setting that names one. */
export function settingFile(content: string | Uint8Array): string {
  const path = join(scratchFolder(), 'setting');
  writeFileSync(path, content);
  return path;
}
