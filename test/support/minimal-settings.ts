import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/contract/version.js';
import type { Environment } from '../../src/proxy/node/config/env-reader.js';
import { SESSION_SECRET } from './page-request.js';
import { scratchFolder } from './scratch-folder.js';

/** The few settings that a proxy cannot do without. */
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

/** Files for WIDGET_DIR: what a proxy has to have for pages, though the clone is not built. */
export function scriptFolder(): string {
  const folder = join(scratchFolder(), 'widget');
  mkdirSync(folder);
  for (const name of ['widget.js', `widget-${VERSION}.js`]) writeFileSync(join(folder, name), 'export {};\n');
  return folder;
}

/** A file for a setting that names one. */
export function settingFile(content: string | Uint8Array): string {
  const path = join(scratchFolder(), 'setting');
  writeFileSync(path, content);
  return path;
}
