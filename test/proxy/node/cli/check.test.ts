import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Environment } from '../../../../src/proxy/node/config/env-reader.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import {
  body,
  DEAD_ADDRESS,
  servePortal,
  status,
  type Answer,
  type PortalServer,
} from '../../../support/portal-server.js';
import { Command, runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const GRANT = body('{"access_token":"canary-token","token_type":"Bearer"}', 'application/json');

const SEND = ['--send', 'kayak'];

interface Checked {
  readonly portal: PortalServer;
  readonly code: number;
  readonly said: string;
}

async function check(t: TestContext, words: readonly string[], ...answers: readonly Answer[]): Promise<Checked> {
  return checkWith(t, {}, words, ...answers);
}

async function checkWith(
  t: TestContext,
  changes: Environment,
  words: readonly string[],
  ...answers: readonly Answer[]
): Promise<Checked> {
  const portal = await servePortal(t, ...answers);
  const settings = { ...minimalSettings(), PORTAL_BASE_URL: portal.url, ...changes };
  const { code, printed } = await runCommand(['check', ...words], settings);
  return { portal, code, said: printed };
}

/** RFC 8037, appendix A.2. */
const PUBLIC_KEY = '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}';

function keysAt(url: string): Environment {
  return { SESSION_JWKS: `${url}/jwks`, SESSION_SECRET_FILE: undefined };
}

describe('vendor-inventory check', { concurrency: 4 }, () => {
  it('lists documented and assumed points, gets a token, and sends no update without --send', async (t) => {
    const { portal, code, said } = await check(t, ['--verbose'], GRANT);

    assert.equal(code, 0);
    assert.match(said, /^Verdict: ready, as far as was tried\. No update was sent: name an item with --send ID/);
    assert.match(said, /documented +token request/);
    assert.match(said, /assumed +update\.method +"POST"/);
    assert.match(said, /assumed +ITEMS_SOURCE +off\n/);
    assert.match(said, /assumed +PORTAL_CREDENTIALS_FILE +one pair for all\n/);
    assert.match(said, /Token with the first secret: granted\./);
    assert.match(
      said,
      /script-src http:\/\/localhost:8080; connect-src 'self' http:\/\/localhost:8080[^]*img-src the origin of the pictures/,
    );
    assert.equal(portal.seen.length, 1);
    assert.doesNotMatch(said, /canary|portal-secret/);
  });

  it('prints the verdict first, then what to correct, and counts the assumptions', async (t) => {
    const { said } = await check(t, [], status(401));
    const fine = await check(t, SEND, GRANT, GRANT, status(200));

    assert.match(said, /^Verdict: not ready, 1 thing to correct:\n\nToken with the first secret: refused /);
    assert.match(
      said,
      /^The portal's document leaves much open: \d+ points are assumed, 0 are set\. --verbose lists them\.$/m,
    );
    assert.doesNotMatch(said, /assumed +update\.method/);
    assert.match(fine.said, /^Verdict: ready\. The portal has taken an update\.\n/);
  });

  it('warns if ALLOWED_ORIGINS is empty', async (t) => {
    const none = await check(t, [], GRANT);
    const one = await checkWith(t, { ALLOWED_ORIGINS: 'https://admin.example.com' }, [], GRANT);

    assert.match(none.said, /^Warning: ALLOWED_ORIGINS is empty: only pages of http:\/\/localhost:8080 itself/m);
    assert.doesNotMatch(one.said, /Warning/);
  });

  it('prints the message of the portal in one line, truncated and without secrets', async (t) => {
    const message = `Send the header\n X-Version. portal-secret canary-token ${'x'.repeat(300)}`;
    const answer: Answer = (response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: message }));
    };

    const { said } = await check(t, SEND, GRANT, GRANT, answer);

    const [line = ''] = /^ {2}The portal says: .*$/m.exec(said) ?? [];
    assert.match(line, /Send the header.*X-Version\. \[redacted\] \[redacted\] x+$/);
    assert.equal(line.length, '  The portal says: '.length + 200);
    assert.match(said, /^ {2}By these words it is about update\.headers\.$/m);
  });

  it('sends an update of the item that --send names', async (t) => {
    const { portal, code, said } = await check(t, ['--send', 'kayak', '--unavailable'], GRANT, GRANT, status(200));

    assert.equal(code, 0);
    assert.match(said, /Update of "kayak" to not available: delivered\./);
    const sent = JSON.parse(portal.seen.at(-1)?.body ?? '') as { inventory: { id: string; available: boolean }[] };
    assert.deepEqual(
      sent.inventory.map(({ id, available }) => [id, available]),
      [['kayak', false]],
    );
  });

  it('prints the response body if only the status tells that the update was accepted', async (t) => {
    const answer = body('{"success": false,\n "token": "canary-token", "secret": "portal-secret"}', 'application/json');

    const { said } = await check(t, SEND, GRANT, GRANT, answer);

    const shown = '{"success": false, "token": "[redacted]", "secret": "[redacted]"}';
    assert.ok(said.includes(`Where the portal means no by ${shown}, set success.status in the profile.`), said);
  });

  const troubles: readonly (readonly [what: string, answers: readonly Answer[], says: RegExp])[] = [
    ['the credentials are refused', [status(401)], /Token with the first secret: refused .* Check PORTAL_CLIENT_ID/],
    [
      'the portal answers with HTML',
      [body('<h1>', 'text/html')],
      /Token with the first secret: failed .* Check PORTAL_BASE_URL/,
    ],
    [
      'the portal expects another format of token requests',
      [status(415)],
      /Token with the first secret: failed .* 415\)\. Check PORTAL_BASE_URL, and whether token\.body is right\.$/m,
    ],
    [
      'the portal answers 503 to the token request',
      [status(503)],
      /answered the token request with 503\)\. The portal is busy or in trouble\. If that lasts: check PORTAL_BASE_URL/,
    ],
    [
      'the token request lacks a field',
      [(response) => response.writeHead(400).end('{"error":"invalid_scope"}')],
      /refused \(.* 400 invalid_scope\)\. Check .* whether token\.body and token\.extra_fields are right\.$/m,
    ],
    [
      'the portal does not accept the token',
      [GRANT, GRANT, status(401), GRANT, status(401)],
      /not accepted\. Check authorization\.header/,
    ],
    ['the item is refused', [GRANT, GRANT, status(422)], /refused \(422\)\. Check the id, then update\.method/],
    [
      'the path is wrong',
      [GRANT, GRANT, status(302)],
      /\(302, application\/json\) is none .* Check update\.path and PORTAL_BASE_URL\.$/m,
    ],
    [
      'the method is wrong',
      [GRANT, GRANT, status(405)],
      /\(405, application\/json\) is none .* Check update\.method, then update\.path and PORTAL_BASE_URL\.$/m,
    ],
    [
      'the media type is wrong',
      [GRANT, GRANT, status(415)],
      /refused \(415\)\. Check Content-Type in update\.headers, then update\.method and update\.path\.$/m,
    ],
    [
      'a gateway refuses the token request with an HTML page',
      [(response) => response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Log in')],
      /refused \(the portal refused the token request: 403, text\/html\)/,
    ],
    [
      'the token response is an HTML page',
      [body('<h1>Log in', 'text/html; charset=utf-8')],
      /failed \(the token answer \(200, text\/html\) is not the object of RFC 6749 section 5\.1\)/,
    ],
    [
      'the response to the update is an HTML page',
      [GRANT, GRANT, body('<h1>Log in', 'text/html')],
      /the answer \(200, text\/html; no JSON\) is none that an inventory update gives\. Check update\.path and PORTAL_BASE_URL\.$/m,
    ],
    [
      'an HTML page with 403 refuses the update',
      [GRANT, GRANT, (response) => response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Log in')],
      /refused \(403, text\/html\)\. Check the id, then update\.method/,
    ],
    [
      'a gateway answers with an HTML page and 511',
      [GRANT, GRANT, (response) => response.writeHead(511, { 'Content-Type': 'text/html' }).end('<h1>Log in')],
      /no answer to rely on \(portal_error; 511, text\/html\)/,
    ],
    [
      'the profile does not know the status of the accepted item',
      [GRANT, GRANT, body('{"results":[{"id":"kayak","status":"STORED"}]}', 'application/json')],
      /answered, and the item refused \(STORED\)\. Check the id, and results\.taken in the profile\.$/m,
    ],
    [
      'an item in the response has no status',
      [GRANT, GRANT, (response) => response.writeHead(207).end('{"results":[{"id":"kayak"}]}')],
      /the answer \(207, without a type; a result without a status at results\.status\) is none .*, and results in the profile\.$/m,
    ],
  ];
  for (const [what, answers, says] of troubles) {
    it(`prints what to change if ${what}, and exits with 1`, async (t) => {
      const { code, said } = await check(t, ['--send', 'kayak'], ...answers);

      assert.equal(code, 1);
      assert.match(said, says);
      assert.doesNotMatch(said, /Log in/);
    });
  }

  for (const [what, answer, says] of [
    [
      'reports a failure in the field that the profile names',
      '{"success":false,"error":"unknown_item"}',
      /answered, and refused \(200 unknown_item\)\. Check the id, and success in the profile\.$/m,
    ],
    [
      'lacks the field that the profile names',
      '{"result":"fine"}',
      /json; no word at success\.status\) is none .*, and success in the profile\.$/m,
    ],
  ] as const) {
    it(`prints what to change if a response with 200 ${what}`, async (t) => {
      const profile = settingFile('{"success": {"status": "/success"}}');

      const settings = { PORTAL_PROFILE: profile };
      const { code, said } = await checkWith(t, settings, SEND, GRANT, GRANT, body(answer, 'application/json'));

      assert.equal(code, 1);
      assert.match(said, says);
    });
  }

  for (const before of ['', 'x'.repeat(95)]) {
    it(`redacts a secret that the portal repeats after ${String(before.length)} characters`, async (t) => {
      const code = JSON.stringify({ error: `${before}portal-secret` });

      const { code: ended, said } = await check(t, [], (response) => response.writeHead(401).end(code));

      assert.equal(ended, 1);
      assert.match(said, /^Token with the first secret: refused .*401 (?:\[redacted\]|x{95})/m);
      assert.doesNotMatch(said, /portal-s|x{95}p/);
    });
  }

  it('prints that the update was not sent if the portal gives no token', async (t) => {
    const { portal, code, said } = await check(t, SEND, status(401));

    assert.equal(code, 1);
    assert.match(said, /^Update: not sent\. The portal gave no token for it\.$/m);
    assert.doesNotMatch(said, /Check authorization\.header/);
    assert.ok(portal.seen.every(({ body: sent }) => sent.includes('client_credentials')));
  });

  it('prints the clock offset of the portal', async (t) => {
    const ahead: Answer = (response) => {
      response.sendDate = false;
      response.setHeader('Date', new Date(Date.now() + 3_600_000).toUTCString());
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"x"}');
    };

    const began = performance.now();
    const { said } = await check(t, [], ahead);
    const took = performance.now() - began;

    const [, seconds] = /Clock: the portal is ([\d.]+) s ahead of this machine/.exec(said) ?? [];
    // The Date header has whole seconds, and the call took at most the time of the whole command.
    assert.ok(Math.abs(Number(seconds) * 1000 - 3_600_000) <= 600 + took / 2, said);
  });

  const noClock: readonly (readonly [what: string, changes: () => Promise<Environment>, answer: Answer])[] = [
    [
      'the response has no Date header',
      () => Promise.resolve({}),
      (response) => {
        response.sendDate = false;
        GRANT(response, response.req);
      },
    ],
    [
      'the Date header is implausible',
      () => Promise.resolve({}),
      (response) => {
        response.sendDate = false;
        response.setHeader('Date', new Date(0).toUTCString());
        GRANT(response, response.req);
      },
    ],
    ['the portal cannot be reached', () => Promise.resolve({ PORTAL_BASE_URL: DEAD_ADDRESS }), GRANT],
  ];
  for (const [what, changes, answer] of noClock) {
    it(`prints that the clock could not be measured if ${what}`, async (t) => {
      const { said } = await checkWith(t, await changes(), [], answer);

      assert.match(said, /^Clock: could not be measured/m);
      assert.doesNotMatch(said, /as the portal's/);
    });
  }

  it('names the cause if the portal cannot be reached', async (t) => {
    const refused = await checkWith(t, { PORTAL_BASE_URL: DEAD_ADDRESS }, [], GRANT);
    // A DNS server may take long to answer.
    const PORTAL_PROFILE = settingFile('{"timeouts":{"connect_ms":60000,"call_ms":60000}}');
    const unknown = await checkWith(t, { PORTAL_PROFILE, PORTAL_BASE_URL: 'https://portal.invalid' }, [], GRANT);

    assert.match(refused.said, /failed \(ECONNREFUSED: nothing listens at this address\)\. Check PORTAL_BASE_URL/);
    assert.match(unknown.said, /failed \((?:ENOTFOUND: there is no host of this name|EAI_AGAIN: )/);
  });

  it('warns that a portal that replaces its inventory on PUT is not supported if the method is PUT', async (t) => {
    const put = await checkWith(t, { PORTAL_PROFILE: settingFile('{"update":{"method":"PUT"}}') }, [], GRANT);
    const post = await check(t, [], GRANT);

    assert.match(
      put.said,
      /^Warning: with update\.method PUT, a portal that replaces its whole inventory on PUT is not supported/m,
    );
    assert.doesNotMatch(post.said, /not supported/);
  });

  it('uses the path and the credential of the vendor if there is only one', async (t) => {
    const { portal, code, said } = await checkWith(t, credentialsOf('boat tours'), SEND, GRANT, GRANT, status(200));

    assert.equal(code, 0, said);
    assert.match(said, /Update of "kayak" to available: delivered\./);
    assert.equal(portal.seen.at(-1)?.path, '/v1/vendors/boat%20tours/inventory');
    assert.match(portal.seen.at(-2)?.body ?? '', /"client_id":"id of boat tours"/);
  });

  it('uses the path and the credential of the vendor that --vendor names', async (t) => {
    const words = [...SEND, '--vendor', 'pottery'];
    const settings = credentialsOf('boats', 'pottery');

    const { portal, code, said } = await checkWith(t, settings, words, GRANT, GRANT, GRANT, status(200));

    assert.equal(code, 0, said);
    assert.equal(portal.seen.at(-1)?.path, '/v1/vendors/pottery/inventory');
    assert.match(portal.seen.at(-2)?.body ?? '', /"client_id":"id of pottery"/);
  });

  it('sends no update without --vendor among several vendors, or for a vendor without a credential', async (t) => {
    const settings = credentialsOf('boats', 'pottery');

    const unnamed = await checkWith(t, settings, SEND, GRANT);
    const unknown = await checkWith(t, settings, [...SEND, '--vendor', 'sauna'], GRANT);

    assert.match(unnamed.said, /^Update: not sent\..* with --vendor NAME\. .*: "boats", "pottery"\.$/m);
    assert.match(unknown.said, /^Update: not sent\. PORTAL_CREDENTIALS_FILE has no vendor "sauna"\.$/m);
    for (const { code, portal } of [unnamed, unknown]) assert.deepEqual([code, portal.seen.length], [1, 2]);
  });

  it('prints that a running proxy does not learn of its update', async (t) => {
    const { said } = await check(t, SEND, GRANT, GRANT, status(200));

    assert.match(said, /A running proxy does not learn of this update/);
  });

  it('reads files that begin with a byte order mark', async (t) => {
    const changes = {
      PORTAL_PROFILE: settingFile('\ufeff{"update":{"method":"PATCH"}}'),
      ITEMS_SOURCE: settingFile('\ufeff[{"id":"kayak"}]'),
    };

    const { code, said } = await checkWith(t, changes, ['--verbose'], GRANT);

    assert.equal(code, 0);
    assert.match(said, /Items: 1 in the list\.[^]*set +update\.method +"PATCH"/);
  });

  it('prints which scripts are missing in WIDGET_DIR, and exits with 1', async (t) => {
    const folder = scratchFolder();

    const { code, said } = await checkWith(t, { WIDGET_DIR: folder }, [], GRANT);

    assert.equal(code, 1);
    assert.match(
      said,
      /^Scripts: no widget\.js, no widget-[\d.]+\.js in \S+, and no page can load the elements without\.$/m,
    );
    assert.match(said, /Token with the first secret: granted\./);
  });

  it('reads the item catalog and prints the number of its items', async (t) => {
    const items = await servePortal(t, body('[{"id":"kayak"},{"id":"sauna"}]', 'application/json'));

    const { code, said } = await checkWith(t, { ITEMS_SOURCE: items.url }, [], GRANT);

    assert.equal(code, 0);
    assert.match(said, /Items: 2 in the list\./);
  });

  it('prints what is wrong with the item catalog, and exits with 1', async (t) => {
    const items = await servePortal(t, body('<h1>', 'text/html'));

    const { code, said } = await checkWith(t, { ITEMS_SOURCE: items.url }, [], GRANT);

    assert.equal(code, 1);
    assert.match(said, /Items: no list \(the list is not JSON, or nested too deep\)\. Check ITEMS_SOURCE/);
  });

  it("reads the portal's own list, and prints its counts and that it names no vendor", async (t) => {
    const profile = settingFile('{"listing":{"path":"/v1/items","paging":"none"},"limits":{"calls_per_second":100}}');
    const list = body('{"inventory":[{"id":"kayak","available":true},{"id":"sauna"},{"id":""}]}', 'application/json');

    const { code, said } = await checkWith(t, { PORTAL_PROFILE: profile }, [], GRANT, GRANT, list);

    assert.equal(code, 0);
    assert.match(said, /The portal's own list: 2 items, 1 of them without a value\./);
    assert.match(said, /1 entries are left out: see the pointers of listing\./);
    assert.match(said, /sessions need an items claim, or set listing\.vendor/);
  });

  it("prints why the portal's own list cannot be read, and exits with 1", async (t) => {
    const profile = settingFile('{"listing":{"path":"/v1/items","paging":"none"},"limits":{"calls_per_second":100}}');

    const { code, said } = await checkWith(t, { PORTAL_PROFILE: profile }, [], GRANT, GRANT, status(404));

    assert.equal(code, 1);
    assert.match(said, /The portal's own list: it cannot be read \(the portal answered 404\)\./);
  });

  it('fetches the keys of the host and prints the number of usable ones', async (t) => {
    const others = '{"kty":"RSA"},{"kty":"EC","crv":"P-384","x":"x","y":"x"}';
    const host = await servePortal(t, body(`{"keys":[${PUBLIC_KEY},${others}]}`, 'application/json'));

    const { code, said } = await checkWith(t, keysAt(host.url), [], GRANT);

    assert.equal(code, 0);
    assert.match(said, /Sign-in: 1 key of the host behind SESSION_JWKS\./);
  });

  it('prints why there are no keys of the host, and exits with 1', async (t) => {
    const host = await servePortal(t, status(404));
    const ofOtherKinds = await servePortal(t, body('{"keys":[{"kty":"RSA"}]}', 'application/json'));

    for (const [url, why] of [
      [host.url, /Sign-in: no keys of the host \(the host answered 404\)\. Check SESSION_JWKS/],
      [
        ofOtherKinds.url,
        /Sign-in: no keys of the host \(the answer .* \/keys none of them is a whole key of Ed25519 or P-256\)/,
      ],
      [DEAD_ADDRESS, /Sign-in: no keys of the host \(ECONNREFUSED: nothing listens at this address\)/],
    ] as const) {
      const { code, said } = await checkWith(t, keysAt(url), [], GRANT);

      assert.equal(code, 1, url);
      assert.match(said, why);
      assert.match(said, /Token with the first secret: granted\./);
    }
  });

  it('asks for an items claim if vendors share a credential and a path', async (t) => {
    const apart = credentialsOf('boats', 'pottery');
    const shared = { PORTAL_CLIENT_ID: 'id', PORTAL_CLIENT_SECRET: 's' };
    const onOnePath = { PORTAL_PROFILE: undefined };
    const asked = async (settings: Environment): Promise<string | undefined> => {
      const { said } = await checkWith(t, settings, [], GRANT, GRANT, GRANT);
      return /^One credential serves every vendor.*:\ngive each embed token of theirs an `items` claim/m.exec(
        said,
      )?.[0];
    };

    assert.match((await asked({})) ?? '', /^One credential serves every vendor:/);
    assert.match(
      (await asked({ ...apart, ...shared, ...onOnePath })) ?? '',
      /^One credential serves every vendor that PORTAL_CREDENTIALS_FILE does not name:/,
    );
    assert.equal(await asked({ ...apart, ...onOnePath }), undefined);
    assert.equal(await asked({ ...apart, ...shared }), undefined);
  });

  it('prints whose edits wait if only the vendors of PORTAL_CREDENTIALS_FILE have a credential', async (t) => {
    const shared = { PORTAL_CLIENT_ID: 'id', PORTAL_CLIENT_SECRET: 's' };
    const said = async (settings: Environment): Promise<string | undefined> => {
      const { code, said: lines } = await checkWith(t, settings, [], GRANT, GRANT, GRANT);
      assert.equal(code, 0, lines);
      return /^PORTAL_CREDENTIALS_FILE names .*$/m.exec(lines)?.[0];
    };

    assert.equal(
      await said(credentialsOf('boats', 'pottery')),
      'PORTAL_CREDENTIALS_FILE names 2 vendors and there is no pair for the others: their edits wait.',
    );
    assert.match((await said(credentialsOf('boats'))) ?? '', /names 1 vendor and/);
    assert.equal(await said({ ...credentialsOf('boats'), ...shared }), undefined);
    assert.equal(await said({}), undefined);
  });

  it('lists ITEMS_SOURCE and PORTAL_CREDENTIALS_FILE as set with --verbose', async (t) => {
    const changes = { ...credentialsOf('boats', 'pottery'), ITEMS_SOURCE: join(scratchFolder(), '{vendor}.json') };

    const { said } = await checkWith(t, changes, ['--verbose'], GRANT, GRANT);

    assert.match(said, /set +ITEMS_SOURCE +a file for each vendor\n/);
    assert.match(said, /set +PORTAL_CREDENTIALS_FILE +of 2 vendors\n/);
  });

  it('exits as a process with the code of its verdict', async (t) => {
    const portal = await servePortal(t, GRANT, GRANT, status(422));
    const environment = { ...minimalSettings(), PORTAL_BASE_URL: portal.url } as Record<string, string>;
    const command = new Command(t, ['check', ...SEND], { environment });

    assert.equal(await command.exitCode(), 1);
    assert.match(command.stdout, /^Verdict: not ready, 1 thing to correct:/);
    assert.equal(command.stderr, '');
  });

  it('exits with 64 for an unknown option', async (t) => {
    const { code, said } = await check(t, ['--nonsense'], GRANT);

    assert.equal(code, 64);
    assert.match(said, /--nonsense/);
  });
});

/** One credential for each vendor and none for others, and a path that names the vendor. */
function credentialsOf(...vendors: readonly string[]): Environment {
  const table = vendors.map((vendor) => [vendor, { client_id: `id of ${vendor}`, client_secrets: ['s'] }]);
  return {
    PORTAL_CLIENT_ID: undefined,
    PORTAL_CLIENT_SECRET: undefined,
    PORTAL_CREDENTIALS_FILE: settingFile(JSON.stringify(Object.fromEntries(table))),
    PORTAL_PROFILE: settingFile('{"update":{"path":"/v1/vendors/{vendor}/inventory"}}'),
  };
}
