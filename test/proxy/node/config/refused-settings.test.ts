import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { readProxyConfig } from '../../../../src/proxy/node/config/proxy-config.js';
import { InvalidSettings, type Environment } from '../../../../src/proxy/node/config/env-reader.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

type Bad = readonly [what: string, changes: () => Environment, fault: RegExp];

const QUOTED = {
  PORTAL_BASE_URL: 'https://portal.example.com',
  PORTAL_CLIENT_ID: 'guest-house',
  SESSION_ISSUER: 'https://admin.example.com',
  ALLOWED_ORIGINS: 'https://admin.example.com',
  DATABASE_URL: 'file:inventory.sqlite',
  PORT: '8090',
  LOG_LEVEL: 'info',
};

describe('an invalid setting', () => {
  const bad: readonly Bad[] = [
    ['no portal URL', () => ({ PORTAL_BASE_URL: undefined }), /^PORTAL_BASE_URL is missing/],
    ['a portal by plain http', () => ({ PORTAL_BASE_URL: 'http://portal.example.com' }), /^PORTAL_BASE_URL.*https/],
    [
      'a portal that looks like loopback',
      () => ({ PORTAL_BASE_URL: 'http://127.0.0.1.evil.com' }),
      /^PORTAL_BASE.*https/,
    ],
    ['a portal that is no URL', () => ({ PORTAL_BASE_URL: 'portal.example.com' }), /^PORTAL_BASE_URL must be/],
    ['a portal with a user', () => ({ PORTAL_BASE_URL: 'https://ada@portal.example.com' }), /^PORTAL_BASE_URL must be/],
    [
      'a portal with a password',
      () => ({ PORTAL_BASE_URL: 'https://:pw@portal.example.com' }),
      /^PORTAL_BASE_URL must/,
    ],
    [
      'a portal with a query',
      () => ({ PORTAL_BASE_URL: 'https://portal.example.com/?a=1' }),
      /^PORTAL_BASE_URL must be/,
    ],
    [
      'a portal with an empty query',
      () => ({ PORTAL_BASE_URL: 'https://portal.example.com/?' }),
      /^PORTAL_BASE_URL must/,
    ],
    [
      'a portal with an empty fragment',
      () => ({ PORTAL_BASE_URL: 'https://portal.example.com/#' }),
      /^PORTAL_BASE_URL must/,
    ],
    ['a metrics port that is no number', () => ({ METRICS_PORT: 'on' }), /^METRICS_PORT must be/],
    ['no client id', () => ({ PORTAL_CLIENT_ID: undefined }), /^PORTAL_CLIENT_ID is missing/],
    ['no client secret', () => ({ PORTAL_CLIENT_SECRET: undefined }), /^set exactly one of PORTAL_CLIENT_SECRET and/],
    [
      'two settings of the client secret',
      () => ({ PORTAL_CLIENT_SECRET_FILE: settingFile('x') }),
      /^set exactly one of PORTAL_CLIENT_SECRET and/,
    ],
    [
      'a secret file that does not exist',
      () => ({ PORTAL_CLIENT_SECRET: undefined, PORTAL_CLIENT_SECRET_FILE: '/nowhere/secret' }),
      /^PORTAL_CLIENT_SECRET_FILE cannot be read/,
    ],
    ['a blank secret', () => ({ PORTAL_CLIENT_SECRET: ' \r' }), /^PORTAL_CLIENT_SECRET is blank$/],
    [
      'a secret file of blank lines',
      () => ({ PORTAL_CLIENT_SECRET: undefined, PORTAL_CLIENT_SECRET_FILE: settingFile('\r\n  \r\n') }),
      /^PORTAL_CLIENT_SECRET_FILE is empty$/,
    ],
    [
      'an empty secret file',
      () => ({ PORTAL_CLIENT_SECRET: undefined, PORTAL_CLIENT_SECRET_FILE: settingFile('\n') }),
      /^PORTAL_CLIENT_SECRET_FILE is empty$/,
    ],
    [
      'a secret in place of the path of its file',
      () => ({ PORTAL_CLIENT_SECRET: undefined, PORTAL_CLIENT_SECRET_FILE: 'canary/of+a/secret' }),
      /^PORTAL_CLIENT_SECRET_FILE cannot be read: there is no such file \(ENOENT\)\. It must be the path of a text file$/,
    ],
    [
      'a folder in place of a secret file',
      () => ({ SESSION_SECRET_FILE: '/' }),
      /^SESSION_SECRET_FILE cannot be read: it is a folder \(EISDIR\)/,
    ],
    [
      'a forward proxy without a scheme',
      () => ({ HTTPS_PROXY: 'proxy.example.com:3128' }),
      /^HTTPS_PROXY must be an http/,
    ],
    [
      'a forward proxy with another scheme than HTTP',
      () => ({ https_proxy: 'socks5://127.0.0.1:1080' }),
      /^https_proxy must be an/,
    ],
    [
      'a forward proxy with a path',
      () => ({ HTTPS_PROXY: 'http://a.example.com/proxy' }),
      /^HTTPS_PROXY must be an http/,
    ],
    ['a gateway by name', () => ({ TRUSTED_PROXIES: 'gateway.example.com' }), /^TRUSTED_PROXIES: gateway/],
    ['a wildcard for gateways', () => ({ TRUSTED_PROXIES: '*' }), /^TRUSTED_PROXIES: \* is no address/],
    [
      'a secret file of three lines',
      () => ({ PORTAL_CLIENT_SECRET: undefined, PORTAL_CLIENT_SECRET_FILE: settingFile('a\nb\nc') }),
      /^PORTAL_CLIENT_SECRET_FILE holds more than two lines$/,
    ],
    ['a portal at 0.0.0.0', () => ({ PORTAL_BASE_URL: 'http://0.0.0.0:81' }), /^PORTAL_BASE_URL.*https/],
    [
      'a portal whose name begins with localhost',
      () => ({ PORTAL_BASE_URL: 'http://localhost.evil.com' }),
      /^PORTAL_BASE_URL.*https/,
    ],
    ['a portal that is a file', () => ({ PORTAL_BASE_URL: 'file:///etc/passwd' }), /^PORTAL_BASE_URL must be/],
    [
      'credentials by vendor that are not JSON',
      () => ({ PORTAL_CREDENTIALS_FILE: settingFile('boat-tours=x') }),
      /^PORTAL_CREDENTIALS_FILE is not JSON: names and texts/,
    ],
    [
      'credentials by vendor without a secret',
      () => ({ PORTAL_CREDENTIALS_FILE: settingFile('{"boats":{"client_id":"x","client_secrets":[]}}') }),
      /^PORTAL_CREDENTIALS_FILE at \/boats\/client_secrets: expected at least 1$/,
    ],
    [
      'one credential for two vendors',
      () => ({ PORTAL_CREDENTIALS_FILE: settingFile(tableOf({ boats: 'x', pots: 'y', looms: 'x' })) }),
      /^PORTAL_CREDENTIALS_FILE gives "looms" a client_id that others have: they would have its items$/,
    ],
    [
      'the shared credential for one vendor',
      () => ({ PORTAL_CREDENTIALS_FILE: settingFile(tableOf({ boats: 'guest-house' })) }),
      /^PORTAL_CREDENTIALS_FILE gives "boats" a client_id that others have/,
    ],
    ['no issuer', () => ({ SESSION_ISSUER: undefined }), /^SESSION_ISSUER is missing/],
    ['no session key', () => ({ SESSION_SECRET_FILE: undefined }), /^set exactly one of SESSION_SECRET_FILE and/],
    [
      'two kinds of session keys',
      () => ({ SESSION_JWKS: 'https://a.example.com' }),
      /^set exactly one of SESSION_SECRET_FILE/,
    ],
    [
      'a session secret of 31 bytes',
      () => ({ SESSION_SECRET_FILE: settingFile('s'.repeat(31)) }),
      /^SESSION_SECRET_FILE.*32 bytes/,
    ],
    [
      'a second session secret that is too short',
      () => ({ SESSION_SECRET_FILE: settingFile(`${'s'.repeat(32)}\nshort`) }),
      /^SESSION_SECRET_FILE.*32 bytes/,
    ],
    [
      'three session secrets',
      () => ({ SESSION_SECRET_FILE: settingFile(`${'s'.repeat(32)}\n`.repeat(3)) }),
      /^SESSION_SECRET_FILE holds more than two lines$/,
    ],
    [
      'a private key in place of a public one',
      () => jwks('{"keys":[{"kty":"OKP","crv":"Ed25519","x":"x","d":"canary"}]}'),
      /^SESSION_JWKS at \/keys\/0: a private key: give the public half alone$/,
    ],
    ['public keys that are not JSON', () => jwks('{'), /^SESSION_JWKS is not JSON \(line 1 column 2\): /],
    ['no public key', () => jwks('{"keys":[]}'), /^SESSION_JWKS at \/keys: expected at least 1$/],
    [
      'a secret key in place of a public one',
      () => jwks('{"keys":[{"kty":"oct","k":"x"}]}'),
      /^SESSION_JWKS at \/keys: none of them is a whole key of Ed25519 or P-256$/,
    ],
    [
      'a truncated public key',
      () => jwks('{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS","kid":"host"}]}'),
      /^SESSION_JWKS at \/keys: none of them is a whole key of Ed25519 or P-256$/,
    ],
    [
      'public keys of unsupported types',
      () => jwks(`{"keys":[{"kty":"EC","crv":"P-384","x":"${'x'.repeat(64)}","y":"${'x'.repeat(64)}"}]}`),
      /^SESSION_JWKS at \/keys: none of them is a whole key of Ed25519 or P-256$/,
    ],
    ['public keys by plain http', () => jwksAt('http://admin.example.com/jwks.json'), /^SESSION_JWKS.*https/],
    ['every origin', () => ({ ALLOWED_ORIGINS: '*' }), /^ALLOWED_ORIGINS: \* is no exact origin/],
    ['the opaque origin', () => ({ ALLOWED_ORIGINS: 'null' }), /^ALLOWED_ORIGINS: null is no exact origin/],
    [
      'an origin with a path',
      () => ({ ALLOWED_ORIGINS: 'https://a.example.com/' }),
      /^ALLOWED_ORIGINS.*no exact origin/,
    ],
    [
      'an origin with a wildcard',
      () => ({ ALLOWED_ORIGINS: 'https://*.example.com' }),
      /^ALLOWED_ORIGINS.*no exact origin/,
    ],
    [
      'origins separated by a semicolon',
      () => ({ ALLOWED_ORIGINS: 'https://a.example.com; https://b.example.com' }),
      /^ALLOWED_ORIGINS: https:\/\/a\.example\.com; is no exact origin/,
    ],
    [
      'an origin with another scheme than HTTP',
      () => ({ ALLOWED_ORIGINS: 'ftp://a.example.com' }),
      /^ALLOWED_ORIGINS.*no exact/,
    ],
    ['a port that is no number', () => ({ PORT: 'http' }), /^PORT must be a whole number/],
    ['a port that is too large', () => ({ PORT: '65536' }), /^PORT must be a whole number/],
    ['a port with a sign', () => ({ PORT: '+80' }), /^PORT must be a whole number/],
    ['a public address by plain http', () => ({ PUBLIC_URL: 'http://inventory.example.com' }), /^PUBLIC_URL.*https/],
    ['a public address with a query', () => ({ PUBLIC_URL: 'https://a.example.com/?x=1' }), /^PUBLIC_URL must be an/],
    [
      'a history shorter than the lifetime of idempotency keys',
      () => ({ HISTORY_DAYS: '6' }),
      /^HISTORY_DAYS must be a whole number from 7 to 36500: idempotency keys live 7 days/,
    ],
    [
      'a profile that is not JSON',
      () => ({ PORTAL_PROFILE: settingFile('update: {}') }),
      /^PORTAL_PROFILE is not JSON: names and texts stand in double quotes/,
    ],
    [
      'a profile with a trailing comma',
      () => ({ PORTAL_PROFILE: settingFile('{\n  "limits": { "items": 10, }\n}') }),
      /^PORTAL_PROFILE is not JSON \(line 2 column 28\): .+; no comments, and no comma before \} or \]$/,
    ],
    [
      'a profile with a comment',
      () => ({ PORTAL_PROFILE: settingFile('{\n  // ours\n}') }),
      /^PORTAL_PROFILE is not JSON \(line 2 column 3\): .+; no comments,/,
    ],
    ['an empty profile', () => ({ PORTAL_PROFILE: settingFile('\n') }), /^PORTAL_PROFILE is empty$/],
    [
      'a session secret in UTF-16',
      () => ({ SESSION_SECRET_FILE: settingFile(Buffer.from(`\ufeff${'s'.repeat(32)}`, 'utf16le')) }),
      /^SESSION_SECRET_FILE cannot be read: it is saved in another encoding than UTF-8\. /,
    ],
    [
      'a session secret in UTF-16 without a byte order mark',
      () => ({ SESSION_SECRET_FILE: settingFile(Buffer.from('s'.repeat(32), 'utf16le')) }),
      /^SESSION_SECRET_FILE cannot be read: it is saved in another encoding than UTF-8\. /,
    ],
    ...Object.entries(QUOTED).map(([name, value]): Bad => [
      `a value in quotes for ${name}`,
      () => ({ [name]: `"${value}"` }),
      new RegExp(`^${name} is in quotes, and they count as part of it: leave them out$`),
    ]),
    [
      'an origin in capitals',
      () => ({ ALLOWED_ORIGINS: 'https://Shop.Example.com:443' }),
      /^ALLOWED_ORIGINS: .+ is no exact origin such as https:\/\/shop\.example\.com \(/,
    ],
    [
      'a profile with an unknown key',
      () => ({ PORTAL_PROFILE: settingFile('{"updates":{}}') }),
      /^PORTAL_PROFILE at \/updates: unknown field$/,
    ],
    [
      'a profile with a nested unknown key',
      () => ({ PORTAL_PROFILE: settingFile('{"update":{"verb":"PUT"}}') }),
      /^PORTAL_PROFILE at \/update\/verb: unknown field$/,
    ],
    [
      'a profile with an invalid value',
      () => ({ PORTAL_PROFILE: settingFile('{"limits":{"items":0}}') }),
      /^PORTAL_PROFILE at \/limits\/items: expected more than 0$/,
    ],
    [
      'a profile that sets a connection header',
      () => ({ PORTAL_PROFILE: settingFile('{"update":{"headers":{"Host":"x"}}}') }),
      /^PORTAL_PROFILE at \/update\/headers\/Host: expected a header that is not HTTP’s own to write$/,
    ],
    [
      'a profile with the token in Content-Type',
      () => ({ PORTAL_PROFILE: settingFile('{"authorization":{"header":"Content-Type"}}') }),
      /^PORTAL_PROFILE at \/authorization\/header: expected a header that does not tell of a body$/,
    ],
    [
      'a profile with idempotency key and token in one header',
      () => ({ PORTAL_PROFILE: settingFile('{"idempotency":{"header":"authorization"}}') }),
      /^PORTAL_PROFILE at \/idempotency\/header: expected another header than authorization\.header has$/,
    ],
    [
      'a profile with an invalid header name',
      () => ({ PORTAL_PROFILE: settingFile('{"authorization":{"header":"X Key"}}') }),
      /^PORTAL_PROFILE at \/authorization\/header: expected a header name: letters, digits and/,
    ],
    [
      'a profile with an unknown placeholder in the path',
      () => ({ PORTAL_PROFILE: settingFile('{"update":{"path":"/v1/vendors/{vendor_id}/inv"}}') }),
      /^PORTAL_PROFILE at \/update\/path: expected no braces but those of \{vendor\}, the only name known$/,
    ],
    [
      'a profile with .. in the path',
      () => ({ PORTAL_PROFILE: settingFile('{"update":{"path":"/v1/../inventory"}}') }),
      /^PORTAL_PROFILE at \/update\/path: expected a path without backslashes, and without \. or \.\. between slashes$/,
    ],
    [
      'a profile with a query in the path',
      () => ({ PORTAL_PROFILE: settingFile('{"update":{"path":"/v1/inventory?x=1"}}') }),
      /^PORTAL_PROFILE at \/update\/path: expected a path that .* has no query, no fragment and no blank$/,
    ],
    [
      'a profile with a status class',
      () => ({ PORTAL_PROFILE: settingFile('{"statuses":{"2xx":"delivered"}}') }),
      /^PORTAL_PROFILE at \/statuses\/2xx: expected the key to be a status code, such as 409$/,
    ],
    [
      'a profile with an object in place of a text',
      () => ({ PORTAL_PROFILE: settingFile('{"results":{"taken":[{}]}}') }),
      /^PORTAL_PROFILE at \/results\/taken\/0: expected a text, a number, true, false or null$/,
    ],
    [
      'a profile that does not exist',
      () => ({ PORTAL_PROFILE: '/nowhere/profile.json' }),
      /^PORTAL_PROFILE cannot be read/,
    ],
    [
      'an item catalog that does not exist',
      () => ({ ITEMS_SOURCE: '/nowhere/items.json' }),
      /^ITEMS_SOURCE cannot be read/,
    ],
    ['an item catalog of another shape', () => ({ ITEMS_SOURCE: settingFile('[{"id":7}]') }), /^ITEMS_SOURCE/],
    [
      'a header for an item catalog that is a file',
      () => ({ ITEMS_SOURCE: settingFile('[]'), ITEMS_SOURCE_HEADER_FILE: settingFile('X-Api-Key: x') }),
      /^ITEMS_SOURCE_HEADER_FILE is for an ITEMS_SOURCE that is a URL$/,
    ],
    ...['no header', 'X-Api-Key:', 'Host: x', 'If-None-Match: x', 'X-Api-Key: a\nX-Other: b', 'X-Api-Key: é'].map(
      (text): Bad => [
        `a header for the item catalog that is ${JSON.stringify(text)}`,
        () => ({ ITEMS_SOURCE: 'https://shop.example.com/items', ITEMS_SOURCE_HEADER_FILE: settingFile(text) }),
        /^ITEMS_SOURCE_HEADER_FILE must hold one header in one line/,
      ],
    ),
    [
      'an item catalog by plain http',
      () => ({ ITEMS_SOURCE: 'http://shop.example.com/items' }),
      /^ITEMS_SOURCE.*https/,
    ],
    [
      '{vendor} in the host name of the item catalog',
      () => ({ ITEMS_SOURCE: 'https://{vendor}.example.com/items' }),
      /^ITEMS_SOURCE may name \{vendor\} in its path only/,
    ],
    [
      'one item catalog for several vendors',
      () => ({
        ITEMS_SOURCE: 'https://shop.example.com/items',
        PORTAL_PROFILE: settingFile('{"update":{"path":"/{vendor}/inventory"}}'),
      }),
      /^ITEMS_SOURCE must name \{vendor\}/,
    ],
    ['another kind of database', () => ({ DATABASE_URL: 'mysql://db/inventory' }), /^DATABASE_URL must be file:PATH/],
    ['a body limit of 0', () => ({ MAX_BODY_BYTES: '0' }), /^MAX_BODY_BYTES must be a whole number from 1024/],
    ['a batch limit of 0', () => ({ MAX_EDITS: '0' }), /^MAX_EDITS must be a whole number from 1 /],
    [
      'a metrics port that is another word than off',
      () => ({ METRICS_PORT: 'none' }),
      /^METRICS_PORT .* 65535: off means none$/,
    ],
    ['a script folder that does not exist', () => ({ WIDGET_DIR: '/nowhere/widget' }), /^WIDGET_DIR cannot be read/],
    [
      'a script folder that is a circular link',
      () => ({ WIDGET_DIR: circle() }),
      /^WIDGET_DIR cannot be read: .*circle: its links go round in a circle \(ELOOP\)$/,
    ],
    ['another log level', () => ({ LOG_LEVEL: 'loud' }), /^LOG_LEVEL must be one of debug, info, warn, error$/],
  ];

  for (const [what, changes, fault] of bad) {
    it(`is reported in one line: ${what}`, () => {
      const faults = faultsOf({ ...minimalSettings(), ...changes() });

      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', fault);
      assert.doesNotMatch(faults[0] ?? '', /\n|Invalid input/);
    });
  }

  for (const closed of ['.', 'widget', 'widget/assets', 'widget/widget.js']) {
    it(`is a script folder if this user may not read ${closed === '.' ? 'its parent' : closed}`, () => {
      const holder = scratchFolder();
      mkdirSync(join(holder, 'widget/assets'), { recursive: true });
      writeFileSync(join(holder, 'widget/widget.js'), '');
      for (const open of [dirname(holder), holder]) chmodSync(open, 0o711);
      chmodSync(join(holder, closed), 0);

      const faults = asNobody(() => faultsOf({ WIDGET_DIR: join(holder, 'widget') }));

      chmodSync(join(holder, closed), 0o700);
      const own = faults.filter((fault) => fault.startsWith('WIDGET_DIR'));
      const where = join(holder, closed === '.' ? 'widget' : closed);
      assert.deepEqual(own, [`WIDGET_DIR cannot be read: ${where}: this user may not read it (EACCES)`]);
    });
  }

  it('is reported together with all others', () => {
    const faults = faultsOf({
      PORTAL_BASE_URL: 'http://portal.example.com',
      ALLOWED_ORIGINS: '* https://a.example.com/x',
      PORT: '-1',
      PUBLIC_URL: 'nowhere',
      DATABASE_URL: 'mysql://db',
      LOG_LEVEL: 'loud',
      MAX_EDITS: 'many',
      WIDGET_DIR: '/nowhere/widget',
      PORTAL_PROFILE: settingFile('{"a":1,"b":2}'),
    });

    const names = faults.map((fault) => /[A-Z_]{4,}/.exec(fault)?.[0]).sort();
    assert.deepEqual(names, [
      'ALLOWED_ORIGINS',
      'ALLOWED_ORIGINS',
      'DATABASE_URL',
      'LOG_LEVEL',
      'MAX_EDITS',
      'PORT',
      'PORTAL_BASE_URL',
      'PORTAL_CLIENT_ID',
      'PORTAL_CLIENT_SECRET',
      'PORTAL_PROFILE',
      'PORTAL_PROFILE',
      'PUBLIC_URL',
      'SESSION_ISSUER',
      'SESSION_SECRET_FILE',
      'WIDGET_DIR',
    ]);
  });

  it('is not repeated if it may contain a secret', () => {
    const faults = faultsOf({
      ...minimalSettings(),
      PORTAL_BASE_URL: 'https://user:canary@portal.example.com',
      PORTAL_CLIENT_SECRET_FILE: settingFile('canary'),
      SESSION_SECRET_FILE: settingFile('canary'),
      PORTAL_PROFILE: settingFile('{"canary'),
    });

    assert.ok(faults.length >= 4);
    assert.doesNotMatch(faults.join('\n'), /canary/);
  });

  const urls = [
    'canary',
    'canary:canary@a:1',
    'http://u:can#ary@a:1',
    'http://canary:12/ary@a:1',
    'http://canary:8%zz@a',
  ];
  for (const url of urls) {
    it(`is not repeated if it contains the password of a forward proxy: ${url}`, () => {
      const faults = faultsOf({ ...minimalSettings(), HTTPS_PROXY: url });

      assert.deepEqual([faults.length, /can|ary@|:12/.test(faults.join())], [1, false], faults.join());
    });
  }

  for (const password of ['can#ary', 'can/ary', 'can?ary', '12#ary', '12/ary', '12?ary', 'a@can/ary', 'a@can?ary']) {
    it(`is not repeated if the database password contains a URL delimiter: ${password}`, () => {
      const faults = faultsOf({
        ...minimalSettings(),
        DATABASE_URL: `postgres://u:${password}@db.example.com/inventory`,
      });

      assert.equal(faults.length, 1, faults.join());
      assert.match(faults[0] ?? '', /^DATABASE_URL cannot be read: .* percent-encode what is no letter or digit$/);
      assert.doesNotMatch(faults[0] ?? '', /can[#/?]|12|ary@/);
    });
  }

  const pasted = ['canary', `${'canary'.repeat(50)}\n`, '{"keys":[{"d":"canary"}]}', 'canary\0canary'];
  for (const name of ['PORTAL_CLIENT_SECRET_FILE', 'PORTAL_CREDENTIALS_FILE', 'SESSION_SECRET_FILE', 'SESSION_JWKS']) {
    it(`is not repeated if ${name} contains a secret in place of a path`, () => {
      for (const value of pasted) {
        const faults = faultsOf({
          ...minimalSettings(),
          PORTAL_CLIENT_SECRET: undefined,
          SESSION_SECRET_FILE: undefined,
          [name]: value,
        });

        const own = faults.filter((fault) => fault.startsWith(`${name} cannot be read: `));
        assert.deepEqual([own.length, faults.join('\n').includes('canary')], [1, false], faults.join('\n'));
      }
    });
  }
});

function tableOf(clients: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(clients).map(([vendor, client_id]) => [vendor, { client_id, client_secrets: ['s'] }]);
  return JSON.stringify(Object.fromEntries(pairs));
}

/** Runs the work as a user without privileges, because root may read everything. */
function asNobody<T>(work: () => T): T {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  try {
    return work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

function circle(): string {
  const path = join(scratchFolder(), 'circle');
  symlinkSync(path, path);
  return path;
}

function jwks(content: string): Environment {
  return jwksAt(settingFile(content));
}

function jwksAt(location: string): Environment {
  return { SESSION_SECRET_FILE: undefined, SESSION_JWKS: location };
}

function faultsOf(environment: Environment): readonly string[] {
  try {
    readProxyConfig(environment);
  } catch (error) {
    if (error instanceof InvalidSettings) return error.faults;
    throw error;
  }
  return [];
}
