import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readProxyConfig } from '../../../../src/proxy/node/config/proxy-config.js';
import type { PortalCredential } from '../../../../src/proxy/portal/portal-client.js';
import { portalProfile } from '../../../../src/proxy/portal/profile.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import { SESSION_SECRET } from '../../../support/page-request.js';

describe('settings', () => {
  it('have defaults for all but a few', () => {
    const settings = readProxyConfig(minimalSettings());

    const { portal, session, ...rest } = settings;
    const [credential] = portal.account.credentials;
    assert.equal(portal.account.baseUrl, 'https://portal.example.com');
    assert.equal(credential?.clientId, 'guest-house');
    assert.equal(credential.clientSecret.reveal(), 'portal-secret');
    assert.deepEqual(portal.profile, portalProfile.parse({}));
    assert.equal(session.issuer, 'https://admin.example.com');
    assert.equal(session.audience, 'http://localhost:8080');
    assert.equal(session.key.kind === 'secret' && session.key.secret.reveal(), SESSION_SECRET);
    assert.deepEqual(
      { ...rest, widgetDirectory: '' },
      {
        items: undefined,
        forwardProxy: undefined,
        database: { kind: 'file', path: 'inventory.sqlite' },
        host: '127.0.0.1',
        port: 8080,
        metricsPort: 9464,
        publicUrl: 'http://localhost:8080',
        allowedOrigins: [],
        trustedProxies: [],
        historyDays: 400,
        maxLanes: 8,
        debugSessions: undefined,
        limits: { maxBodyBytes: 262_144, maxEdits: 500 },
        widgetDirectory: '',
        logLevel: 'info',
      },
    );
  });

  it('turn the reasons of refused sessions on or off with DEBUG_SESSIONS', () => {
    const read = (DEBUG_SESSIONS: string) => readProxyConfig({ ...minimalSettings(), DEBUG_SESSIONS }).debugSessions;

    assert.deepEqual(['on', 'off', ''].map(read), [true, false, undefined]);
    assert.throws(() => read('yes'), /DEBUG_SESSIONS must be one of on, off/);
  });

  it('ignore a slash and white space at the end of PUBLIC_URL', () => {
    for (const [given, meant] of [
      ['http://localhost:8289/', 'http://localhost:8289'],
      ['https://inventory.example.com/below//', 'https://inventory.example.com/below'],
      [' https://inventory.example.com/below/ \r', 'https://inventory.example.com/below'],
    ] as const) {
      const { publicUrl, session } = readProxyConfig({ ...minimalSettings(), PUBLIC_URL: given });

      assert.deepEqual([publicUrl, session.audience], [meant, meant]);
    }
  });

  it('use the first forward proxy that is set, and ignore an empty one', () => {
    const lower = { https_proxy: 'http://a:1', no_proxy: 'one' };
    const upper = { HTTPS_PROXY: 'http://b:1', NO_PROXY: ' two ' };
    const plain = { http_proxy: 'socks5://c:1', HTTP_PROXY: 'http://d:1' };

    const found = [{ ...lower, ...upper, ...plain }, { ...upper, ...plain, https_proxy: '' }, plain].map((settings) => {
      const { forwardProxy } = readProxyConfig({ ...minimalSettings(), ...settings });
      return [forwardProxy?.setting, forwardProxy?.url.reveal(), forwardProxy?.noProxy];
    });

    assert.deepEqual(found, [
      ['https_proxy', 'http://a:1', 'one'],
      ['HTTPS_PROXY', 'http://b:1', 'two'],
      [undefined, undefined, undefined],
    ]);
  });

  it('count as missing if they are blank, and are trimmed', () => {
    for (const name of ['SESSION_ISSUER', 'PORTAL_CLIENT_ID', 'PORTAL_BASE_URL']) {
      assert.throws(() => readProxyConfig({ ...minimalSettings(), [name]: ' \r' }), new RegExp(`${name} is missing`));
    }
    const { SESSION_ISSUER = '' } = minimalSettings();

    const { session } = readProxyConfig({ ...minimalSettings(), SESSION_ISSUER: ` ${SESSION_ISSUER}\r` });

    assert.equal(session.issuer, SESSION_ISSUER);
  });

  it('are trimmed if they are numbers, names or paths', () => {
    const given = {
      PORT: '8090\r',
      HOST: ' 127.0.0.2',
      METRICS_PORT: 'off ',
      LOG_LEVEL: 'warn\r',
      HISTORY_DAYS: ' 30',
    };
    const { SESSION_SECRET_FILE = '' } = minimalSettings();

    const read = readProxyConfig({ ...minimalSettings(), ...given, SESSION_SECRET_FILE: `${SESSION_SECRET_FILE}\r` });

    const { port, host, metricsPort, logLevel, historyDays } = read;
    assert.deepEqual([port, host, metricsPort, logLevel, historyDays], [8090, '127.0.0.2', undefined, 'warn', 30]);
  });

  it('use SESSION_AUDIENCE trimmed, or PUBLIC_URL if it is blank', () => {
    for (const [given, meant] of [
      ['https://inventory.example.com \r', 'https://inventory.example.com'],
      [' \r', 'http://localhost:8080'],
    ] as const) {
      const { session } = readProxyConfig({ ...minimalSettings(), SESSION_AUDIENCE: given });

      assert.equal(session.audience, meant);
    }
  });

  it('may all be set', () => {
    const settings = readProxyConfig({
      ...minimalSettings(),
      PORTAL_PROFILE: settingFile('{"update":{"path":"/v2/stock"}}'),
      DATABASE_URL: 'file:///var/lib/inventory.sqlite',
      HOST: '0.0.0.0',
      PORT: '443',
      METRICS_PORT: 'off',
      PUBLIC_URL: 'https://inventory.example.com/below',
      ALLOWED_ORIGINS: 'https://admin.example.com, https://shop.example.com:8443\nhttp://localhost:3000',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      SESSION_AUDIENCE: 'inventory',
      MAX_BODY_BYTES: '1024',
      MAX_EDITS: '1',
      DELIVERY_LANES: '3',
      LOG_LEVEL: 'debug',
    });

    assert.equal(settings.portal.profile.update.path, '/v2/stock');
    assert.deepEqual(settings.database, { kind: 'file', path: '/var/lib/inventory.sqlite' });
    assert.deepEqual([settings.host, settings.port, settings.metricsPort], ['0.0.0.0', 443, undefined]);
    assert.equal(settings.publicUrl, 'https://inventory.example.com/below');
    assert.deepEqual(settings.allowedOrigins, [
      'https://admin.example.com',
      'https://shop.example.com:8443',
      'http://localhost:3000',
    ]);
    assert.deepEqual(settings.trustedProxies, ['10.0.0.0/8', '::1']);
    assert.equal(settings.session.audience, 'inventory');
    assert.deepEqual(settings.limits, { maxBodyBytes: 1024, maxEdits: 1 });
    assert.equal(settings.maxLanes, 3);
    assert.equal(settings.logLevel, 'debug');
  });

  it('that are empty count as absent', () => {
    const empty = Object.fromEntries(
      ['PORTAL_CLIENT_SECRET_FILE', 'SESSION_JWKS', 'PORTAL_PROFILE', 'DATABASE_URL', 'HOST', 'PORT', 'LOG_LEVEL'].map(
        (name) => [name, ''],
      ),
    );

    const settings = readProxyConfig({ ...minimalSettings(), ...empty });

    assert.deepEqual([settings.port, settings.host, settings.logLevel], [8080, '127.0.0.1', 'info']);
  });

  for (const [written, meant] of [
    ['https://portal.example.com/', 'https://portal.example.com'],
    ['https://portal.example.com/api//', 'https://portal.example.com/api'],
    [' https://portal.example.com\n', 'https://portal.example.com'],
    ['HTTPS://Portal.Example.com:443', 'https://portal.example.com'],
    ['http://127.0.0.1:8081', 'http://127.0.0.1:8081'],
    ['http://localhost:8081', 'http://localhost:8081'],
    ['http://[::1]:8081', 'http://[::1]:8081'],
  ] as const) {
    it(`read PORTAL_BASE_URL ${JSON.stringify(written)} as ${meant}`, () => {
      const settings = readProxyConfig({ ...minimalSettings(), PORTAL_BASE_URL: written });

      assert.equal(settings.portal.account.baseUrl, meant);
    });
  }

  it('ignore a byte order mark at the start of a file', () => {
    const table = '{"boats":{"client_id":"boats","client_secrets":["of-boats"]}}';
    const settings = readProxyConfig({
      ...minimalSettings(),
      PORTAL_CLIENT_SECRET: undefined,
      PORTAL_CLIENT_SECRET_FILE: settingFile('\ufefffrom-a-file\r\n'),
      PORTAL_CREDENTIALS_FILE: settingFile(`\ufeff${table}`),
      PORTAL_PROFILE: settingFile('\ufeff{"update":{"path":"/v2/stock"}}'),
    });

    const { account, profile } = settings.portal;
    assert.deepEqual(secretsOf(account.credentials), ['from-a-file']);
    assert.deepEqual(secretsOf(account.byVendor?.get('boats') ?? []), ['of-boats']);
    assert.equal(profile.update.path, '/v2/stock');
  });

  it('ignore a line break at the end of a secret file', () => {
    const settings = readProxyConfig({
      ...minimalSettings(),
      PORTAL_CLIENT_SECRET: undefined,
      PORTAL_CLIENT_SECRET_FILE: settingFile('from-a-file\r\n'),
    });

    assert.deepEqual(secretsOf(settings.portal.account.credentials), ['from-a-file']);
  });

  it('trim the path of a database file', () => {
    for (const given of ['file:data/inventory.sqlite ', ' file: data/inventory.sqlite\t']) {
      const { database } = readProxyConfig({ ...minimalSettings(), DATABASE_URL: given });

      assert.deepEqual(database, { kind: 'file', path: 'data/inventory.sqlite' });
    }
  });

  it('accept a PostgreSQL URL, and print no password', () => {
    const url = 'postgres://proxy:database-password@db.example.com/inventory';

    const { database } = readProxyConfig({ ...minimalSettings(), DATABASE_URL: url });

    assert.equal(database.kind === 'postgres' && database.url.reveal(), url);
    assert.doesNotMatch(JSON.stringify(database), /database-password/);
  });

  it('accept any form of a PostgreSQL URL', () => {
    for (const url of [
      'postgresql://proxy@db.example.com',
      'postgres://proxy:p%23%2F%3F%40@db.example.com:5432/inventory?sslmode=verify-full',
      'postgres://proxy:with@sign@db.example.com/inventory',
      'postgres:///inventory?host=/var/run/postgresql',
      'postgres://db.example.com/inventory?user=proxy@tenant&password=a@b',
    ]) {
      const { database } = readProxyConfig({ ...minimalSettings(), DATABASE_URL: url });

      assert.equal(database.kind, 'postgres', url);
    }
  });

  it('accept two client secrets for a rotation', () => {
    const settings = readProxyConfig({
      ...minimalSettings(),
      PORTAL_CLIENT_SECRET: undefined,
      PORTAL_CLIENT_SECRET_FILE: settingFile('new-secret\nold-secret\n'),
    });

    assert.deepEqual(secretsOf(settings.portal.account.credentials), ['new-secret', 'old-secret']);
  });

  it('keep quotes and blanks of a client secret', () => {
    const { portal } = readProxyConfig({ ...minimalSettings(), PORTAL_CLIENT_SECRET: '"the secret" ' });

    assert.equal(portal.account.credentials[0]?.clientSecret.reveal(), '"the secret" ');
  });

  it('ignore blank lines of a secret file, and a line break at the end of a secret', () => {
    const [inFile, inPlace] = [
      { PORTAL_CLIENT_SECRET: undefined, PORTAL_CLIENT_SECRET_FILE: settingFile('the secret\n  \n') },
      { PORTAL_CLIENT_SECRET: 'the secret\r' },
    ].map((secret) => readProxyConfig({ ...minimalSettings(), ...secret }).portal.account.credentials);

    assert.deepEqual(secretsOf(inFile ?? []), ['the secret']);
    assert.deepEqual(secretsOf(inPlace ?? []), ['the secret']);
  });

  it('accept a table of credentials by vendor, with or without a shared credential', () => {
    const table = { 'boat-tours': { client_id: 'boats', client_secrets: ['one', 'two'] } };
    const PORTAL_CREDENTIALS_FILE = settingFile(JSON.stringify(table));
    const alone = { PORTAL_CLIENT_ID: undefined, PORTAL_CLIENT_SECRET: undefined };

    const both = readProxyConfig({ ...minimalSettings(), PORTAL_CREDENTIALS_FILE }).portal.account;
    const only = readProxyConfig({ ...minimalSettings(), ...alone, PORTAL_CREDENTIALS_FILE }).portal.account;

    assert.deepEqual(secretsOf(both.credentials), ['portal-secret']);
    assert.deepEqual(secretsOf(only.credentials), []);
    assert.deepEqual(secretsOf(only.byVendor?.get('boat-tours') ?? []), ['one', 'two']);
  });

  it('accept one credential for several vendors if the path contains the vendor', () => {
    const pair = { client_id: 'guest-house', client_secrets: ['one'] };
    const table = { 'boat-tours': pair, pottery: pair };

    const { account } = readProxyConfig({
      ...minimalSettings(),
      PORTAL_CREDENTIALS_FILE: settingFile(JSON.stringify(table)),
      PORTAL_PROFILE: settingFile('{"update":{"path":"/v1/vendors/{vendor}/inventory"}}'),
    }).portal;

    assert.deepEqual([...(account.byVendor?.keys() ?? [])], ['boat-tours', 'pottery']);
  });

  it('accept a file of public keys instead of a secret, and ignore keys of other types', () => {
    const ours = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'host' };
    const keys = [
      { kty: 'OKP', crv: 'X25519', x: 'of something else' },
      { kty: 'RSA', n: 'of something else', e: 'AQAB' },
      ours,
      { ...ours, use: 'enc' },
    ];

    const { session } = readProxyConfig({
      ...minimalSettings(),
      SESSION_SECRET_FILE: undefined,
      SESSION_JWKS: settingFile(JSON.stringify({ keys })),
    });

    assert.deepEqual(session.key, { kind: 'jwks', jwks: { keys: [ours] } });
  });

  it('accept two session secrets for a rotation', () => {
    const older = 'older-secret-of-at-least-32-bytes-too';

    const { session } = readProxyConfig({
      ...minimalSettings(),
      SESSION_SECRET_FILE: settingFile(`\ufeff${SESSION_SECRET}\r\n${older}\n`),
    });

    assert.equal(session.key.kind === 'secret' && session.key.secret.reveal(), SESSION_SECRET);
    assert.equal(session.key.kind === 'secret' && session.key.older?.reveal(), older);
  });

  it('accept a URL of public keys', () => {
    const { session } = readProxyConfig({
      ...minimalSettings(),
      SESSION_SECRET_FILE: undefined,
      SESSION_JWKS: 'https://admin.example.com/jwks.json',
    });

    assert.deepEqual(session.key, { kind: 'jwks-url', url: new URL('https://admin.example.com/jwks.json') });
  });
});

function secretsOf(credentials: readonly PortalCredential[]): string[] {
  return credentials.map(({ clientSecret }) => clientSecret.reveal());
}
