import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readProxyConfig } from '../../../../src/proxy/node/config/proxy-config.js';
import { SETTINGS } from '../../../../src/proxy/node/config/settings.js';
import { scriptFolder } from '../../../support/minimal-settings.js';
import { SESSION_SECRET } from '../../../support/page-request.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const compose = readFileSync('src/proxy/node/operating/compose.yml', 'utf8');

describe('compose.yml', () => {
  const environment = environmentOf('proxy');

  it('sets only settings that exist', () => {
    const known = SETTINGS.flatMap(({ settings }) => settings.flatMap(({ names }) => names));

    assert.deepEqual(
      Object.keys(environment).filter((name) => !known.includes(name)),
      [],
    );
  });

  it('starts the proxy with settings that it accepts', () => {
    const secrets = scratchFolder();
    writeFileSync(join(secrets, 'portal'), 'sandbox-secret');
    writeFileSync(join(secrets, 'session'), SESSION_SECRET);
    const given = Object.entries(environment).map(([name, value]) => [name, value.replace('/run/secrets', secrets)]);

    const settings = readProxyConfig({
      ...(Object.fromEntries(given) as Record<string, string>),
      WIDGET_DIR: scriptFolder(),
    });

    assert.equal(settings.database.kind, 'postgres');
    assert.equal(settings.portal.account.baseUrl, 'http://localhost:8081');
  });

  it('lets the sandbox portal listen where the proxy calls it', () => {
    assert.equal(environment['PORTAL_BASE_URL'], `http://localhost:${environmentOf('portal')['PORT'] ?? ''}`);
    assert.match(serviceOf('portal'), /^ {4}network_mode: service:proxy$/m);
  });
});

function serviceOf(name: string): string {
  return new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '';
}

/** With a value for each variable that has no default. */
function environmentOf(name: string): Readonly<Record<string, string>> {
  const block = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(serviceOf(name))?.[1] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, variable = '', value = '']) => [
      variable,
      value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+:\?\}/g, 'given'),
    ]),
  );
}
